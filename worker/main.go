// Command epb-worker runs the workflows and activities of distillations.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/activities"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the worker at once
	if asksVersion(os.Args[1:]) {
		fmt.Println("epb-worker", version.Line())
		return
	}
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "epb-worker:", err)
		os.Exit(1)
	}
}

// asksVersion reads the command line. The environment says everything else; see run.
func asksVersion(args []string) bool {
	flags := flag.NewFlagSet("epb-worker", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "epb-worker takes its settings from the environment (see epb doctor). The only flag is --version.")
	}
	asked := flags.Bool("version", false, "")
	_ = flags.Parse(args) // ends the program where it fails
	if flags.NArg() > 0 {
		flags.Usage()
		os.Exit(2)
	}
	return *asked
}

// answerGrace is how long a worker that is told to end waits for answers of the LLM that are on their way, since they are paid for. It
// is less than what `epb dev down` waits for the worker.
const answerGrace = 15 * time.Second

// run connects to Temporal, the store and the LLM as the environment says, or else the dev stack, and works until ctx ends or Temporal
// refuses to give it work.
func run(ctx context.Context) error {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	slog.SetDefault(logger) // what the store and the activities note of damage goes the same way
	if err := tensorops.Check(); err != nil {
		return err
	}
	kernels := tensorops.CurrentIdentity()
	logger.Info("numeric kernels", "kernels", kernels.ID(), "library", kernels.Library, "arch", kernels.Arch)
	if idle := tensorops.Idle(); idle != "" {
		logger.Warn(idle)
	}
	local := devstack.Servers(devstack.DefaultDir())
	opts, err := connect.TemporalOptions(local)
	if err != nil {
		return err
	}
	opts.Identity = fleet.Identity()
	opts.Logger = log.NewStructuredLogger(logger)
	c, err := connect.Dial(ctx, opts)
	if err != nil {
		return err
	}
	defer c.Close()
	storeConfig, err := connect.StoreConfig(local)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, storeConfig)
	if err != nil {
		return err
	}
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	llmConfig, err := connect.LLMConfig(local)
	if err != nil {
		return err
	}
	model, err := llm.New(llmConfig)
	if err != nil {
		return err
	}
	tools.Shared = store.ProgramCache(s)
	memory := memoryForCache()
	artifacts := artifact.New(s, tools, tensorops.CurrentIdentity(), memory)
	answers := &llm.Cached{Client: model, Cache: store.AnswerCache(s)}
	a := activities.New(artifacts, answers, func(ctx context.Context, namespace string) bool {
		missing, err := connect.MissingSearchAttributes(ctx, c, namespace)
		return err == nil && len(missing) == 0
	})

	refused := make(chan error, 1)
	onFatal := func(err error) {
		select {
		case refused <- err:
		default: // another one says enough
		}
	}
	flow := worker.New(c, workflows.Queue, worker.Options{Interceptors: workflows.Interceptors(), OnFatalError: onFatal})
	workflows.Register(flow)
	// Compute activities use all cores: two at a time overlap one's reading with the other's arithmetic.
	// A run stays with the kernels of the worker that prepared it, so both queues exist once for those and once for all.
	workers := []worker.Worker{flow}
	for _, id := range []string{"", kernels.ID()} {
		compute := worker.New(c, workflows.QueueFor(workflows.ComputeQueue, id), worker.Options{
			MaxConcurrentActivityExecutionSize: 2, DisableWorkflowWorker: true,
			MaxHeartbeatThrottleInterval: activities.Beat, OnFatalError: onFatal,
		})
		ask := worker.New(c, workflows.QueueFor(workflows.LLMQueue, id), worker.Options{
			MaxConcurrentActivityExecutionSize: 8, DisableWorkflowWorker: true, WorkerStopTimeout: answerGrace,
			MaxHeartbeatThrottleInterval: activities.Beat, OnFatalError: onFatal,
		})
		a.Register(workflows.Workers{Compute: compute, LLM: ask})
		workers = append(workers, compute, ask)
	}
	var stopping sync.WaitGroup
	defer stopping.Wait()
	for _, w := range workers {
		if err := w.Start(); err != nil {
			return err
		}
		defer stopping.Go(w.Stop) // all at once: none takes up more while another one waits
	}
	logger.Info("epb-worker is polling", "temporal", opts.HostPort, "store", storeConfig.URL(), "llm", llmConfig.BaseURL,
		"version", version.Commit(), "cores", runtime.GOMAXPROCS(0), "cache_mib", memory>>20)
	select {
	case err := <-refused:
		return fmt.Errorf("no more work from Temporal at %s: %w", opts.HostPort, err)
	case <-ctx.Done():
		logger.Info("epb-worker is stopping", "waits_for_answers", answerGrace)
		return nil
	}
}
