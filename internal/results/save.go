package results

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/report"
)

// The files of a report.
const (
	pageFile = "report.html"
	dataFile = "report.json"
)

// Save writes the result into a folder: report.html, report.json, and the student with its bank as distilled.Read
// reads them. It refuses a folder that holds another run's result, a bank that was edited since, or files of other
// origin that it would replace. It returns the data of the report.
func (r Result) Save(ctx context.Context, dir string) (report.Data, error) {
	var d report.Data
	there, unreadable := distilled.Read(dir)
	if unreadable == nil && there.Manifest.Run != r.ID {
		return d, fmt.Errorf("%s holds the result of run %s; give another folder with --out", dir, there.Manifest.Run)
	}
	b, err := r.Bank(ctx)
	if err != nil {
		return d, err
	}
	if err := r.checkEdits(filepath.Join(dir, "bank"), b); err != nil {
		return d, err
	}
	if unreadable != nil {
		if err := r.checkFiles(dir); err != nil {
			return d, err
		}
	}
	page, err := r.objects.Get(ctx, r.Report)
	if err != nil {
		return d, err
	}
	data, err := r.objects.Get(ctx, r.Data)
	if err != nil {
		return d, err
	}
	if d, err = report.Read(bytes.NewReader(data)); err != nil {
		return d, err
	}
	s, err := r.student(ctx, d, b)
	if err == nil {
		err = distilled.Save(dir, s.Manifest, s.Bank, s.Model)
	}
	if err != nil {
		return d, err
	}
	for name, content := range map[string][]byte{pageFile: page, dataFile: data} {
		if err := regular.WriteBytes(filepath.Join(dir, name), content); err != nil {
			return d, err
		}
	}
	return d, nil
}

// checkEdits refuses to write the run's bank over one that differs from it: programs are edited there by hand.
func (r Result) checkEdits(dir string, b *bank.Bank) error {
	if files, _ := os.ReadDir(dir); len(files) == 0 {
		return nil
	}
	there, err := bank.Load(dir)
	if err != nil {
		return fmt.Errorf("%s may hold edits: move it away, or give another folder with --out: %w", dir, err)
	}
	if len(bank.Diff(b, there)) > 0 {
		return fmt.Errorf("%s is not the run's bank (epb bank diff run:%s %s): move it away, or give another folder "+
			"with --out",
			dir, r.ID, dir)
	}
	return nil
}

// checkFiles refuses a folder that holds a file of a result and is no result.
func (r Result) checkFiles(dir string) error {
	for _, name := range append(distilled.Names(), pageFile, dataFile) {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s exists, and %s does not hold the result of run %s: move the file away, or give "+
				"another folder with --out", path, dir, r.ID)
		}
	}
	return nil
}

// Student returns the student of the run, as distilled.Read reads it from a folder.
func (r Result) Student(ctx context.Context) (distilled.Files, error) {
	d, err := r.ReportData(ctx)
	if err != nil {
		return distilled.Files{}, err
	}
	b, err := r.Bank(ctx)
	if err != nil {
		return distilled.Files{}, err
	}
	return r.student(ctx, d, b)
}

// student returns bank and router with what the report says of them.
func (r Result) student(ctx context.Context, d report.Data, b *bank.Bank) (distilled.Files, error) {
	t, err := r.trainer(ctx)
	if err != nil {
		return distilled.Files{}, err
	}
	return distilled.Of(distilled.Manifest{
		Run: r.ID, Problem: b.Problem, Nodes: d.Config.Nodes, Teacher: d.Teacher.Name, Seed: d.Config.Seed,
		StandIn: d.LLM.StandIn, NullWriter: d.LLM.NullWriter, Start: d.Start.Rule, Agreement: d.Start.Agreement,
		EPB: d.Run.Version, Kernels: d.Run.Kernels,
	}, b, t.Model), nil
}
