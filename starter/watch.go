package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/workflows"
)

func watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch [RUN]",
		Short: "Follow a distillation until it ends",
		Long:  "Follow a distillation, the latest by default: stage, epoch, losses, top-1, bank size, LLM calls and time left.\nLeaving with Ctrl-C does not stop the run.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), args, func(c client.Client, id string) error {
				return watch(cmd.Context(), cmd.ErrOrStderr(), c, id)
			})
		},
	}
}

// watch prints a line per change until the run ends, then how it ended.
func watch(ctx context.Context, w io.Writer, c client.Client, id string) error {
	ended := make(chan error, 1)
	var result workflows.Result
	go func() { ended <- c.GetWorkflow(ctx, id, "").Get(ctx, &result) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	screen := newScreen(w)
	var eta etaMeter
	points, events, paused, trouble := 0, 0, false, ""
	for {
		select {
		case err := <-ended:
			if ctx.Err() != nil {
				return leave(screen, id)
			}
			s, serr := queryStatus(ctx, c, id)
			if serr == nil {
				printNews(screen, s, &points, &events)
			}
			screen.clear()
			if err != nil {
				return describeEnd(id, err)
			}
			screen.line("%s done%s: %s", id, after(ctx, c, id, s.Started), result.Summary)
			return nil
		case <-ctx.Done():
			return leave(screen, id)
		case <-tick.C:
			s, err := queryStatus(ctx, c, id)
			if err != nil {
				if ctx.Err() == nil && err.Error() != trouble {
					trouble = err.Error()
					screen.line("%s", trouble)
				}
				continue
			}
			trouble = ""
			printNews(screen, s, &points, &events)
			if s.Paused != paused {
				paused = s.Paused
				screen.line("%s", map[bool]string{true: "paused: epb resume " + id + " goes on", false: "resumed"}[paused])
			}
			p, running := runningActivity(ctx, c, id)
			screen.status("%s", statusLine(s, p, running, eta.left(s, p)))
		}
	}
}

// after says how long an ended run took, where that can be told.
func after(ctx context.Context, c client.Client, id string, started time.Time) string {
	desc, err := c.DescribeWorkflowExecution(ctx, id, "")
	if err != nil || started.IsZero() {
		return ""
	}
	return " after " + desc.GetWorkflowExecutionInfo().GetCloseTime().AsTime().Sub(started).Round(time.Second).String()
}

// leave ends the watching, not the run.
func leave(screen *screen, id string) error {
	screen.clear()
	return fmt.Errorf("no longer watching; %s goes on (epb watch %s, epb stop %s)", id, id, id)
}

// printNews prints the epochs and events that came since the last call.
func printNews(screen *screen, s workflows.Status, points, events *int) {
	epochs := func(last int) {
		for ; *points < len(s.Points) && s.Points[*points].Epoch <= last; *points++ {
			p := s.Points[*points]
			screen.line("epoch %3d  train loss %.4f  val loss %.4f  top-1 %.3f  coverage %.3f  bank %d", p.Epoch, p.TrainLoss, p.ValLoss, p.Top1, p.Coverage, p.Bank)
		}
	}
	for ; *events < len(s.Events); *events++ {
		e := s.Events[*events]
		epochs(e.Epoch) // an event of an epoch comes after it
		screen.line("epoch %3d  %s %s  %s", e.Epoch, e.Kind, e.Name, e.Detail)
	}
	epochs(math.MaxInt)
}

func statusLine(s workflows.Status, p workflows.Progress, running bool, left time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · pass %d · epoch %d/%d · bank %d · LLM %s", s.Stage, s.Pass, s.Epoch, s.Epochs, s.Bank, s.Spend)
	if s.StandIn {
		b.WriteString(" (stand-in)")
	}
	if running && p.What != "" {
		fmt.Fprintf(&b, " · %s", p.What)
		if p.Total > 0 {
			fmt.Fprintf(&b, " %d%%", 100*p.Done/p.Total)
		}
	}
	if s.Paused && s.Stage != "paused" {
		b.WriteString(" · pauses after this step")
	}
	if s.Stop {
		b.WriteString(" · told to stop")
	}
	if s.Note != "" {
		fmt.Fprintf(&b, " · %s", s.Note)
	}
	if left > 0 {
		fmt.Fprintf(&b, " · at most %s left", left.Round(time.Second))
	}
	return b.String()
}

// describeEnd tells a failed, cancelled or terminated run apart.
func describeEnd(id string, err error) error {
	var app *temporal.ApplicationError
	switch {
	case errors.As(err, &app) && app.Type() == workflows.ErrBadInput:
		return fmt.Errorf("%s was refused: %s", id, app.Message())
	case errors.As(err, &app) && app.Type() == workflows.ErrFault:
		return fmt.Errorf("%s failed: %s", id, app.Message())
	case temporal.IsCanceledError(err):
		return fmt.Errorf("%s was cancelled", id)
	case temporal.IsTerminatedError(err):
		return fmt.Errorf("%s was terminated", id)
	default:
		return orNoRun(id, fmt.Errorf("%s failed: %w", id, err))
	}
}

// etaMeter measures how long an epoch takes and extrapolates to the last one allowed.
type etaMeter struct {
	since time.Time
	from  float64
}

func (m *etaMeter) left(s workflows.Status, p workflows.Progress) time.Duration {
	if s.Stage != "training" {
		return 0
	}
	epoch := float64(s.Epoch)
	if p.Train != nil {
		epoch += float64(len(p.Train.Points))
	}
	if p.Total > 0 {
		epoch += float64(p.Done) / float64(p.Total)
	}
	if m.since.IsZero() {
		m.since, m.from = time.Now(), epoch
	}
	if epoch <= m.from {
		return 0
	}
	perEpoch := time.Since(m.since).Seconds() / (epoch - m.from)
	return time.Duration((float64(s.Epochs) - epoch) * perEpoch * float64(time.Second))
}

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status [RUN]",
		Short: "Say where a distillation stands",
		Long: `Say once where a distillation, the latest by default, stands: stage, epoch, bank size, LLM calls, what runs now, and how well the
student agreed with the teacher when it was last measured. epb watch goes on saying it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), args, func(c client.Client, id string) error {
				return printRun(cmd.Context(), cmd.OutOrStdout(), c, id)
			})
		},
	}
}

func printRun(ctx context.Context, w io.Writer, c client.Client, id string) error {
	desc, err := c.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return orNoRun(id, fmt.Errorf("describe %s: %w", id, err))
	}
	state := desc.WorkflowExecutionInfo.Status
	running := state == enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	s, silence := queryStatus(ctx, c, id)
	if silence != nil && running {
		return silence
	}
	fmt.Fprintf(w, "%s: %s\n", id, strings.ToLower(state.String()))
	if silence != nil {
		return printEnd(ctx, w, c, id)
	}
	var p workflows.Progress
	if running {
		p, running = runningActivity(ctx, c, id)
	}
	fmt.Fprintln(w, statusLine(s, p, running, 0))
	if n := len(s.Points); n > 0 {
		last := s.Points[n-1]
		fmt.Fprintf(w, "validation loss %.4f · top-1 %.3f · coverage %.3f\n", last.ValLoss, last.Top1, last.Coverage)
	}
	return nil
}

// printEnd says how a run ended, which Temporal knows without a worker.
func printEnd(ctx context.Context, w io.Writer, c client.Client, id string) error {
	var result workflows.Result
	err := c.GetWorkflow(ctx, id, "").Get(ctx, &result)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		fmt.Fprintln(w, describeEnd(id, err))
	default:
		fmt.Fprintln(w, result.Summary)
	}
	return nil
}

// signalCommand sends one of the signals a distillation listens to.
func signalCommand(signal string) *cobra.Command {
	help := map[string]struct{ short, long string }{
		workflows.SignalPause: {"Pause a distillation before its next step",
			"Pause a distillation, the latest by default: the step that runs is finished, the next one waits for epb resume."},
		workflows.SignalResume: {"Go on with a paused distillation", "Go on with a paused distillation, the latest by default."},
		workflows.SignalStop: {"End a distillation after its running segment: anneal, evaluate, report",
			"End a distillation, the latest by default, early but in order: after its running segment it anneals, evaluates and reports\nas if its limits had been reached."},
	}[signal]
	return &cobra.Command{
		Use:   signal + " [RUN]",
		Short: help.short,
		Long:  help.long,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), args, func(c client.Client, id string) error {
				if err := c.SignalWorkflow(cmd.Context(), id, "", signal, nil); err != nil {
					return fmt.Errorf("%s %s: %w", signal, id, err)
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s requested\n", id, signal)
				return nil
			})
		},
	}
}
