package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// A run of days meets an LLM that does not answer and programs that crash. This file says how it goes on.

// retryWhileLLMUnavailable runs a round that asks the LLM. The round returns why the LLM is unavailable, or nothing. If
// it is and wait is set, the round runs again, with the number of the try, until the LLM answers or the run is told to
// stop. The pauses grow from 30 seconds to 10 minutes, and from then on are an eighth of the time waited, at most an
// hour: each try adds events, and Temporal ends a workflow of more than 51,200 events or 50 MiB. So a run of few shards
// waits for some three months, one of a thousand for two weeks.
func (d *distillation) retryWhileLLMUnavailable(
	ctx workflow.Context, wait bool, round func(try int) (waiting string, err error),
) error {
	pause, waited := 30*time.Second, time.Duration(0)
	for try := 0; !d.st.Stop; try++ {
		waiting, err := round(try)
		if err != nil {
			return err
		}
		d.note = ""
		if waiting == "" {
			return nil
		}
		if !wait {
			d.note = "goes on without LLM: " + waiting
			return nil
		}
		d.note = "waiting for LLM: " + waiting
		d.show(ctx, StageWaiting)
		if _, err := workflow.AwaitWithTimeout(ctx, pause, func() bool { return d.st.Stop }); err != nil {
			return err
		}
		waited += pause
		pause = min(2*pause, max(10*time.Minute, min(waited/8, time.Hour)))
	}
	d.note = "" // the run was told to stop: it waits no longer
	return nil
}

// expelCrashing runs a step in which programs meet new states. A program of the bank that crashes there is taken out of
// it, with an event, and the step runs again. Only the last program cannot be taken out: then the step's error stands.
func (d *distillation) expelCrashing(ctx workflow.Context, step func(workflow.Context) error) error {
	for {
		err := step(ctx)
		name, crash := crashed(err)
		if name == "" || d.st.Model.Size < 2 {
			return err
		}
		out, err := Expel.Run(ctx, d.caption("take out "+name), ExpelInput{
			Model: d.st.Model, Name: name, Reason: crash, Moment: d.st.Moment,
		})
		if err != nil {
			return err
		}
		d.apply(out)
	}
}
