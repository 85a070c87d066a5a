package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/activities"
	"github.com/epb-nco/epb/workflows"
)

// answerGrace is how long a worker that must end waits for answers of the LLM to questions already asked, since they
// are paid for. It is less than the time that `epb dev down` waits for the worker.
const answerGrace = 15 * time.Second

// pollers is the data with which this process polls Temporal.
type pollers struct {
	client     client.Client
	address    string // of Temporal
	activities *activities.Activities
	kernels    string // numeric kernels of this process, see workflows.QueueFor
}

// workers returns a worker per task queue. Workers call onFatal when Temporal refuses them for good.
//
// A run stays with the kernels of the worker that prepared it. So each queue of activities is polled twice: for tasks
// of these kernels, and for tasks of any kernels.
func (p pollers) workers(onFatal func(error)) []worker.Worker {
	flow := worker.New(p.client, workflows.Queue, worker.Options{
		Interceptors: workflows.Interceptors(), OnFatalError: onFatal,
	})
	workflows.Register(flow)
	all := []worker.Worker{flow}
	for _, kernels := range []string{"", p.kernels} {
		compute := worker.New(p.client, workflows.QueueFor(workflows.ComputeQueue, kernels), worker.Options{
			// A compute activity uses all cores. With two of a queue at a time, one reads while the other one computes.
			// The queue of any kernels is mostly empty: it has what prepares a run.
			MaxConcurrentActivityExecutionSize: 2, DisableWorkflowWorker: true,
			MaxHeartbeatThrottleInterval: activities.Beat, OnFatalError: onFatal,
		})
		ask := worker.New(p.client, workflows.QueueFor(workflows.LLMQueue, kernels), worker.Options{
			MaxConcurrentActivityExecutionSize: 8, DisableWorkflowWorker: true, WorkerStopTimeout: answerGrace,
			MaxHeartbeatThrottleInterval: activities.Beat, OnFatalError: onFatal,
		})
		p.activities.Register(workflows.Workers{Compute: compute, LLM: ask})
		all = append(all, compute, ask)
	}
	return all
}

// poll works until ctx ends or Temporal refuses to give work. It calls started once every worker polls.
func (p pollers) poll(ctx context.Context, started func()) error {
	refused := make(chan error, 1)
	workers := p.workers(func(err error) {
		select {
		case refused <- err:
		default: // the first error is enough
		}
	})
	var stopping sync.WaitGroup
	defer stopping.Wait()
	for _, w := range workers {
		if err := w.Start(); err != nil {
			return err
		}
		defer stopping.Go(w.Stop) // all at once, so that none takes more work while it waits for another to stop
	}
	started()
	select {
	case err := <-refused:
		return fmt.Errorf("no more work from Temporal at %s: %w", p.address, err)
	case <-ctx.Done():
		slog.Info("epb-worker is stopping", "waits_for_answers", answerGrace)
		return nil
	}
}
