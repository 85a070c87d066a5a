package activities

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// shownTours is how many test instances the report draws.
const shownTours = 4

// student returns the policy of a model, and what gives its programs back after use.
func (a *Activities) student(
	ctx context.Context, m workflows.Model, start startrule.Rule,
) (s *evaluate.Student, giveBack func(), err error) {
	b, err := a.Store.Bank(ctx, m.Bank)
	if err != nil {
		return nil, nil, err
	}
	model, err := a.Store.Model(ctx, m.Student)
	if err != nil {
		return nil, nil, err
	}
	modules, giveBack, err := a.Store.Programs(ctx, b.Heuristics)
	if err != nil {
		return nil, nil, err
	}
	return &evaluate.Student{Model: model, Programs: evaluate.NewPrograms(b, modules), Start: start}, giveBack, nil
}

// Evaluate solves the test instances with every policy and reads the student's decisions on the teacher's states there. The result is
// a report.Data without the run's own story.
func (a *Activities) Evaluate(ctx context.Context, in workflows.EvaluateInput) (store.Ref, error) {
	h := beat(ctx, "test instances")
	defer h.still()
	exam, err := a.exam(ctx, in, h)
	if err != nil {
		return store.Ref{}, err
	}
	t, insts := exam.teacher, exam.instances
	d := report.Data{Config: in.Config, Teacher: exam.about}
	if in.Config.Problem == routing.TSP { // CVRP tours begin at the depot
		if d.Start.Rule, d.Start.Agreement, d.Start.Ranking, err = a.startRule(ctx, in.Data.Train); err != nil {
			return store.Ref{}, err
		}
	}
	s, giveBack, err := a.student(ctx, in.Model, d.Start.Rule)
	if err != nil {
		return store.Ref{}, err
	}
	defer giveBack()
	d.Bank = s.Programs.Bank.Heuristics

	h.step("scoring the teacher's states")
	set, err := s.Programs.Score(ctx, exam.states)
	if err != nil {
		return store.Ref{}, err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return store.Ref{}, err
	}
	d.Fidelity, d.Activation = reading.Fidelity, reading.Activation
	options := evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: true, Baselines: true, Reading: &reading, Seed: in.Config.Seed,
		Progress: func(policy string, mode evaluate.Mode, done, total int) {
			h.step(fmt.Sprintf("%s, %s", policy, mode))
			h.at(done, total)
		},
	}
	greedy, err := evaluate.Compare(ctx, insts, t, s, options)
	if err != nil {
		return store.Ref{}, err
	}
	d.Table, d.Overlap = greedy.Table, greedy.Overlap
	if n := in.Config.Data.Search; n > 0 && len(in.Data.Test) == 0 { // rollouts tell nothing of other solutions
		options.Modes, options.Heuristics, options.Baselines, options.Reading = []evaluate.Mode{evaluate.PaperSearch(exam.about.Arch)}, false, false, nil
		search, err := evaluate.Compare(ctx, insts[:n], t, s, options)
		if err != nil {
			return store.Ref{}, err
		}
		mergeSearch(&d, search)
	}
	if d.Tours, err = tours(greedy, s, insts[:min(shownTours, len(insts))]); err != nil {
		return store.Ref{}, err
	}
	return a.Store.PutJSON(ctx, d)
}

// mergeSearch puts the results of the search next to the greedy ones of the same policy.
func mergeSearch(d *report.Data, search evaluate.Comparison) {
	for _, row := range search.Table.Rows {
		for i := range d.Table.Rows {
			if d.Table.Rows[i].Kind == row.Kind && d.Table.Rows[i].Name == row.Name {
				d.Table.Rows[i].MultiStart, d.Table.Rows[i].Searches = row.MultiStart, row.Searches
			}
		}
	}
	for mode, overlap := range search.Overlap {
		d.Overlap[mode] = overlap
	}
}

// startRule fits the student's first decision to the teacher's.
func (a *Activities) startRule(ctx context.Context, shards []workflows.Shard) (startrule.Rule, float64, []startrule.Scored, error) {
	train, err := a.Store.Shards(ctx, refs(shards))
	if err != nil {
		return startrule.None, 0, nil, err
	}
	return startrule.Fit(train)
}

// exam is what the policies are tested on.
type exam struct {
	teacher   routing.Policy
	about     report.Teacher
	instances []routing.Instance
	states    *rollout.Shard // the teacher's, on these instances
}

// exam has the teacher solve fresh instances, or takes the recorded ones that training never saw.
func (a *Activities) exam(ctx context.Context, in workflows.EvaluateInput, h *heart) (exam, error) {
	if len(in.Data.Test) > 0 {
		parts, err := a.Store.Shards(ctx, refs(in.Data.Test))
		if err != nil {
			return exam{}, err
		}
		sh, err := rollout.Concat(parts...)
		if err != nil {
			return exam{}, err
		}
		e := exam{teacher: rollout.Replay(sh), states: sh}
		e.about = report.Teacher{Name: sh.Teacher, Arch: "known by its rollouts", SHA256: in.Teacher.Hash}
		for i := range sh.Instances() {
			e.instances = append(e.instances, sh.Instance(i))
		}
		return e, nil
	}
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return exam{}, err
	}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return exam{}, err
	}
	t = t.ViaDepot(b.ViaDepot())
	info := t.Info()
	e := exam{teacher: t, about: report.Teacher{Name: t.Name(), Arch: info.Arch, Parameters: info.Parameters, SHA256: in.Teacher.Hash}}
	e.instances = generate(in.Config.Problem, in.Config.Nodes, in.Config.Data.Test, shardSeed(in.Config.Seed, testStream, 0))
	h.step("teacher on the test instances")
	runs := func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart, Record: true}} }
	e.states, err = rollout.Record(ctx, t, e.instances, runs, func(done int) { h.at(done, len(e.instances)) })
	return e, err
}

// tours explains the student's greedy tours next to the teacher's, as they were compared.
func tours(c evaluate.Comparison, s *evaluate.Student, insts []routing.Instance) ([]report.TourPair, error) {
	theirs := c.Tours[0][evaluate.Greedy]
	pairs := make([]report.TourPair, len(insts))
	for i := range insts {
		start := routing.OwnStart
		if c.Starts != nil {
			start = c.Starts[i]
		}
		ours, steps, err := s.Explain(&insts[i], start)
		if err != nil {
			return nil, err
		}
		pairs[i] = report.TourPair{
			Problem: insts[i].Problem, Instance: fmt.Sprintf("test instance %d", i), Coords: insts[i].Coords,
			Teacher: report.Tour{Actions: theirs.Tours[i], Cost: theirs.Costs[i]},
			Student: report.Tour{Actions: ours.Actions, Cost: ours.Cost, Steps: steps},
			Overlap: evaluate.EdgeOverlap(theirs.Tours[i], ours.Actions),
		}
	}
	return pairs, nil
}

// modelsOf names who wrote the programs of a bank, in bank order.
func modelsOf(hs []bank.Heuristic) []string {
	var models []string
	seen := map[string]bool{}
	for _, h := range hs {
		if m := h.Lineage.LLM; m != "" && !seen[m] {
			seen[m] = true
			models = append(models, m)
		}
	}
	return models
}
