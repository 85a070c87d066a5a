package contrast

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Input is what is contrasted, and how.
type Input struct {
	Policies [2]routing.Policy // A and B
	Names    [2]string         // what to call them
	Bank     *evaluate.Programs
	Train    []routing.Instance // that the routers are fitted on
	Again    []routing.Instance // that they are fitted on a second time, to see what another fit changes
	Test     []routing.Instance // others, that everything is measured on
	Fit      sketch.RouterConfig
	// Starts says at whose first nodes all solutions begin: A's (0) or B's (1). A policy that learned from tours of
	// its own start alone would be asked in states that it never meets. EachOwn: each begins at its own.
	Starts int
	Doing  func(what string) // told what is being done, unless nil
}

// EachOwn is Input.Starts where each policy begins its solutions itself.
const EachOwn = -1

// keptTerms is how many terms of a router a contrast keeps.
const keptTerms = 10

// Compute fits a router to each policy and measures how they differ. The same input gives the same result.
func Compute(ctx context.Context, in Input) (*Contrast, error) {
	if in.Doing == nil {
		in.Doing = func(string) {}
	}
	b := in.Bank.Bank
	set, ok := features.Of(b.Problem, b.View, sdk.ClassLocal)
	if !ok {
		return nil, fmt.Errorf("contrast: there are no named features for %s with the %s view, which a router of two "+
			"policies needs", b.Problem, b.View)
	}
	var tauH *tensor.Dense
	var fits [2][2]*student.Model
	for n, insts := range [][]routing.Instance{in.Train, in.Again} {
		train, err := in.ask(ctx, "training", insts)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			tauH = sharedTauH(b.TauH(), in.Bank, train)
		}
		if fits[n], err = in.route(ctx, train, tauH); err != nil {
			return nil, err
		}
	}
	test, err := in.ask(ctx, "test", in.Test)
	if err != nil {
		return nil, err
	}
	in.Doing("comparing")
	d := &decisions{set: set, bank: b, data: test, tauH: tauH, routers: fits[0], seed: in.Fit.Seed}
	out := &Contrast{
		Problem: b.Problem, Names: in.Names,
		Nodes:  problems.Size(b.Problem, in.Test[0].N()),
		Way:    problems.Must(b.Problem).Traits().Way(),
		Starts: in.Starts, TrainInstances: len(in.Train), Instances: len(in.Test), Seed: in.Fit.Seed,
	}
	if err := d.decide(ctx, out, fits[1]); err != nil {
		return nil, fmt.Errorf("contrast: %w", err)
	}
	if out.Decisions == 0 {
		return nil, fmt.Errorf("contrast: the policies have no decision in common")
	}
	if err := d.programs(out); err != nil {
		return nil, fmt.Errorf("contrast: %w", err)
	}
	if err := d.read(); err != nil {
		return nil, fmt.Errorf("contrast: %w", err)
	}
	out.Conditions, out.Partings = d.conditions(), d.partings()
	if out.Examples, err = d.examples(); err != nil {
		return nil, fmt.Errorf("contrast: %w", err)
	}
	out.Findings = out.findings()
	return out, nil
}

// route fits a router to each policy.
func (in Input) route(ctx context.Context, sets [2]student.Dataset, tauH *tensor.Dense) (
	routers [2]*student.Model, err error,
) {
	b := in.Bank.Bank
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, b.Problem, b.View, len(b.Heuristics))
	for i := range routers {
		routers[i], err = sketch.Route(ctx, cfg, in.Fit, []student.Dataset{sets[i]}, tauH, func(done, total int) {
			in.Doing(fmt.Sprintf("routing for %s: epoch %d of %d", in.Names[i], done, total))
		})
		if err != nil {
			return routers, fmt.Errorf("contrast: %w", err)
		}
	}
	return routers, nil
}

