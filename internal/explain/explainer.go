package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Explainer explains the solutions of one student. It is for one goroutine.
type Explainer struct {
	// MostReasons is how many terms of a step's reasons, and how many groups of terms, an explanation has. New sets it
	// to the constant.
	MostReasons int

	student *evaluate.Student
	about   Student
	reasons *readable.Reasons // nil with a router that has none
	teacher *teacher.Teacher  // nil without one
}

// New returns an explainer of a student. Its teacher, unless nil, is asked for its choice in every state of the
// student; it need not be the one that the student learned from. It is an error if the teacher decides on the next
// customer and the way there at once and the student on one after the other, as their choices do not compare.
func New(s *evaluate.Student, m distilled.Manifest, t *teacher.Teacher) (*Explainer, error) {
	b, cfg := s.Programs.Bank, s.Model.Config
	if t != nil && t.Info().Problem != b.Problem {
		return nil, fmt.Errorf("explain: the student solves %s, and %s solves %s", b.Problem, t.Name(),
			t.Info().Problem)
	}
	if t != nil && (bank.Setting{Problem: b.Problem, View: t.Info().View}).ViaDepot() && !b.ViaDepot() {
		return nil, fmt.Errorf("explain: %s decides on the next customer and the way there at once, the student on "+
			"one after the other: want a student of programs for the %s view", t.Name(), routing.Subgraph)
	}
	_, start := Start(s)
	x := &Explainer{MostReasons: MostReasons, student: s, reasons: readable.ReasonsOf(s.Model, b), about: Student{
		Run: m.Run, Teacher: m.Teacher, Nodes: m.Nodes, Router: string(cfg.Router), Routing: cfg.Routing,
		StartRule: start,
	}}
	if x.about.Router == "" {
		x.about.Router = string(student.Attention)
	}
	if x.about.Routing == "" {
		x.about.Routing = student.Soft
	}
	for i, h := range b.Heuristics {
		checked, err := heuristic.Check(h.Source)
		if err != nil {
			return nil, fmt.Errorf("explain: heuristic %s: %w", h.Name, err)
		}
		x.about.Programs = append(x.about.Programs, Program{
			Name: h.Name, Label: bank.Label(i), Description: h.Description, Source: h.Source,
			Class: analysis.Judge(checked).Class, TauH: h.TauH, Weights: checked.Weights(),
			Meanings: meanings(b.Setting, checked), Unweighted: unweighted(b.Setting, checked),
		})
	}
	if t != nil {
		deciding := t.ViaDepot(b.ViaDepot())
		x.teacher = &deciding
	}
	return x, nil
}

// unweighted says what a program's score has beside its terms: a named feature, the code of another measure, or in
// general.
func unweighted(of bank.Setting, program heuristic.Checked) string {
	code := rewrite.Unweighted(program)
	if code == "" {
		return "what has no weight"
	}
	if f, ok := called(of, code); ok {
		return f.Name
	}
	return code
}

// meanings says what the weights of a program weigh, see Program.
func meanings(of bank.Setting, program heuristic.Checked) map[string]string {
	words, measures := map[string]string{}, rewrite.Measures(program)
	for _, w := range program.Weights() {
		says := w.Words()
		if f, ok := called(of, measures[w.Name]); ok {
			says = f.Says
		}
		if says != "" {
			words[w.Name] = says
		}
	}
	return words
}

// called returns the feature of a candidate that a program writes as this code.
func called(of bank.Setting, code string) (features.Feature, bool) {
	if set, ok := features.Of(of.Problem, of.View, sdk.ClassLookahead); ok && code != "" {
		if i := slices.IndexFunc(set.Node, func(f features.Feature) bool { return f.Call == code }); i >= 0 {
			return set.Node[i], true
		}
	}
	return features.Feature{}, false
}

// Start returns the first node of a student's greedy solution that nobody gave, and how it comes about in words. It is
// routing.OwnStart where the student chooses it: by its start rule, or as its first decision. A student of tours
// without a rule begins at the first node.
func Start(s *evaluate.Student) (node int, words string) {
	switch {
	case problems.Must(s.Programs.Bank.Problem).Traits().Depot:
		return routing.OwnStart, "The student chooses the first customer."
	case s.Start == startrule.None:
		return 0, s.Start.Describe()
	}
	return routing.OwnStart, s.Start.Describe()
}

