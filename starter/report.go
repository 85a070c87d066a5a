package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/figures"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

func reportCommand() *cobra.Command {
	var out, drawn string
	var latest, asJSON bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Download a run's report, bank and student, and print the table",
		Long: `Download what a finished run, the latest such by default, left in the store: report.html (one
self-contained page), report.json, the bank as a folder of programs, and the student, which epb eval --student reads.
What an earlier epb report of the run wrote there is replaced, but for a bank that was edited since; other files of
these names are not.

With --figures, the figures are also written to a new folder as SVG and PDF, and the tables as CSV and as LaTeX for the
package booktabs.`,
		Example: `  epb report
  epb report demo-1 --out demo --figures demo/figures`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if latest && len(args) > 0 {
				return fmt.Errorf("--latest and %s: name one run", args[0])
			}
			r, err := locate.Argument(args).Result(cmd.Context())
			if err != nil {
				return err
			}
			dir := out
			if dir == "" {
				dir = filepath.Join("runs", r.ID)
			}
			if drawn != "" {
				if err := checkNew("--figures", drawn); err != nil {
					return err
				}
			}
			d, err := r.Save(cmd.Context(), dir)
			if err != nil {
				return err
			}
			var files []string
			if drawn != "" {
				if files, err = figures.Write(drawn, d); err != nil {
					return fmt.Errorf("--figures: %w", err)
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), downloaded{r.ID, d.Summary(), r.Ended, dir, files, d})
			}
			printDownload(cmd.OutOrStdout(), r, d, dir)
			if drawn != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "Figures and tables: %d files in %s\n", len(files), drawn)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`folder` to write to (default runs/RUN)")
	cmd.Flags().StringVar(&drawn, "figures", "", "new `folder` for figures (SVG, PDF) and tables (CSV, LaTeX)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: where the files are, and the report's data")
	cmd.Flags().BoolVar(&latest, "latest", false, "the latest finished run (the default)")
	return cmd
}

// downloaded is what epb report --json prints.
type downloaded struct {
	Run     string      `json:"run"`
	Summary string      `json:"summary"`
	Ended   string      `json:"ended"`
	Folder  string      `json:"folder"`
	Figures []string    `json:"figures,omitempty"`
	Report  report.Data `json:"report"`
}

// printDownload prints the table of a result and where its page is.
func printDownload(w io.Writer, r results.Result, d report.Data, dir string) {
	textreport.Table(w, d.Table, testset.InUnitSquare)
	fmt.Fprintf(w, "\n%s: %s\nAlg. 1 ended: %s\nReport: %s\n", r.ID, d.Summary(), r.Ended,
		filepath.Join(dir, "report.html"))
}
