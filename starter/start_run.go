package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/pace"
	"github.com/epb-nco/epb/internal/preflight"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// startOptions are the flags of epb start that are not about the config.
type startOptions struct {
	id                    string
	dryRun, offline, wait bool
}

// start checks the inputs, uploads local files, and starts the workflow.
func start(ctx context.Context, stdout, stderr io.Writer, cfg config.Distill, o startOptions) error {
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "Checking the teacher and every program of the bank ...")
	cfg, fetch, err := resolve(ctx, cfg)
	if err != nil {
		return err
	}
	checked, err := input.Check(ctx, cfg, tools, fetch)
	if err != nil {
		return err
	}
	if err := preview(ctx, stderr, cfg, checked, tools, o); err != nil || o.dryRun {
		return err
	}
	id := o.id
	s, err := locate.NewStore(ctx)
	if err != nil {
		return err
	}
	r, err := locate.Temporal(ctx)
	if err != nil {
		return err
	}
	defer r.Client.Close()
	if cfg, err = checked.Upload(ctx, cfg, func(ctx context.Context, data []byte) (string, error) {
		ref, err := s.Put(ctx, data)
		return ref.Address(), err
	}); err != nil {
		return err
	}
	if id == "" {
		id = fmt.Sprintf("%s-%s", cfg.Name, time.Now().UTC().Format("20060102-150405"))
	}
	if err := r.Start(ctx, id, cfg, checked.TeacherName()); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "\nStarted %s.\n", id)
	stack, err := devstack.Load(devstack.DefaultDir())
	if at, _ := connect.TemporalOptions(locate.Servers()); err == nil && stack.Temporal == at.HostPort {
		fmt.Fprintf(stderr, "Temporal UI: %s/namespaces/%s/workflows/%s\n", stack.TemporalUIURL(), r.Namespace, id)
	}
	fmt.Fprintln(stdout, id)
	if !o.wait {
		fmt.Fprintf(stderr, "Watch it with: epb watch %s\n", id)
		return nil
	}
	return watch(ctx, stderr, r, id)
}

// previewCost prints what the language models of a run would cost.
func previewCost(ctx context.Context, w io.Writer, cfg config.Distill, begin *bank.Bank) error {
	e, err := estimateOnScreen(ctx, w, cfg, begin)
	if err != nil {
		return err
	}
	if len(e.Unpriced) > 0 {
		fmt.Fprintf(w, "           llm.prices has no %s, so that the cost is not known\n",
			strings.Join(slices.Sorted(maps.Keys(e.Unpriced)), ", "))
		return nil
	}
	fmt.Fprintf(w, "           %.2f USD at llm.prices with answers as long as the stand-in's, %.2f USD at the very "+
		"most (epb estimate)\n", e.Total.USD(), e.Longest.USD())
	return nil
}

// preview prints the plan of a run. It fails if the run's servers are not usable.
func preview(
	ctx context.Context, w io.Writer, cfg config.Distill, in *input.Checked, tools *compile.Toolchain, o startOptions,
) error {
	found := preflight.Offline(devstack.DefaultDir())
	if !o.offline {
		found = preflight.Servers(ctx, devstack.DefaultDir(), o.id)
	}
	fmt.Fprint(w, terminal.Text(preflight.Plan(cfg, in))) // a file of rollouts names its policy
	if in.Estimate(cfg).MaxLLMCalls > 0 {
		for _, line := range found.Models(ctx, cfg) {
			fmt.Fprintf(w, "           %s\n", line)
		}
		if o.dryRun && !found.StandIn {
			if err := previewCost(ctx, w, cfg, in.Bank); err != nil {
				return err
			}
		}
	}
	if o.dryRun {
		p, err := meanwhile(ctx, terminal.NewScreen(w), "measuring the pace", func() (pace.Pace, error) {
			return pace.Measure(ctx, cfg, in, tools)
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "Time       %s\nDisk       %s\n", p, p.Disk())
	}
	for _, warning := range found.Warnings {
		fmt.Fprintf(w, "Warning    %s\n", warning)
	}
	if err := found.Err(); err != nil {
		if o.dryRun && found.Away {
			err = fmt.Errorf("%w\nepb start --dry-run --offline checks what needs no server", err)
		}
		return err
	}
	if o.dryRun {
		fmt.Fprintf(w, "\n%s\n", found.Closing(cfg))
	}
	return nil
}