// Explain explains the student's greedy solution of an instance from a first node: Start's, or one that is given.
func (x *Explainer) Explain(
	ctx context.Context, file *instances.File, start int, startWords string,
) (Explanation, error) {
	w, err := x.watch(ctx, &file.Instance, routing.Run{Start: start})
	if err != nil {
		return Explanation{}, err
	}
	e, err := x.describe(file, w, "student", startWords)
	if err != nil {
		return Explanation{}, err
	}
	if x.teacher != nil {
		tr, err := x.byTeacher(&file.Instance, routing.Run{Start: routing.OwnStart, Force: e.Actions, Record: true})
		if err != nil {
			return Explanation{}, err
		}
		x.compare(&e, tr)
	}
	e.takeApart(w)
	return e, nil
}

// Along explains the teacher's greedy solution of an instance by the student: who decides in each of its states, and
// where the student would choose otherwise. start is the first node, or routing.OwnStart for the teacher's own.
func (x *Explainer) Along(ctx context.Context, file *instances.File, start int) (Explanation, error) {
	if x.teacher == nil {
		return Explanation{}, errors.New("explain: there is no teacher whose solution could be explained")
	}
	if err := x.solves(&file.Instance); err != nil {
		return Explanation{}, err
	}
	tr, err := x.byTeacher(&file.Instance, routing.Run{Start: start, Record: true})
	if err != nil {
		return Explanation{}, err
	}
	w, err := x.watch(ctx, &file.Instance, routing.Run{Start: start, Force: tr.Actions})
	if err != nil {
		return Explanation{}, err
	}
	name := x.teacher.Name()
	words := "The steps are those of the solution of " + name + "; the student decides in the states that they lead to."
	if start != routing.OwnStart {
		words += " The start was given."
	}
	e, err := x.describe(file, w, name, words)
	if err != nil {
		return Explanation{}, err
	}
	x.compare(&e, tr)
	for i := range e.Steps {
		// The step that the teacher takes need not be the most likely one of its joint distribution: POMO decides to
		// return first, and LEHD goes home where the direct way does not fit.
		if s := &e.Steps[i]; s.Teacher != nil {
			viaDepot := x.student.Programs.Bank.ViaDepot()
			s.TeacherFirst = int32(routing.Taken(e.Actions, s.Step, file.Instance.N(), viaDepot))
		}
	}
	e.takeApart(w)
	e.Along = true
	return e, nil
}

// solves returns an error if the student does not solve instances of this problem.
func (x *Explainer) solves(in *routing.Instance) error {
	if b := x.student.Programs.Bank; in.Problem != b.Problem {
		return fmt.Errorf("explain: instance %s is a %s, and the student solves %s", in.Name, in.Problem, b.Problem)
	}
	return nil
}

// watched is a run of the student as it was watched.
type watched struct {
	run     routing.Trajectory
	steps   []evaluate.StepExplanation
	seen    map[int32]Step              // the decisions, by step
	weighed map[int32]*evaluate.Weighed // scores of the leader, by step
}

// watch watches a run of the student.
func (x *Explainer) watch(ctx context.Context, in *routing.Instance, run routing.Run) (w watched, err error) {
	if err := x.solves(in); err != nil {
		return w, err
	}
	if x.reasons != nil {
		x.reasons.Open(in)
	}
	w.seen, w.weighed = map[int32]Step{}, map[int32]*evaluate.Weighed{}
	weighing := x.student.Weigh(in)
	defer weighing.Close()
	var failed error // of the weighing
	w.run, w.steps, err = x.student.Watch(in, run, func(d evaluate.Decision) {
		if failed != nil {
			return
		}
		w.seen[d.Step] = x.step(in, d)
		scores, ok, err := weighing.Program(ctx, agreement.Argmax(d.Weights), d.Decision)
		if failed = err; failed == nil {
			failed = ctx.Err()
		}
		if ok {
			w.weighed[d.Step] = &scores
		}
	})
	return w, cmp.Or(err, failed)
}

