package activities

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/workflows"
)

// shownTours is how many test instances the report draws.
const shownTours = 4

// Evaluate solves the test instances with every policy and reads the student's decisions on the teacher's states there.
// The result is a report.Data without the run's own story.
func (a *Activities) Evaluate(ctx context.Context, in workflows.EvaluateInput) (store.Ref, error) {
	hb := startHeartbeat(ctx, "test instances")
	defer hb.stop()
	test, err := a.testSet(ctx, in, hb)
	if err != nil {
		return store.Ref{}, err
	}
	d := report.Data{Config: in.Config, Teacher: test.about}
	if d.Start, err = a.startRule(ctx, in); err != nil {
		return store.Ref{}, err
	}
	hb.step("the teacher's habits")
	profile, err := teacherHabits(ctx, a.Store, in.Data)
	if err != nil {
		return store.Ref{}, err
	}
	d.Habits = &profile
	s, giveBack, err := policyOf(ctx, a.Store, in.Model, d.Start.Rule)
	if err != nil {
		return store.Ref{}, err
	}
	defer giveBack()
	d.Bank = s.Programs.Bank.Heuristics
	if router := readable.Of(s.Model, s.Programs.Bank); router != nil {
		first := router.First(report.RouterTerms)
		d.Router = &first
	}

	hb.step("scoring the teacher's states")
	set, err := s.Programs.Score(ctx, test.states)
	if err != nil {
		return store.Ref{}, err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return store.Ref{}, err
	}
	d.Fidelity, d.Activation = reading.Fidelity, reading.Activation
	progress := func(policy string, mode evaluate.Mode, done, total int) {
		hb.step(fmt.Sprintf("%s, %s", policy, mode))
		hb.at(done, total)
	}
	rivals, err := a.rivals(ctx, in, test, d.Start.Rule, hb)
	if err != nil {
		return store.Ref{}, err
	}
	results, err := evaluate.Compare(ctx, test.instances, test.teacher, s, evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: true, Baselines: true, Reading: &reading,
		Rivals: rivals, Seed: in.Config.Seed, Progress: progress,
	})
	if err != nil {
		return store.Ref{}, err
	}
	if n := in.Config.Data.Search; n > 0 && len(in.Data.Test) == 0 { // rollouts tell nothing of other solutions
		search, err := evaluate.Compare(ctx, test.instances[:n], test.teacher, s, evaluate.Options{
			Modes: []evaluate.Mode{paper.Search(test.about.Arch)}, Seed: in.Config.Seed, Progress: progress,
		})
		if err != nil {
			return store.Ref{}, err
		}
		results.AddSearch(search)
	}
	d.Table, d.Overlap = results.Table, results.Overlap
	shown := test.instances[:min(shownTours, len(test.instances))]
	if d.Tours, err = report.PairTours(results, s, shown); err != nil {
		return store.Ref{}, err
	}
	if d.Certificate, err = certificate(ctx, in, test, s, rivals, hb); err != nil {
		return store.Ref{}, err
	}
	hb.step("why the student takes its steps")
	if err := d.Explain(ctx, a.Store.Compiler, results, s, test.checkpoint, shown); err != nil {
		return store.Ref{}, err
	}
	return a.Store.PutJSON(ctx, d)
}

// startRule fits the student's first decision to the teacher's, where there is one to make.
func (a *Activities) startRule(ctx context.Context, in workflows.EvaluateInput) (report.StartRule, error) {
	if problems.Must(in.Config.Problem).Traits().Depot { // solutions begin there
		return report.StartRule{}, nil
	}
	train, err := a.Store.Shards(ctx, refs(in.Data.Train))
	if err != nil {
		return report.StartRule{}, err
	}
	rule, agreement, ranking, err := startrule.Fit(train)
	return report.StartRule{Rule: rule, Agreement: agreement, Ranking: ranking}, err
}

// testSet is what the policies are tested on.
type testSet struct {
	teacher    routing.Policy
	checkpoint *teacher.Teacher // nil where the teacher is known by its rollouts
	about      report.Teacher
	instances  []routing.Instance
	states     *rollout.Shard // the teacher's, on these instances
}

// testSet has the teacher solve fresh instances, or takes the recorded ones that training never saw.
func (a *Activities) testSet(ctx context.Context, in workflows.EvaluateInput, hb *heartbeat) (testSet, error) {
	if len(in.Data.Test) > 0 {
		return a.recordedTest(ctx, in)
	}
	insts, err := in.Config.TestInstances()
	if err != nil {
		return testSet{}, badInput(err)
	}
	t, err := a.Store.Teacher(ctx, in.Teacher, in.Name)
	if err != nil {
		return testSet{}, err
	}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return testSet{}, err
	}
	t = t.ViaDepot(b.ViaDepot())
	info := t.Info()
	test := testSet{teacher: t, checkpoint: &t, instances: insts, about: report.Teacher{
		Name: t.Name(), Arch: info.Arch, Parameters: info.Parameters, SHA256: in.Teacher.Hash,
	}}
	hb.step("teacher on the test instances")
	test.states, err = rollout.Record(ctx, t, insts, rollout.OwnStart, func(done int) { hb.at(done, len(insts)) })
	return test, err
}

// recordedTest returns the recorded instances that training never saw.
func (a *Activities) recordedTest(ctx context.Context, in workflows.EvaluateInput) (testSet, error) {
	parts, err := a.Store.Shards(ctx, refs(in.Data.Test))
	if err != nil {
		return testSet{}, err
	}
	sh, err := rollout.Concat(parts...)
	if err != nil {
		return testSet{}, err
	}
	test := testSet{teacher: rollout.Replay(sh), states: sh, about: report.Teacher{
		Name: sh.Teacher, Arch: report.ByRollouts, SHA256: in.Teacher.Hash,
	}}
	for i := range sh.Instances() {
		test.instances = append(test.instances, sh.Instance(i))
	}
	return test, nil
}
