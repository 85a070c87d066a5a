package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

func statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Say where a distillation stands, and why it waits or ended",
		Long: `Say once where a distillation, the latest by default, stands: stage, epoch, bank size, LLM calls, what runs now, how
well the student agreed with the teacher when it was last measured, what holds the run up, and how it ended. epb watch
goes on saying it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), args, func(c client.Client, id string) error {
				s, err := look(cmd.Context(), c, id)
				if err != nil {
					return err
				}
				if asJSON {
					return s.printJSON(cmd.OutOrStdout())
				}
				return s.print(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// sight is what can be seen of a run at a moment.
type sight struct {
	ID      string              `json:"id"`
	State   string              `json:"state"`
	Status  *workflows.Status   `json:"status,omitempty"` // its own answer, or else what Temporal remembers of it
	Silent  string              `json:"silent,omitempty"` // why it did not answer itself
	Running *workflows.Progress `json:"running,omitempty"`
	Waiting []wait              `json:"waiting,omitempty"`
	End     *end                `json:"end,omitempty"`

	silence error
	asking  time.Time // as in pending
}

// look looks at a run.
func look(ctx context.Context, c client.Client, id string) (sight, error) {
	s := sight{ID: id}
	desc, err := c.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return s, orNoRun(id, fmt.Errorf("describe %s: %w", id, err))
	}
	info := desc.WorkflowExecutionInfo
	s.State = words(info.Status.String())
	if st, err := queryStatus(ctx, c, id); err == nil {
		s.Status = &st
	} else if ctx.Err() != nil {
		return s, ctx.Err()
	} else {
		s.Status, s.silence, s.Silent = remembered(info.GetMemo()), err, err.Error()
	}
	if info.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		e, err := endOf(ctx, c, id, info.Execution.GetRunId())
		s.End, s.silence, s.Silent = &e, nil, ""
		return s, err
	}
	p := lookPending(ctx, c, id, s.silence == nil)
	s.Running, s.Waiting = p.running, p.waits
	s.asking = p.asking
	if s.Status != nil {
		s.Status.Spend, s.Status.Note = s.Status.Spend.Plus(p.spent), terminal.Redacted(s.Status.Note)
	}
	return s, nil
}

// remembered returns what a run has said last of itself, as Temporal keeps it, or nil.
func remembered(m *common.Memo) *workflows.Status {
	said, ok := m.GetFields()[workflows.MemoStatus]
	if !ok {
		return nil
	}
	var s workflows.Status
	if json.Unmarshal(said.GetData(), &s) != nil {
		return nil
	}
	return &s
}

// print prints it for a reader. A run that goes on and does not answer is an error.
func (s sight) print(w io.Writer) error {
	if s.silence != nil && s.Status == nil && len(s.Waiting) == 0 {
		return s.silence
	}
	fmt.Fprintf(w, "%s: %s\n", s.ID, s.State)
	if s.Status != nil {
		var p workflows.Progress
		if s.Running != nil {
			p = *s.Running
		}
		fmt.Fprintln(w, statusLine(*s.Status, p, s.Running != nil, s.asking, 0))
		if n := len(s.Status.Points); n > 0 {
			last := s.Status.Points[n-1]
			fmt.Fprintf(w, "validation loss %.4f · top-1 %.3f · coverage %.3f\n", last.ValLoss, last.Top1, last.Coverage)
		}
	}
	for _, wait := range s.Waiting {
		fmt.Fprintln(w, wait)
	}
	if s.End != nil {
		fmt.Fprintln(w, s.End.say(s.ID))
	}
	return s.silence
}

func (s sight) printJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
