package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/terminal"
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
	screen := terminal.NewScreen(w)
	var eta etaMeter
	var held holdUps
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
			screen.Clear()
			if err != nil {
				return describeEnd(ctx, c, id, err)
			}
			screen.Line("%s done%s: %s", id, after(ctx, c, id, s.Started), terminal.Redacted(result.Summary))
			return nil
		case <-ctx.Done():
			return leave(screen, id)
		case <-tick.C:
			s, err := queryStatus(ctx, c, id)
			if err != nil {
				if ctx.Err() != nil {
					continue
				}
				if err.Error() != trouble {
					trouble = err.Error()
					screen.Line("%s", trouble)
				}
				held.print(screen, lookPending(ctx, c, id, false).waits)
				continue
			}
			trouble = ""
			printNews(screen, s, &points, &events)
			if s.Paused != paused {
				paused = s.Paused
				screen.Line("%s", map[bool]string{true: "paused: epb resume " + id + " goes on", false: "resumed"}[paused])
			}
			now := lookPending(ctx, c, id, true)
			held.print(screen, now.waits)
			screen.Status("%s", now.line(s, &eta))
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
func leave(screen *terminal.Screen, id string) error {
	screen.Clear()
	return fmt.Errorf("no longer watching; %s goes on (epb watch %s, epb stop %s)", id, id, id)
}

// printNews prints the epochs and events that came since the last call.
func printNews(screen *terminal.Screen, s workflows.Status, points, events *int) {
	epochs := func(last int) {
		for ; *points < len(s.Points) && s.Points[*points].Epoch <= last; *points++ {
			p := s.Points[*points]
			screen.Line("epoch %3d  train loss %.4f  val loss %.4f  top-1 %.3f  coverage %.3f  bank %d", p.Epoch, p.TrainLoss, p.ValLoss, p.Top1, p.Coverage, p.Bank)
		}
	}
	for ; *events < len(s.Events); *events++ {
		e := s.Events[*events]
		epochs(e.Epoch) // an event of an epoch comes after it
		screen.Line("epoch %3d  %s %s  %s", e.Epoch, e.Kind, terminal.Redacted(e.Name), terminal.Redacted(e.Detail))
	}
	epochs(math.MaxInt)
}

func statusLine(s workflows.Status, p workflows.Progress, running bool, asking time.Time, left time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · pass %d · %s · bank %d · LLM %s", s.Stage, s.Pass, s.EpochWords(), s.Bank, s.Spend)
	if s.StandIn {
		b.WriteString(" (stand-in)")
	}
	if running && p.What != "" {
		fmt.Fprintf(&b, " · %s", p.What)
		if p.Total > 0 {
			fmt.Fprintf(&b, " %d%%", 100*p.Done/p.Total)
		}
		if !asking.IsZero() {
			fmt.Fprintf(&b, " for %s", time.Since(asking).Round(time.Second))
		}
	}
	if s.Paused && s.Stage != workflows.StagePaused {
		b.WriteString(" · pauses after this step")
	}
	if s.Stop {
		b.WriteString(" · told to stop")
	}
	if s.Note != "" {
		fmt.Fprintf(&b, " · %s", terminal.Redacted(s.Note))
	}
	if left > 0 {
		fmt.Fprintf(&b, " · at most %s left", left.Round(time.Second))
	}
	return b.String()
}

// line is the status line of a run that goes on.
func (p pending) line(s workflows.Status, eta *etaMeter) string {
	var now workflows.Progress
	if p.running != nil {
		now = *p.running
	}
	s.Spend = s.Spend.Plus(p.spent)
	line := statusLine(s, now, p.running != nil, p.asking, eta.left(s, now))
	for _, w := range p.waits {
		line += " · " + w.String()
	}
	return line
}

// holdUps are what a run is held up by, as far as it was printed.
type holdUps map[string]bool

// print prints what is new. A step that fails again and again by the same cause is one hold-up.
func (h *holdUps) print(screen *terminal.Screen, waits []wait) {
	still := holdUps{}
	for _, w := range waits {
		if w.Kind == waitTurn {
			continue
		}
		key := w.Step + "\n" + w.Reason
		still[key] = true
		if !(*h)[key] {
			screen.Line("%s", w)
		}
	}
	*h = still
}

// etaMeter measures how long an epoch takes and extrapolates to the last one allowed.
type etaMeter struct {
	since time.Time
	from  float64
}

func (m *etaMeter) left(s workflows.Status, p workflows.Progress) time.Duration {
	if s.Stage != workflows.StageTraining {
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
