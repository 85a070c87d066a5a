// Command epb-worker runs the workflows and activities of distillations.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/activities"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "epb-worker:", err)
		os.Exit(1)
	}
}

// run connects to Temporal, the store and the LLM as the environment says, or else the dev stack, and works until ctx ends.
func run(ctx context.Context) error {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	dir := devstack.DefaultDir()
	opts, err := devstack.TemporalOptions(dir)
	if err != nil {
		return err
	}
	opts.Logger = log.NewStructuredLogger(logger)
	c, err := devstack.Dial(ctx, opts)
	if err != nil {
		return err
	}
	defer c.Close()
	storeConfig, err := devstack.StoreConfig(dir)
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
	llmConfig, err := devstack.LLMConfig(dir)
	if err != nil {
		return err
	}
	model, err := llm.New(llmConfig)
	if err != nil {
		return err
	}
	a := activities.New(s, &llm.Cached{Client: model, Cache: activities.AnswerCache{Store: s}}, tools, c)

	flow := worker.New(c, workflows.Queue, worker.Options{})
	workflows.Register(flow)
	// Compute activities use all cores: two at a time overlap one's reading with the other's arithmetic.
	compute := worker.New(c, workflows.ComputeQueue, worker.Options{MaxConcurrentActivityExecutionSize: 2, DisableWorkflowWorker: true})
	a.RegisterCompute(compute)
	ask := worker.New(c, workflows.LLMQueue, worker.Options{MaxConcurrentActivityExecutionSize: 8, DisableWorkflowWorker: true})
	a.RegisterLLM(ask)
	for _, w := range []worker.Worker{flow, compute, ask} {
		if err := w.Start(); err != nil {
			return err
		}
		defer w.Stop()
	}
	logger.Info("epb-worker is polling", "temporal", opts.HostPort, "store", storeConfig.URL(), "llm", llmConfig.BaseURL, "cores", runtime.GOMAXPROCS(0))
	<-ctx.Done()
	return nil
}
