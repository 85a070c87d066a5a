package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/student"
)

func reportCommand() *cobra.Command {
	var out string
	var latest bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Download a run's report, bank and student, and print the table",
		Long: `Download what a finished run, the latest such by default, left in the store: report.html (one self-contained
page), report.json, the bank as a folder of programs, and the student, which epb eval --student reads. What an earlier epb report wrote
there is replaced, but for a bank that was edited since.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if latest && len(args) > 0 {
				return fmt.Errorf("--latest and %s: name one run", args[0])
			}
			r, err := findResult(cmd.Context(), args)
			if err != nil {
				return err
			}
			dir := out
			if dir == "" {
				dir = filepath.Join("runs", r.id)
			}
			return download(cmd.Context(), cmd.OutOrStdout(), r, dir)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`folder` to write to (default runs/RUN)")
	cmd.Flags().BoolVar(&latest, "latest", false, "the latest finished run (the default)")
	return cmd
}

// download writes a result as a folder and prints its table.
func download(ctx context.Context, w io.Writer, r result, dir string) error {
	if other, err := evaluate.ReadStudent(dir); err == nil && other.Manifest.Run != r.id {
		return fmt.Errorf("%s holds the result of run %s; give another folder with --out", dir, other.Manifest.Run)
	}
	b, err := r.bank(ctx)
	if err != nil {
		return err
	}
	if err := r.checkEdits(filepath.Join(dir, "bank"), b); err != nil {
		return err
	}
	page, err := r.store.Get(ctx, r.Report)
	if err != nil {
		return err
	}
	data, err := r.store.Get(ctx, r.Data)
	if err != nil {
		return err
	}
	d, err := report.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if err := r.saveStudent(ctx, dir, d, b); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"report.html": page, "report.json": data} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	printTable(w, d.Table, inUnitSquare)
	fmt.Fprintf(w, "\n%s: %s\nAlg. 1 ended: %s\nReport: %s\n", r.id, r.Summary, r.Ended, filepath.Join(dir, "report.html"))
	return nil
}

// checkEdits refuses to write the run's bank over one that differs from it: programs are edited there by hand.
func (r result) checkEdits(dir string, b *bank.Bank) error {
	if files, _ := os.ReadDir(dir); len(files) == 0 {
		return nil
	}
	there, err := bank.Load(dir)
	if err != nil {
		return fmt.Errorf("%s may hold edits: move it away, or give another folder with --out: %w", dir, err)
	}
	if len(bank.Diff(b, there)) > 0 {
		return fmt.Errorf("%s is not the run's bank (epb bank diff run:%s %s): move it away, or give another folder with --out", dir, r.id, dir)
	}
	return nil
}

// saveStudent exports bank and router.
func (r result) saveStudent(ctx context.Context, dir string, d report.Data, b *bank.Bank) error {
	data, err := r.store.Get(ctx, r.Model.Student)
	if err != nil {
		return err
	}
	t, err := student.UnmarshalTrainer(data)
	if err != nil {
		return err
	}
	return evaluate.SaveStudent(dir, evaluate.Manifest{
		Run: r.id, Problem: b.Problem, Nodes: d.Config.Nodes, Teacher: d.Teacher.Name, Seed: d.Config.Seed, StandIn: d.LLM.StandIn,
		Start: d.Start.Rule, Agreement: d.Start.Agreement, EPB: d.Run.Version, Kernels: d.Run.Kernels,
	}, b, t.Model)
}
