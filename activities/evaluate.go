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
	e := evaluation{
		Activities: a, in: in, hb: hb, test: test, giveBack: func() {},
		report: report.Data{Config: in.Config, Teacher: test.about},
	}
	defer func() { e.giveBack() }()
	for _, part := range evaluationParts {
		if err := part.run(&e, ctx); err != nil {
			return store.Ref{}, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return a.Store.PutJSON(ctx, e.report)
}

// evaluation holds the inputs of an evaluation and the results of the parts that have run.
type evaluation struct {
	*Activities
	in   workflows.EvaluateInput
	hb   *heartbeat
	test testSet

	student  *evaluate.Student
	giveBack func() // releases the student's programs
	reading  evaluate.Reading
	rivals   []evaluate.Rival
	results  evaluate.Comparison
	report   report.Data
}

// evaluationParts are the parts of an evaluation in their order. Each uses what those before it have found out.
var evaluationParts = []struct {
	name string // for errors
	run  func(*evaluation, context.Context) error
}{
	{"start rule", (*evaluation).fitStart},
	{"habits", (*evaluation).measureHabits},
	{"student", (*evaluation).loadStudent},
	{"fidelity", (*evaluation).read},
	{"rivals", (*evaluation).fitRivals},
	{"table", (*evaluation).compare},
	{"search", (*evaluation).search},
	{"tours", (*evaluation).pairTours},
	{"certificate", (*evaluation).certify},
	{"explanations", (*evaluation).explain},
}

// fitStart fits the student's first decision to the teacher's, where there is one to make.
func (e *evaluation) fitStart(ctx context.Context) error {
	if problems.Must(e.in.Config.Problem).Traits().Depot { // solutions begin there
		return nil
	}
	train, err := e.Store.Shards(ctx, refs(e.in.Data.Train))
	if err != nil {
		return err
	}
	start := &e.report.Start
	start.Rule, start.Agreement, start.Ranking, err = startrule.Fit(train)
	return err
}

// measureHabits measures what the teacher usually does.
func (e *evaluation) measureHabits(ctx context.Context) error {
	e.hb.step("the teacher's habits")
	profile, err := e.teacherHabits(ctx, e.in.Data)
	e.report.Habits = &profile
	return err
}

// loadStudent loads the student, and describes its router if a person can read it.
func (e *evaluation) loadStudent(ctx context.Context) error {
	s, giveBack, err := e.policyOf(ctx, e.in.Model, e.report.Start.Rule)
	if err != nil {
		return err
	}
	e.student, e.giveBack = s, giveBack
	e.report.Bank = s.Programs.Bank.Heuristics
	if router := readable.Of(s.Model, s.Programs.Bank); router != nil {
		first := router.First(report.RouterTerms)
		e.report.Router = &first
	}
	return nil
}

// read reads the student's decisions on the teacher's states.
func (e *evaluation) read(ctx context.Context) error {
	e.hb.step("scoring the teacher's states")
	set, err := e.student.Programs.Score(ctx, e.test.states)
	if err != nil {
		return err
	}
	e.reading, err = evaluate.Inspect(ctx, e.student.Model, e.student.Programs.Bank, set)
	e.report.Fidelity, e.report.Activation = e.reading.Fidelity, e.reading.Activation
	return err
}

// compare solves the test instances with every policy.
func (e *evaluation) compare(ctx context.Context) (err error) {
	e.results, err = evaluate.Compare(ctx, e.test.instances, e.test.teacher, e.student, evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: true, Baselines: true, Reading: &e.reading,
		Rivals: func() ([]evaluate.Rival, error) { return e.rivals, nil },
		Seed:   e.in.Config.Seed, Progress: e.progress,
	})
	e.report.Table, e.report.Overlap = e.results.Table, e.results.Overlap
	return err
}

// search solves some of the test instances by search, if the config asks for it. Rollouts tell nothing of solutions
// other than the teacher's.
func (e *evaluation) search(ctx context.Context) error {
	n := e.in.Config.Data.Search
	if n == 0 || e.test.recorded() {
		return nil
	}
	search, err := evaluate.Compare(ctx, e.test.instances[:n], e.test.teacher, e.student, evaluate.Options{
		Modes: []evaluate.Mode{paper.Search(e.test.about.Arch)}, Seed: e.in.Config.Seed, Progress: e.progress,
	})
	if err != nil {
		return err
	}
	e.results.AddSearch(search)
	e.report.Table, e.report.Overlap = e.results.Table, e.results.Overlap
	return nil
}

// progress tells in the heartbeat how far a comparison is.
func (e *evaluation) progress(policy string, mode evaluate.Mode, done, total int) {
	e.hb.step(fmt.Sprintf("%s, %s", policy, mode))
	e.hb.at(done, total)
}

// pairTours pairs the tours that the report draws.
func (e *evaluation) pairTours(context.Context) (err error) {
	e.report.Tours, err = report.PairTours(e.results, e.student, e.test.shown())
	return err
}

// explain says of the same tours why the student takes its steps.
func (e *evaluation) explain(ctx context.Context) error {
	e.hb.step("why the student takes its steps")
	return e.report.Explain(ctx, e.Store.Compiler, e.results, e.student, e.test.checkpoint, e.test.shown())
}

// testSet is what the policies are tested on.
type testSet struct {
	teacher    routing.Policy
	checkpoint *teacher.Teacher // nil where the teacher is known by its rollouts
	about      report.Teacher
	instances  []routing.Instance
	states     *rollout.Shard // the teacher's, on these instances
}

// recorded reports whether the teacher is known by its rollouts, so that it decides on no other states.
func (t testSet) recorded() bool { return t.checkpoint == nil }

// shown returns the instances that the report draws.
func (t testSet) shown() []routing.Instance { return t.instances[:min(shownTours, len(t.instances))] }

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
	test.states, err = rollout.Record(ctx, t, insts, routing.SingleRun, func(done int) { hb.at(done, len(insts)) })
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
