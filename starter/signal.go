package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/workflows"
)

// signalCommand sends one of the signals a distillation listens to.
func signalCommand(signal string) *cobra.Command {
	help := map[string]struct{ short, long string }{
		workflows.SignalPause: {"Pause a distillation before its next step",
			"Pause a distillation, the latest by default: the step that runs is finished, the next one waits for " +
				"epb resume."},
		workflows.SignalResume: {"Go on with a paused distillation",
			"Go on with a paused distillation, the latest by default."},
		workflows.SignalStop: {"End a distillation after its running segment: anneal, evaluate, report",
			"End a distillation, the latest by default, early but in order: after its running segment it anneals, " +
				"evaluates and reports\nas if its limits had been reached."},
	}[signal]
	return &cobra.Command{
		Use:   signal + " [RUN]",
		Short: help.short,
		Long:  help.long,
		Args:  arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return locate.Argument(args).Run(cmd.Context(), func(r *runs.Reader, id string) error {
				err := r.Signal(cmd.Context(), id, signal)
				if errors.Is(err, runs.ErrUnknown) {
					_, err = forgotten(cmd.Context(), id, err)
					err = cmp.Or(err, fmt.Errorf("%s %s: the run has ended (epb report %[2]s)", signal, id))
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s requested\n", id, signal)
				return nil
			})
		},
	}
}
