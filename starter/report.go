package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

func reportCommand() *cobra.Command {
	var out string
	var latest bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Download a run's report, bank and student, and print the table",
		Long: `Download what a finished run, the latest such by default, left in the store: report.html (one
self-contained page), report.json, the bank as a folder of programs, and the student, which epb eval --student reads.
What an earlier epb report wrote there is replaced, but for a bank that was edited since.`,
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
				dir = filepath.Join("runs", r.ID)
			}
			return download(cmd.Context(), cmd.OutOrStdout(), r, dir)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`folder` to write to (default runs/RUN)")
	cmd.Flags().BoolVar(&latest, "latest", false, "the latest finished run (the default)")
	return cmd
}

// download writes a result as a folder and prints its table.
func download(ctx context.Context, w io.Writer, r results.Result, dir string) error {
	d, err := r.Save(ctx, dir)
	if err != nil {
		return err
	}
	textreport.Table(w, d.Table, testset.InUnitSquare)
	page := filepath.Join(dir, "report.html")
	fmt.Fprintf(w, "\n%s: %s\nAlg. 1 ended: %s\nReport: %s\n", r.ID, r.Summary, r.Ended, page)
	return nil
}