// describe returns the explanation of a run without what the teacher would have chosen and without terms. by is who
// solves the instance.
func (x *Explainer) describe(file *instances.File, w watched, by, startWords string) (e Explanation, err error) {
	in, b := &file.Instance, x.student.Programs.Bank
	e = Explanation{
		Version: Version, Problem: b.Problem, View: b.View, Student: x.about, Start: startWords,
		Instance: Instance{
			Name: in.Name, First: file.First, Coords: file.Coords, Seen: in.Coords, Demand: in.Demand,
			Capacity: in.Capacity, Metric: file.Metric, Rounding: file.Metric.Rounding(), Lo: file.Lo, Span: file.Span,
			BestKnown: file.BestKnown,
		},
		Actions: w.run.Actions, Steps: w.allSteps(),
	}
	if caveat := file.Metric.Caveat(); caveat != "" {
		e.Notes = append(e.Notes, caveat)
	}
	e.Cost, err = cost(by, file, w.run.Actions, w.run.Cost)
	return e, err
}

// allSteps returns the steps of a run, with those that nobody decided.
func (w *watched) allSteps() (all []Step) {
	at := int32(0) // the depot, or the first node of a tour
	if first := len(w.run.Actions) - len(w.steps); first > 0 {
		at = w.run.Actions[first-1]
	}
	for _, s := range w.steps {
		step, ok := w.seen[int32(s.Step)]
		if !ok {
			step = Step{Chosen: -1, Second: -1, WithoutLeader: -1, TeacherFirst: -1}
		}
		step.StepExplanation, step.From = s, at
		step.LeaderTie = step.Decided() && len(s.Weights) > 1 && s.Margin < routing.Tie
		all, at = append(all, step), s.Action
	}
	return all
}

// takeApart takes the leader's scores of every decision apart, see termsOf.
func (e *Explanation) takeApart(w watched) {
	for i := range e.Steps {
		s := &e.Steps[i]
		if scores := w.weighed[int32(s.Step)]; scores != nil && s.Decided() {
			s.Terms = s.termsOf(scores)
		}
	}
}

// step describes one decision, apart from what evaluate.StepExplanation says of it.
func (x *Explainer) step(in *routing.Instance, d evaluate.Decision) Step {
	first, second := routing.TopTwo(d.Probs)
	s := Step{
		Remaining: d.Remaining, Chosen: d.Chosen, Student: append([]float32(nil), d.Probs...),
		Rank: problems.DistanceRank(in, int(d.Current), d.Candidates, d.Taken), Second: -1, WithoutLeader: -1,
		TeacherFirst: -1, ChoiceTie: d.Probs[first]-d.Probs[second] < routing.Tie,
	}
	for _, c := range d.Candidates {
		s.Candidates = append(s.Candidates, int32(c))
	}
	for m, Vm := range d.Programs {
		s.Programs = append(s.Programs, append([]float32(nil), Vm...))
		s.Firsts = append(s.Firsts, s.Candidates[d.Firsts[m]])
	}
	if len(d.Weights) > 1 {
		var leader int
		leader, s.Second = routing.TopTwo(d.Weights)
		s.WithoutLeader = x.without(&s, d.Weights, leader)
		if x.reasons != nil {
			why := x.reasons.Why(d.Decision, d.Programs, leader, s.Second, x.MostReasons)
			s.Reasons, s.OtherReasons = why.Terms, why.Others
			s.ReasonCount, s.ReasonGroups = why.Count, why.Groups
		}
	}
	return s
}

// without returns the candidate that the student would take if its leader had no weight: the first choice of the second
// program where one rule decides, and else the candidate of the largest mixture of all others, Eq. 5.
func (x *Explainer) without(s *Step, weights []float32, leader int) int32 {
	if x.about.Routing == student.Hard {
		return s.Firsts[s.Second]
	}
	weights = slices.Clone(weights)
	agreement.LeaveOut(weights, leader)
	mixture := make([]float32, len(s.Candidates))
	for m, Vm := range s.Programs {
		for k, v := range Vm {
			mixture[k] += weights[m] * v
		}
	}
	return s.Candidates[agreement.Argmax(mixture)]
}

