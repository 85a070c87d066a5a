package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

func watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch [RUN]",
		Short: "Follow a distillation until it ends",
		Long: "Follow a distillation, the latest by default: stage, epoch, losses, top-1, bank size, LLM calls and " +
			"time left.\nLeaving with Ctrl-C does not stop the run. Of one that has completed and that Temporal has " +
			"forgotten, the object store\nstill tells how it ended.",
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return locate.Argument(args).Run(cmd.Context(), func(r *runs.Reader, id string) error {
				err := watch(cmd.Context(), cmd.ErrOrStderr(), r, id)
				if !errors.Is(err, runs.ErrUnknown) {
					return err
				}
				s, err := forgotten(cmd.Context(), id, err)
				if err != nil {
					return err
				}
				return printStatus(cmd.ErrOrStderr(), s)
			})
		},
	}
}

// watch prints a line per change until the run ends, then how it ended.
func watch(ctx context.Context, w io.Writer, r *runs.Reader, id string) error {
	ended := make(chan error, 1)
	var result workflows.Result
	go func() {
		var err error
		result, err = r.Wait(ctx, id)
		ended <- err
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	screen := terminal.NewScreen(w)
	var held runs.HoldUps
	points, events, paused, trouble := 0, 0, false, ""
	for {
		select {
		case err := <-ended:
			if ctx.Err() != nil {
				return leave(screen, id)
			}
			s, serr := r.Status(ctx, id)
			if serr == nil {
				printNews(screen, s, &points, &events)
			}
			screen.Clear()
			if err != nil {
				return err
			}
			took := r.Took(ctx, id, s.Started)
			if took != "" {
				took = " after " + took
			}
			screen.Line("%s done%s: %s", id, took, terminal.Redacted(result.Summary))
			return nil
		case <-ctx.Done():
			return leave(screen, id)
		case <-tick.C:
			s, err := r.Status(ctx, id)
			if err != nil {
				if ctx.Err() != nil {
					continue
				}
				if err.Error() != trouble {
					trouble = err.Error()
					screen.Line("%s", trouble)
				}
				printWaits(screen, held.New(r.Pending(ctx, id, false).Waits))
				continue
			}
			trouble = ""
			printNews(screen, s, &points, &events)
			if s.Paused != paused {
				paused = s.Paused
				screen.Line("%s", map[bool]string{true: "paused: epb resume " + id + " goes on",
					false: "resumed"}[paused])
			}
			now := r.Pending(ctx, id, true)
			printWaits(screen, held.New(now.Waits))
			screen.Status("%s", now.Line(s))
		}
	}
}

// leave stops watching; the run goes on.
func leave(screen *terminal.Screen, id string) error {
	screen.Clear()
	return fmt.Errorf("no longer watching; %s goes on (epb watch %s, epb stop %s)", id, id, id)
}

func printWaits(screen *terminal.Screen, waits []runs.Wait) {
	for _, wait := range waits {
		screen.Line("%s", wait)
	}
}

// printNews prints the epochs and events that came since the last call.
func printNews(screen *terminal.Screen, s workflows.Status, points, events *int) {
	epochs := func(last int) {
		for ; *points < len(s.Points) && s.Points[*points].Epoch <= last; *points++ {
			p := s.Points[*points]
			screen.Line("epoch %3d  train loss %.4f  val loss %.4f  top-1 %.1f %%  coverage %.3f  bank %d", p.Epoch,
				p.TrainLoss, p.ValLoss, 100*p.Top1, p.Coverage, p.Bank)
		}
	}
	for ; *events < len(s.Events); *events++ {
		e := s.Events[*events]
		epochs(e.Epoch) // an event of an epoch comes after it
		screen.Line("epoch %3d  %s %s  %s", e.Epoch, e.Kind, terminal.Redacted(e.Name), terminal.Redacted(e.Detail))
	}
	epochs(math.MaxInt)
}
