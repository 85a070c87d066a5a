package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

func runsCommand() *cobra.Command {
	var asJSON bool
	var most int
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List distillations, running and ended",
		Long: `List the distillations that Temporal knows, the one started last first: teacher, age, epoch, top-1, programs, what the
LLM was asked, and stage or how it ended. No worker is needed for it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if most < 1 {
				return fmt.Errorf("--most %d: want at least 1", most)
			}
			c, err := dialTemporal(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			runs, more, err := findRuns(cmd.Context(), c, most)
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(runs)
			}
			printRuns(cmd.OutOrStdout(), runs, more, time.Now())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&most, "most", 30, "list so `many` at most")
	return cmd
}

// listing is a run in the list. What is not known of it is left out.
type listing struct {
	ID      string           `json:"id"`
	State   string           `json:"state"`
	Teacher string           `json:"teacher,omitempty"`
	Stage   string           `json:"stage,omitempty"`
	Note    string           `json:"note,omitempty"` // what it waits for, in its own words
	Waiting []wait           `json:"waiting,omitempty"`
	End     *end             `json:"end,omitempty"`
	Epoch   int              `json:"epoch,omitempty"`
	Top1    *float64         `json:"top1,omitempty"` // of the validation states
	Bank    int              `json:"bank,omitempty"`
	Spend   *workflows.Spend `json:"spend,omitempty"`
	Started time.Time        `json:"started"`
	Ended   *time.Time       `json:"ended,omitempty"`
}

// findRuns lists the last runs, and says how many more there are.
func findRuns(ctx context.Context, c client.Client, most int) (runs []listing, more int, err error) {
	all, err := listed(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	runs = []listing{}
	answers := !noWorker(ctx, c)
	for _, info := range all[:min(most, len(all))] {
		r := list(info)
		if info.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
			r.look(ctx, c, answers)
		} else {
			e, err := endOf(ctx, c, r.ID, info.Execution.GetRunId())
			if err != nil {
				return nil, 0, err
			}
			r.End = &e
		}
		runs = append(runs, r)
	}
	return runs, len(all) - len(runs), nil
}

// look adds what holds a run up that goes on, and what its round has spent.
func (r *listing) look(ctx context.Context, c client.Client, answers bool) {
	p := lookPending(ctx, c, r.ID, answers)
	r.Waiting = p.waits
	if !answers {
		none := "no worker answers on task queue " + workflows.Queue
		r.Waiting = append(r.Waiting, wait{Kind: waitWorker, Step: "the run", Count: 1, Reason: none})
	}
	if r.Spend != nil {
		*r.Spend = r.Spend.Plus(p.spent)
	}
}

// list reads what Temporal's list has of a run: its memo, or search attributes where the run keeps none and the server
// knows them.
func list(info *workflow.WorkflowExecutionInfo) listing {
	r := listing{ID: info.Execution.GetWorkflowId(), State: words(info.Status.String()), Started: info.StartTime.AsTime()}
	if info.CloseTime != nil {
		t := info.CloseTime.AsTime()
		r.Ended = &t
	}
	attribute(info.SearchAttributes, workflows.AttrTeacher, &r.Teacher)
	s := remembered(info.Memo)
	if s == nil {
		attribute(info.SearchAttributes, workflows.AttrStage, &r.Stage)
		attribute(info.SearchAttributes, workflows.AttrBank, &r.Bank)
		attribute(info.SearchAttributes, workflows.AttrTop1, &r.Top1)
		return r
	}
	r.Teacher, r.Stage, r.Note = cmp.Or(r.Teacher, s.Teacher), string(s.Stage), terminal.Redacted(s.Note)
	r.Epoch, r.Bank, r.Spend = s.Epoch, s.Bank, &s.Spend
	if !s.Started.IsZero() {
		r.Started = s.Started // of its first execution
	}
	if n := len(s.Points); n > 0 {
		r.Top1 = &s.Points[n-1].Top1
	}
	return r
}

// attribute reads a search attribute, where there is one.
func attribute(from *common.SearchAttributes, key temporal.SearchAttributeKey, to any) {
	if value, ok := from.GetIndexedFields()[key.GetName()]; ok {
		_ = json.Unmarshal(value.GetData(), to) // one of another type is none
	}
}

// stands says in a cell where a run stands or how it ended.
func (r listing) stands() string {
	if r.End == nil {
		text := cmp.Or(r.Stage, r.State)
		for _, w := range r.Waiting {
			text += ", " + terminal.Brief(w.String())
		}
		if r.Note != "" && r.Note != text {
			text += " (" + terminal.Brief(r.Note) + ")"
		}
		return text
	}
	if r.End.State == endCompleted {
		return "done"
	}
	text := r.End.State
	if r.End.Reason != "" {
		text += ": " + terminal.Brief(r.End.Reason)
	}
	return text
}

func printRuns(w io.Writer, runs []listing, more int, now time.Time) {
	if len(runs) == 0 {
		fmt.Fprintln(w, "There is no distillation yet. Start one with: epb start --config examples/demo.yaml")
		return
	}
	var table terminal.Table
	table.Row("run", "teacher", "age", "epoch", "top-1", "bank", "LLM", "stage or end")
	for _, r := range runs {
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
		table.Row(terminal.Redacted(r.ID), terminal.Redacted(r.Teacher), age(now.Sub(r.Started)), epoch, top1, bank, spend, r.stands())
	}
	table.Fprint(w)
	if more > 0 {
		fmt.Fprintf(w, "\n%d more: epb runs --most %d\n", more, more+len(runs))
	}
}

// age says a time in its largest unit.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}
