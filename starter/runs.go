package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/terminal"
)

func runsCommand() *cobra.Command {
	var asJSON bool
	var most int
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List distillations, running and ended",
		Long: `List the distillations that Temporal knows, the one started last first: teacher, age, epoch, top-1,
programs, what the LLM was asked, and stage or how it ended. No worker is needed for it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if most < 1 {
				return fmt.Errorf("--most %d: want at least 1", most)
			}
			r, err := dialTemporal(cmd.Context())
			if err != nil {
				return err
			}
			defer r.Client.Close()
			list, more, err := r.List(cmd.Context(), most)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			printRuns(cmd.OutOrStdout(), list, more, time.Now())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&most, "most", 30, "list so `many` at most")
	return cmd
}

func printRuns(w io.Writer, list []runs.Listing, more int, now time.Time) {
	if len(list) == 0 {
		fmt.Fprintln(w, "There is no distillation yet. Start one with: epb start --config examples/demo.yaml")
		return
	}
	var table terminal.Table
	table.Row("run", "teacher", "age", "epoch", "top-1", "bank", "LLM", "stage or end")
	for _, r := range list {
		epoch, top1, bank, spend := "", "", "", ""
		if r.Epoch > 0 {
			epoch = strconv.Itoa(r.Epoch)
		}
		if r.Top1 != nil && *r.Top1 > 0 {
			top1 = fmt.Sprintf("%.1f %%", 100**r.Top1)
		}
		if r.Bank > 0 {
			bank = strconv.Itoa(r.Bank)
		}
		if r.Spend != nil {
			spend = r.Spend.String()
		}
		table.Row(terminal.Redacted(r.ID), terminal.Redacted(r.Teacher), runs.Age(now.Sub(r.Started)), epoch,
			top1, bank, spend, r.Stands())
	}
	table.Fprint(w)
	if more > 0 {
		fmt.Fprintf(w, "\n%d more: epb runs --most %d\n", more, more+len(list))
	}
}
