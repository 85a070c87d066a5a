package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/doctor"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
)

// servers returns the fallback that is used where the environment names no server: the dev stack.
func servers() connect.Fallback { return devstack.Servers(devstack.DefaultDir()) }

// dialTemporal connects as the Temporal CLI would: as environment and profile file say, or to the dev stack where
// neither says anything. The caller closes the reader's client.
func dialTemporal(ctx context.Context) (*runs.Reader, error) {
	if _, err := connect.TemporalOptions(servers()); err != nil {
		return nil, err // of the configuration, which says itself what mends it
	}
	c, opts, err := connect.Temporal(ctx, servers())
	if err != nil {
		return nil, doctor.AskDoctor(err)
	}
	return &runs.Reader{Client: c, Namespace: opts.Namespace}, nil
}

// openStore opens the object store of the environment or of the dev stack.
func openStore(ctx context.Context) (*store.Store, error) {
	cfg, err := connect.StoreConfig(servers())
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, cfg)
	if err != nil {
		return nil, doctor.AskDoctor(err)
	}
	return s, nil
}

// runID returns the ID in the name of a run: as it is, or run:ID as epb bank list prints it.
func runID(name string) string { return strings.TrimPrefix(name, runBank) }

// withRun connects and calls do with the run a command is about: its argument, or the latest.
func withRun(ctx context.Context, args []string, do func(r *runs.Reader, id string) error) error {
	r, err := dialTemporal(ctx)
	if err != nil {
		return err
	}
	defer r.Client.Close()
	if len(args) > 0 {
		return do(r, runID(args[0]))
	}
	id, err := r.Latest(ctx)
	if err != nil {
		return err
	}
	return do(r, id)
}

// findResult reads the result of the run that an argument names, or of the latest run with a result.
func findResult(ctx context.Context, args []string) (results.Result, error) {
	s, err := openStore(ctx)
	if err != nil {
		return results.Result{}, err
	}
	if len(args) > 0 {
		id := runID(args[0])
		found, err := results.Read(ctx, s, id)
		if errors.Is(err, store.ErrNotFound) {
			err = withoutResult(ctx, id, err)
		}
		return found, err
	}
	r, err := dialTemporal(ctx)
	if err != nil {
		return results.Result{}, err
	}
	defer r.Client.Close()
	ids, err := r.IDs(ctx)
	if err != nil {
		return results.Result{}, err
	}
	for _, id := range ids {
		if found, err := results.Read(ctx, s, id); !errors.Is(err, store.ErrNotFound) {
			return found, err
		}
	}
	return results.Result{}, fmt.Errorf("no distillation has a result yet; the latest is %s (see epb status)", ids[0])
}

// withoutResult says why the store holds no result of a run. err is the error of the store.
func withoutResult(ctx context.Context, id string, err error) error {
	r, dialErr := dialTemporal(ctx)
	if dialErr != nil {
		return err
	}
	defer r.Client.Close()
	return r.WhyNoResult(ctx, id, err)
}