// termsOf takes the leader's scores of the choice and of another candidate apart: the teacher's choice where that is
// another one, and else the next best.
func (s *Step) termsOf(w *evaluate.Weighed) *Terms {
	first, other := routing.TopTwo(s.Student)
	if first != s.Chosen {
		other = first
	}
	if s.Parts() {
		other = slices.Index(s.Candidates, s.TeacherFirst)
	}
	of := func(x []float32) [2]float32 { return [2]float32{x[s.Chosen], x[other]} }
	terms := Terms{Other: s.Candidates[other], Scores: of(w.Score), Rest: of(w.Score)}
	for j, weight := range w.Weights {
		t := TermOfWeight{weight.Name, of(w.Terms[j])}
		terms.Weights = append(terms.Weights, t)
		terms.Rest[0] -= t.Values[0]
		terms.Rest[1] -= t.Values[1]
	}
	return &terms
}

// compare fills in what the teacher would have chosen in each state. tr is the teacher's run through these states, with
// its distributions.
func (x *Explainer) compare(e *Explanation, tr routing.Trajectory) {
	e.Teacher = x.teacher.Name()
	width := len(tr.Probs) / len(e.Actions)
	for i := range e.Steps {
		s := &e.Steps[i]
		if !s.Decided() {
			continue
		}
		row := tr.Probs[s.Step*width:][:width]
		probs := make([]float32, len(s.Candidates))
		for i, c := range s.Candidates {
			probs[i] = row[c]
		}
		if first := agreement.Argmax(probs); probs[first] > 0 { // a teacher need not decide the first step
			s.Teacher, s.TeacherFirst = probs, s.Candidates[first]
		}
	}
}

// byTeacher has the teacher make a run.
func (x *Explainer) byTeacher(in *routing.Instance, run routing.Run) (routing.Trajectory, error) {
	d, err := x.teacher.Decoder()
	if err != nil {
		return routing.Trajectory{}, fmt.Errorf("explain: %w", err)
	}
	defer d.Close()
	trs, err := d.Decode(in, []routing.Run{run})
	if err != nil {
		return routing.Trajectory{}, fmt.Errorf("explain: teacher %s: %w", x.teacher.Name(), err)
	}
	return trs[0], nil
}

// Classics returns the costs of the classic methods that build a whole solution of an instance: farthest insertion, or
// savings and sweep.
func Classics(file *instances.File) ([]Cost, error) {
	var all []Cost
	for _, method := range problems.Must(file.Instance.Problem).Constructions() {
		actions := method.Build(&file.Instance)
		square, err := problems.Cost(&file.Instance, actions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method.Label, err)
		}
		c, err := cost(method.Label, file, actions, square)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// SolutionBy returns the cost of a policy's greedy solution of an instance, which begins where the policy chooses.
func SolutionBy(ctx context.Context, p routing.Policy, file *instances.File) (Cost, error) {
	d, err := evaluate.Search{Mode: evaluate.Greedy}.Run(ctx, p, []routing.Instance{file.Instance})
	if err != nil {
		return Cost{}, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return cost(p.Name(), file, d.Tours[0], d.Costs[0])
}

// BestStart returns the first node of the cheapest of a student's greedy solutions of an instance from all first nodes.
func BestStart(ctx context.Context, s *evaluate.Student, file *instances.File) (int, error) {
	search := evaluate.Search{Mode: evaluate.MultiStart, Price: instances.Price([]instances.File{*file})}
	d, err := search.Run(ctx, s, []routing.Instance{file.Instance})
	if err != nil {
		return 0, err
	}
	return int(d.Tours[0][0]), nil
}

func cost(name string, file *instances.File, actions []int32, square float64) (Cost, error) {
	rounded, unrounded, err := file.Cost(actions)
	if err != nil {
		return Cost{}, fmt.Errorf("%s: %w", name, err)
	}
	return Cost{name, rounded, unrounded, square}, nil
}
