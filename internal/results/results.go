// Package results reads what finished runs left in the store: manifest, bank, student, report and validation states.
package results

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// Result is the result of a finished run, as its manifest lists it.
type Result struct {
	workflows.Result
	ID      string // of the run
	objects *store.Store
}

// Read reads the manifest of a run. The error wraps store.ErrNotFound where the run has no result.
func Read(ctx context.Context, s *store.Store, id string) (Result, error) {
	r := Result{ID: id, objects: s}
	data, err := s.GetKey(ctx, workflows.ManifestKey(id))
	if err != nil {
		return r, fmt.Errorf("%s has no result yet (see epb status %s): %w", id, id, err)
	}
	if err := json.Unmarshal(data, &r.Result); err != nil {
		return r, fmt.Errorf("result of %s: %w", id, err)
	}
	return r, nil
}

// runsFolder is the folder of all runs in the store.
var runsFolder, _, _ = strings.Cut(workflows.ManifestKey("\n"), "\n")

// List reads the manifests of all runs that have one.
func List(ctx context.Context, s *store.Store) ([]Result, error) {
	ids, err := s.Folders(ctx, runsFolder)
	if err != nil {
		return nil, err
	}
	var all []Result
	for _, id := range ids {
		r, err := Read(ctx, s, id)
		if errors.Is(err, store.ErrNotFound) {
			continue // it goes on, or ended without one
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Bank reads the run's bank.
func (r Result) Bank(ctx context.Context) (*bank.Bank, error) {
	data, err := r.BankObject(ctx)
	if err != nil {
		return nil, err
	}
	b := &bank.Bank{}
	return b, json.Unmarshal(data, b)
}

// BankObject reads the run's bank as it is stored.
func (r Result) BankObject(ctx context.Context) ([]byte, error) {
	return r.objects.Get(ctx, r.Model.Bank)
}

// ReportData reads the data of the run's report.
func (r Result) ReportData(ctx context.Context) (report.Data, error) {
	data, err := r.objects.Get(ctx, r.Data)
	if err != nil {
		return report.Data{}, err
	}
	return report.Read(bytes.NewReader(data))
}

// ValidationShards reads the shards of the run's validation states, as they are stored.
func (r Result) ValidationShards(ctx context.Context) (shards [][]byte, err error) {
	if len(r.Val) == 0 {
		return nil, errors.New("the run's result names no states: it is of an earlier version")
	}
	for _, s := range r.Val {
		data, err := r.objects.Get(ctx, s.Object)
		if err != nil {
			return nil, err
		}
		shards = append(shards, data)
	}
	return shards, nil
}

// trainer reads the run's student.
func (r Result) trainer(ctx context.Context) (*student.Trainer, error) {
	data, err := r.objects.Get(ctx, r.Model.Student)
	if err != nil {
		return nil, err
	}
	return student.UnmarshalTrainer(data)
}
