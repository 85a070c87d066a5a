package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/terminal"
)

func runsCommand() *cobra.Command {
	var asJSON bool
	var most int
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List distillations, running and ended",
		Long: `List the distillations that Temporal or the object store knows, the one started last first: teacher, age,
pass and epoch, top-1 (of the validation states; of a finished run on the test instances), the greedy gap to the teacher
of finished runs, programs, what the LLM was asked, and stage or how it ended. No worker is needed for it.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if most < 1 {
				return fmt.Errorf("--most %d: want at least 1", most)
			}
			r, err := locate.Temporal(cmd.Context())
			if err != nil {
				return err
			}
			defer r.Client.Close()
			list, more, err := r.List(cmd.Context(), most)
			if err != nil {
				return err
			}
			if list, more, err = withResults(cmd, list, more, most); err != nil {
				return err
			}
			runs.SetAges(list, time.Now())
			if asJSON {
				printMore(cmd.ErrOrStderr(), list, more)
				return printJSON(cmd.OutOrStdout(), list)
			}
			printRuns(cmd.OutOrStdout(), list, more)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&most, "most", 30, "list so `many` at most")
	return cmd
}

// storeWait is how long a list of runs waits for the object store.
const storeWait = 5 * time.Second

// withResults adds to a list of runs what the object store knows of them, and cuts it to the most again. If the store
// does not answer, it says so and leaves the list as it is.
func withResults(cmd *cobra.Command, list []runs.Listing, more, most int) ([]runs.Listing, int, error) {
	ctx, cancel := context.WithTimeout(cmd.Context(), storeWait)
	defer cancel()
	s, err := locate.Store(ctx)
	if err == nil {
		err = results.FillIn(ctx, s, list)
	}
	if err == nil && more == 0 { // otherwise these fill the list: what Temporal has forgotten is older
		var old []runs.Listing
		old, more, err = results.Forgotten(ctx, s, list, most-len(list))
		list = append(list, old...)
	}
	if cmd.Context().Err() != nil {
		return nil, 0, cmd.Context().Err()
	}
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "Results in the object store are left out: %v\n", err)
	}
	return list, more, nil
}

func printRuns(w io.Writer, list []runs.Listing, more int) {
	if len(list) == 0 {
		fmt.Fprintln(w, "There is no distillation yet. Start one with: epb start --config examples/demo.yaml")
		return
	}
	var table terminal.Table
	table.Row("run", "teacher", "age", "pass", "epoch", "top-1", "gap", "bank", "LLM", "stage or end")
	for _, r := range list {
		top1, gap, spend := "", "", ""
		if a := r.Agreement(); a != nil && *a > 0 {
			top1 = decimal.Percent(*a)
		}
		if g := r.Gap(); g != nil {
			gap = decimal.Gap(*g)
		}
		if r.Spend != nil {
			spend = r.Spend.String()
		}
		age := ""
		if r.Age != nil {
			age = runs.Age(time.Duration(*r.Age) * time.Second)
		}
		table.Row(terminal.Redacted(r.ID), terminal.Redacted(r.Teacher), age, number(r.Pass), number(r.Epoch),
			top1, gap, number(r.Bank), spend, r.Stands())
	}
	table.Fprint(w)
	if more > 0 {
		fmt.Fprintln(w)
	}
	printMore(w, list, more)
}

// printMore says how many runs a list leaves out, if any.
func printMore(w io.Writer, list []runs.Listing, more int) {
	if more > 0 {
		fmt.Fprintf(w, "%d more: epb runs --most %d\n", more, more+len(list))
	}
}

// number is a number, or nothing for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
