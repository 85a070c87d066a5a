package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

func compareCommand() *cobra.Command {
	var history bool
	cmd := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Set finished runs side by side",
		Long: `Print a line per finished run: bank size, epochs, agreement with the teacher on the test states, greedy gap to the teacher, and
the best single program's. With --history, validation top-1 over the epochs follows, as in the paper's ablation figure.`,
		Example: "  epb compare ablation-numeric-1 ablation-both-1 --history",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var runs []report.Data
			for _, id := range args {
				d, err := readReport(cmd.Context(), id)
				if err != nil {
					return err
				}
				runs = append(runs, d)
			}
			printComparison(cmd.OutOrStdout(), runs)
			if history {
				printHistories(cmd.OutOrStdout(), runs)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&history, "history", false, "print validation top-1 over the epochs")
	return cmd
}

// readReport reads the data of a finished run's report.
func readReport(ctx context.Context, id string) (report.Data, error) {
	r, err := findResult(ctx, []string{id})
	if err != nil {
		return report.Data{}, err
	}
	data, err := r.store.Get(ctx, r.Data)
	if err != nil {
		return report.Data{}, err
	}
	return report.Read(bytes.NewReader(data))
}

func printComparison(w io.Writer, runs []report.Data) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "run\tseed\tminutes\tbank\tedits\tadded\tdropped\tepochs\tcoverage\ttop-1\tKL\tgap\tbest program\t")
	for _, d := range runs {
		kinds := map[string]int{}
		for _, e := range d.Events {
			kinds[e.Kind]++
		}
		gap, best := "", ""
		if row, ok := d.Table.Find(evaluate.KindStudent); ok && row.Greedy != nil {
			gap = fmt.Sprintf("%+.2f %%", row.Greedy.Gap.Percent)
		}
		if row, ok := d.Table.BestHeuristic(); ok {
			best = fmt.Sprintf("%+.2f %%", row.Greedy.Gap.Percent)
		}
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t%.3f\t%.3f\t%.3f\t%s\t%s\t\n", d.Run.ID, d.Config.Seed, d.Run.Minutes, len(d.Bank),
			kinds[report.EditAccepted], kinds[report.Added], kinds[report.Dropped], len(d.History),
			d.Fidelity.Coverage, d.Fidelity.Top1, d.Fidelity.Loss, gap, best)
	}
	t.Flush()
}

// printHistories prints validation top-1 of every run, an epoch a line.
func printHistories(w io.Writer, runs []report.Data) {
	fmt.Fprintln(w, "\nvalidation top-1 by epoch")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "epoch\t")
	longest := 0
	for _, d := range runs {
		fmt.Fprintf(t, "%s\t", d.Run.ID)
		longest = max(longest, len(d.History))
	}
	fmt.Fprintln(t)
	for e := range longest {
		fmt.Fprintf(t, "%d\t", e+1)
		for _, d := range runs {
			if e < len(d.History) {
				fmt.Fprintf(t, "%.4f\t", d.History[e].ValTop1)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}