// ask records both policies in the states of both, and scores the bank there.
func (in Input) ask(ctx context.Context, what string, insts []routing.Instance) (sets [2]student.Dataset, err error) {
	in.Doing(fmt.Sprintf("asking both policies on %d %s instances", len(insts), what))
	var starts []int
	if in.Starts != EachOwn {
		first, err := common(ctx, in.Policies[in.Starts:in.Starts+1], insts, nil)
		if err != nil {
			return sets, fmt.Errorf("contrast: %w", err)
		}
		for _, way := range first {
			starts = append(starts, int(way[0].Force[0]))
		}
	}
	ways, err := common(ctx, in.Policies[:], insts, starts)
	if err != nil {
		return sets, fmt.Errorf("contrast: %w", err)
	}
	for i, p := range in.Policies {
		sh, err := ask(ctx, p, insts, ways)
		if err != nil {
			return sets, fmt.Errorf("contrast: %s: %w", in.Names[i], err)
		}
		if i == 1 && alike(sets[0].Shard, sh) {
			sets[1] = student.Dataset{Shard: sh, Scores: sets[0].Scores}
			break
		}
		in.Doing("scoring the states of " + in.Names[i])
		if sets[i], err = in.Bank.Score(ctx, sh); err != nil {
			return sets, fmt.Errorf("contrast: %w", err)
		}
	}
	return sets, nil
}

// sharedTauH returns τ_h of the bank, float64 [M]. A program that was never fitted gets the geometric mean of the τ_h
// that fit it to either policy.
func sharedTauH(tauH *tensor.Dense, programs *evaluate.Programs, train [2]student.Dataset) *tensor.Dense {
	tau := dense.Must[float64]("τ_h", tauH, dense.Any)
	for m, h := range programs.Bank.Heuristics {
		if h.Unfitted {
			tau[m] = math.Sqrt(agreement.FitTauH(train[0].Shard, train[0].Scores[m], nil) *
				agreement.FitTauH(train[1].Shard, train[1].Scores[m], nil))
		}
	}
	return dense.Vector(tau)
}

// decide has both routers decide in the test states, and fills in how the policies and the routers agree.
func (d *decisions) decide(ctx context.Context, out *Contrast, again [2]*student.Model) error {
	a, b := d.data[0].Shard, d.data[1].Shard
	d.pairs, out.LeftOut = paired(a, b)
	out.Decisions = len(d.pairs)
	near, at := evaluate.Nearest(a), fifths(a)
	for _, p := range d.pairs {
		d.instance = append(d.instance, a.InstanceOf[a.Traj[p.a]])
		d.nearest, d.fifth = append(d.nearest, near[p.a]), append(d.fifth, at[p.a])
	}
	fitted := *d.bank
	fitted.Heuristics = slices.Clone(d.bank.Heuristics)
	fitted.SetTauH(d.tauH)
	for i, set := range d.data {
		first, err := evaluate.Decide(ctx, d.routers[i], &fitted, set)
		if err != nil {
			return err
		}
		second, err := evaluate.Decide(ctx, again[i], &fitted, set)
		if err != nil {
			return err
		}
		own := labels(set.Shard)
		for _, p := range d.pairs {
			s := p.of(i)
			d.choice[i], d.routed[i] = append(d.choice[i], own[s]), append(d.routed[i], first.Choices[s])
			d.w[i] = append(d.w[i], float64s(first.WeightsAt(s)))
			d.again[i] = append(d.again[i], float64s(second.WeightsAt(s)))
		}
		reading, err := evaluate.Inspect(ctx, d.routers[i], &fitted, set)
		if err != nil {
			return err
		}
		out.Routed[i].Fidelity, out.Routed[i].Activation = reading.Fidelity, reading.Activation
		if words := readable.Of(d.routers[i], d.bank); words != nil {
			first := words.First(keptTerms)
			out.Routed[i].Router = &first
		}
	}
	same := func(p int) bool { return d.choice[0][p] == d.choice[1][p] }
	out.Same = d.share(nil, same)
	for i := range out.SameIn { // each instance has a way of A, then one of B
		out.SameIn[i] = d.share(func(p int) bool { return int(a.Traj[d.pairs[p].a])%2 == i }, same)
	}
	for q := range out.Stages {
		out.Stages[q] = d.share(func(p int) bool { return d.fifth[p] == q }, same)
	}
	for i := range out.Routed {
		parted := func(p int) bool { return !same(p) }
		own := func(p int) bool { return d.routed[i][p] == d.choice[i][p] }
		other := func(p int) bool { return d.routed[i][p] == d.choice[1-i][p] }
		r := &out.Routed[i]
		r.Own, r.Other = d.share(nil, own), d.share(nil, other)
		r.PartedOwn, r.PartedOther = d.share(parted, own), d.share(parted, other)
	}
	return nil
}

func float64s(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// of returns the state's index in the shard of A (0) or B (1).
func (p pair) of(i int) int {
	if i == 0 {
		return p.a
	}
	return p.b
}
