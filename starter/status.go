package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/runs"
)

func statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Say where a distillation stands, and why it waits or ended",
		Long: `Say once where a distillation, the latest by default, stands: stage, epoch, bank size, LLM calls, what
runs now, how well the student agreed with the teacher when it was last measured, what holds the run up, and how it
ended. epb watch goes on saying it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return locate.Argument(args).Run(cmd.Context(), func(r *runs.Reader, id string) error {
				s, err := r.Look(cmd.Context(), id)
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
