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
	"syscall"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/epb-nco/epb/activities"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
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

// asksVersion parses the command line and reports whether it asks for the version. All settings are in the environment;
// see run.
func asksVersion(args []string) bool {
	flags := flag.NewFlagSet("epb-worker", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(),
			"epb-worker takes its settings from the environment (see epb doctor). The only flag is --version.")
	}
	asked := flags.Bool("version", false, "")
	_ = flags.Parse(args) // ends the program if it fails
	if flags.NArg() > 0 {
		flags.Usage()
		os.Exit(2)
	}
	return *asked
}

// run connects to Temporal, the store and the LLM that the environment names, or to the dev stack. It works until ctx
// ends or Temporal refuses to give it work.
func run(ctx context.Context) error {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	slog.SetDefault(logger) // the store and the activities report damage to the default logger
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
	a, polling, err := newActivities(ctx, local, c)
	if err != nil {
		return err
	}
	polling = append(polling, "temporal", opts.HostPort, "version", version.Commit(), "cores", runtime.GOMAXPROCS(0))
	p := pollers{client: c, address: opts.HostPort, activities: a, kernels: kernels.ID()}
	return p.poll(ctx, func() { logger.Info("epb-worker is polling", polling...) })
}

// newActivities opens the store, the compiler and the LLM. It also returns what the log should say about them.
func newActivities(
	ctx context.Context, local connect.Fallback, c client.Client,
) (_ *activities.Activities, says []any, err error) {
	storeConfig, err := connect.StoreConfig(local)
	if err != nil {
		return nil, nil, err
	}
	s, err := store.Open(ctx, storeConfig)
	if err != nil {
		return nil, nil, err
	}
	tools, err := compile.Find()
	if err != nil {
		return nil, nil, err
	}
	llmConfig, err := connect.LLMConfig(local)
	if err != nil {
		return nil, nil, err
	}
	model, err := llm.New(llmConfig)
	if err != nil {
		return nil, nil, err
	}
	tools.Shared = store.ProgramCache(s)
	memory.BoundWorker()
	cache := memory.ForCache()
	artifacts := artifact.New(s, tools, tensorops.CurrentIdentity(), cache)
	if dir := os.Getenv(scratch.Variable); dir != "" {
		if err := artifacts.Scratch(dir); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", scratch.Variable, err)
		}
	}
	answers := &llm.Cached{Client: model, Cache: store.AnswerCache(s)}
	a := activities.New(artifacts, answers, func(ctx context.Context, namespace string) bool {
		missing, err := connect.MissingSearchAttributes(ctx, c, namespace)
		if err != nil {
			slog.WarnContext(ctx, "a run keeps no search attributes: Temporal does not say which it knows",
				"namespace", namespace, "error", err)
		}
		return err == nil && len(missing) == 0
	})
	return a, []any{"store", storeConfig.URL(), "llm", llmConfig.BaseURL, "cache_mib", cache >> 20}, nil
}
