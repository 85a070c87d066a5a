package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

func statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Say where a distillation stands, and why it waits or ended",
		Long: `Say once where a distillation, the latest by default, stands: stage, epoch, bank size, LLM calls, what
runs now, how well the student agreed with the teacher when it was last measured, what holds the run up, and how it
ended. epb watch goes on saying it. Temporal forgets runs some time after their end; of one that has completed, the
object store still tells.`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return locate.Argument(args).Run(cmd.Context(), func(r *runs.Reader, id string) error {
				s, err := r.Look(cmd.Context(), id)
				if errors.Is(err, runs.ErrUnknown) {
					s, err = forgotten(cmd.Context(), id, err)
				}
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), s)
				}
				return printStatus(cmd.OutOrStdout(), s)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// forgotten takes the snapshot of a run that Temporal does not know from the run's result in the store. Where the store
// knows nothing of the run either, the error is unknown, that of Temporal.
func forgotten(ctx context.Context, id string, unknown error) (runs.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	var found results.Result
	s, err := locate.Store(ctx)
	if err == nil {
		found, err = results.Read(ctx, s, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		var traces []string
		if traces, err = s.List(ctx, path.Dir(workflows.ManifestKey(id))+"/"); err == nil && len(traces) > 0 {
			return runs.Snapshot{}, fmt.Errorf("%s left no result, and Temporal has forgotten how it ended (epb llm "+
				"log %[1]s lists what it asked)", id)
		}
		if err == nil {
			return runs.Snapshot{}, unknown
		}
	}
	if err != nil {
		return runs.Snapshot{}, fmt.Errorf("%w, as far as Temporal knows; whether it has a result is unknown: %w",
			unknown, err)
	}
	end := runs.End{State: runs.Completed, Summary: found.Summary, Measured: found.Measured}
	return runs.Snapshot{ID: id, State: runs.Completed, End: &end}, nil
}

// printStatus prints a snapshot for a reader. A run that goes on and does not answer is an error.
func printStatus(w io.Writer, s runs.Snapshot) error {
	if s.Silence != nil && s.Status == nil && len(s.Waiting) == 0 {
		return s.Silence
	}
	fmt.Fprintf(w, "%s: %s\n", s.ID, s.State)
	if s.Status != nil {
		fmt.Fprintln(w, runs.Line(*s.Status, s.Running, s.Asking))
		if n := len(s.Status.Points); n > 0 {
			last := s.Status.Points[n-1]
			fmt.Fprintf(w, "on validation states: loss %.4f · top-1 %.1f %% · coverage %.3f\n", last.ValLoss,
				100*last.Top1, last.Coverage)
		}
	}
	for _, wait := range s.Waiting {
		fmt.Fprintln(w, wait)
	}
	if s.End != nil {
		if s.End.Summary != "" {
			fmt.Fprint(w, "on test instances: ")
		}
		fmt.Fprintln(w, s.End.Say(s.ID))
	}
	return s.Silence
}
