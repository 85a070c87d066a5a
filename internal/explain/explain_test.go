package explain_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// programs are three programs of each kind, whose choices differ.
var programs = map[bank.Setting][][2]string{
	{Problem: routing.TSP, View: routing.Full}: {
		{"near", `-s.Row(s.Current)[c]`}, {"leftmost", `-s.X[c]`}, {"upper", `s.Y[c]`},
	},
	{Problem: routing.CVRP, View: routing.Full}: {
		{"near", `-s.Row(s.Current)[c]`}, {"home", `-s.Row(0)[c]`}, {"leftmost", `-s.X[c]`},
	},
	{Problem: routing.CVRP, View: routing.Subgraph}: {
		{"leftmost", `-s.X[c]`}, {"first", `-float32(k)`}, {"upper", `s.Y[c]`},
	},
}

// tiny is a student of three programs whose numbers were chosen by hand: a named router that trusts the nearest
// neighbour and, late, the others. Programs of the view Subgraph have an untrained network.
func tiny(t *testing.T, of bank.Setting) *evaluate.Student {
	t.Helper()
	pkg, err := of.Package()
	if err != nil {
		t.Fatal(err)
	}
	b := &bank.Bank{Setting: of}
	for i, p := range programs[of] {
		h, err := bank.New(p[0], "package "+p[0]+"\n\nimport \""+pkg.Path()+"\"\n\n// Score is "+p[0]+
			".\nfunc Score(s *"+pkg.Name+".State, score []float32) {\n\tfor k, c := range s.Candidates {\n\t\t_ = c\n"+
			"\t\tscore[k] = "+p[1]+"\n\t}\n}\n", bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		h.TauH = []float64{0.05, 0.2, 0.1}[i]
		b.Heuristics = append(b.Heuristics, h)
	}
	built, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(built.Close)
	s := &evaluate.Student{Programs: built, Start: "leftmost"}
	if problems.Must(of.Problem).Traits().Depot {
		s.Start = ""
	}
	set, ok := features.Of(of.Problem, of.View, sdk.ClassLocal)
	if !ok {
		s.Model = student.New(student.Config{
			Problem: of.Problem, Arch: student.LEHD, DecoderLayers: 1, D: 32, Layers: 1, Heads: 4, FF: 32,
		}, 1)
		return s
	}
	s.Model = student.New(student.Config{Problem: of.Problem, Router: student.Named, Programs: 3}, 1)
	r, _ := s.Model.Named()
	column := func(list []features.Feature, name string) int {
		return slices.IndexFunc(list, func(f features.Feature) bool { return f.Name == name })
	}
	late := 1 + column(set.State, "progress")
	r.Products[column(set.Node, "distance")] = -2
	r.Products[late*r.Columns()+column(set.Node, "isolation")] = 4
	r.Bias[0], r.Bias[3*late+1] = 0.7, 1.5
	r.Mean[late-1] = 0.5
	return s
}

// explained is an explanation of an instance from a fresh explainer.
func explained(t *testing.T, s *evaluate.Student, in routing.Instance) explain.Explanation {
	t.Helper()
	x, err := explain.New(s, distilled.Manifest{Run: "r1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := instances.OfInstance(in)
	start, words := explain.Start(s)
	e, err := x.Explain(t.Context(), &file, start, words)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The student's start is told in the same words of the student and of its solution, also where it has no rule.
func TestStartWords(t *testing.T) {
	for of, want := range map[routing.Problem]map[startrule.Rule]string{
		routing.TSP: {
			"leftmost": "Start at the leftmost node.",
			"":         "The student has no start rule: without a start, tours begin at the first node.",
		},
		routing.CVRP: {"": "The student chooses the first customer."},
	} {
		s := tiny(t, bank.Setting{Problem: of, View: routing.Full})
		in := problems.Must(of).Generate(5, 1, 5)[0]
		for rule, words := range want {
			s.Start = rule
			if e := explained(t, s, in); e.Start != words || e.Student.StartRule != words {
				t.Errorf("%s, rule %q: the solution says %q, the student %q, want %q", of, rule, e.Start,
					e.Student.StartRule, words)
			}
		}
	}
}

// What is explained is the student's greedy solution, and what each step says fits together.
func TestExplanation(t *testing.T) {
	for of := range programs {
		s := tiny(t, of)
		for _, in := range problems.Must(of.Problem).Generate(14, 2, 5) {
			e := explained(t, s, in)
			d, err := evaluate.Search{Mode: evaluate.Greedy}.Run(t.Context(), s, []routing.Instance{in})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(e.Actions, d.Tours[0]) || e.Cost.Square != d.Costs[0] ||
				math.Abs(e.Cost.Unrounded-d.Costs[0]) > 1e-5 {
				t.Errorf("explained %v at %+v, decoded %v at %v", e.Actions, e.Cost, d.Tours[0], d.Costs[0])
			}
			decided := 0
			for i := range e.Steps {
				if checkStep(t, of, &in, &e, i) {
					decided++
				}
			}
			if decided < 10 {
				t.Errorf("%v: %d decisions", of, decided)
			}
			hard := *s
			hard.Model = s.Model.Routed(student.Hard)
			e = explained(t, &hard, in)
			for i := range e.Steps {
				if s := &e.Steps[i]; s.Decided() && s.Firsts[s.Leader] != s.Candidates[s.Chosen] {
					t.Errorf("%v, step %d: the leader would take %d, a hard student took %d", of, s.Step,
						s.Firsts[s.Leader], s.Candidates[s.Chosen])
				}
				if s := &e.Steps[i]; s.Decided() && s.WithoutLeader != s.Firsts[s.Second] {
					t.Errorf("%v, step %d: without its leader a hard student takes %d, the second program %d", of,
						s.Step, s.WithoutLeader, s.Firsts[s.Second])
				}
			}
			if e.Student.Routing != student.Hard {
				t.Errorf("%v: routing %s", of, e.Student.Routing)
			}
		}
	}
}

// withoutLeader computes what a mixture would take without its leader from the probabilities of a step.
func withoutLeader(s *explain.Step) int32 {
	best, most := int32(-1), float32(-1)
	for k, c := range s.Candidates {
		without := s.Student[k] - s.Weights[s.Leader]*s.Programs[s.Leader][k]
		if without > most+1e-6 {
			best, most = c, without
		}
	}
	return best
}

// checkStep checks step i of an explanation and says whether it is a decision.
func checkStep(t *testing.T, of bank.Setting, in *routing.Instance, e *explain.Explanation, i int) bool {
	t.Helper()
	s := &e.Steps[i]
	if s.Action != e.Actions[s.Step] || s.Step > 0 && s.From != e.Actions[s.Step-1] || s.Step == 0 && s.From != 0 {
		t.Errorf("%v, step %d: from %d to %d in %v", of, s.Step, s.From, s.Action, e.Actions)
	}
	if s.Decided() == (s.Forced || s.Via) {
		t.Errorf("%v, step %d: decided %v, forced %v, via %v", of, s.Step, s.Decided(), s.Forced, s.Via)
	}
	if !s.Decided() {
		return false
	}
	node, via := routing.Via(int(s.Candidates[s.Chosen]), in.N())
	byDepot := via && s.Action == 0 && int(e.Steps[i+1].Action) == node && e.Steps[i+1].Via
	if !byDepot && (via || int(s.Action) != node) {
		t.Errorf("%v, step %d: chose %d, went to %d", of, s.Step, node, s.Action)
	}
	if (s.Rank == 1) != s.Nearest && s.Action != 0 {
		t.Errorf("%v, step %d: rank %d, nearest %v", of, s.Step, s.Rank, s.Nearest)
	}
	agree := 0
	for m, Vm := range append(slices.Clone(s.Programs), s.Student) {
		sum := 0.0
		for _, p := range Vm {
			sum += float64(p)
		}
		if len(Vm) != len(s.Candidates) || math.Abs(sum-1) > 1e-4 {
			t.Errorf("%v, step %d, policy %d: probabilities %v", of, s.Step, m, Vm)
		}
		if m == len(s.Programs) {
			if agreement.Argmax(Vm) != s.Chosen {
				t.Errorf("%v, step %d: %d is not the largest of %v", of, s.Step, s.Chosen, Vm)
			}
			continue
		}
		if got := s.Candidates[agreement.Argmax(Vm)]; got != s.Firsts[m] && Vm[agreement.Argmax(Vm)] < 0.999 {
			t.Errorf("%v, step %d: program %d would take %d, not %d", of, s.Step, m, s.Firsts[m], got)
		}
		if s.Firsts[m] == s.Candidates[s.Chosen] {
			agree++
		}
	}
	if got, want := s.WithoutLeader, withoutLeader(s); got != want {
		t.Errorf("%v, step %d: without its leader the student takes %d, want %d", of, s.Step, got, want)
	}
	if agree != s.Agree {
		t.Errorf("%v, step %d: %d agree, want %d", of, s.Step, s.Agree, agree)
	}
	if w := s.Weights; s.Second == s.Leader || w[s.Leader]-w[s.Second] != s.Margin ||
		s.LeaderTie != (s.Margin < routing.Tie) {
		t.Errorf("%v, step %d: leader %d, second %d, margin %v of %v", of, s.Step, s.Leader, s.Second, s.Margin, w)
	}
	named, sum := of.View == routing.Full, s.OtherReasons
	for _, r := range s.Reasons {
		sum += r.Weight
	}
	ratio := math.Log(float64(s.Weights[s.Leader]) / float64(s.Weights[s.Second]))
	if named != (len(s.Reasons) > 0) || named && math.Abs(sum-ratio) > 1e-3 {
		t.Errorf("%v, step %d: reasons %v add up to %v, want %v", of, s.Step, s.Reasons, sum, ratio)
	}
	return true
}

// A teacher is asked in the states of the student, whatever it would have done before.
func TestTeachersChoices(t *testing.T) {
	of, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	s := tiny(t, bank.Setting{Problem: routing.TSP, View: routing.Full})
	x, err := explain.New(s, distilled.Manifest{}, &of)
	if err != nil {
		t.Fatal(err)
	}
	in := problems.Must(routing.TSP).Generate(12, 1, 5)[0]
	file := instances.OfInstance(in)
	e, err := x.Explain(t.Context(), &file, routing.OwnStart, "")
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := of.Decoder()
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	parts := 0
	for i := range e.Steps {
		s := &e.Steps[i]
		if !s.Decided() {
			continue
		}
		sum := 0.0
		for _, p := range s.Teacher {
			sum += float64(p)
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("step %d: the teacher's probabilities are %v", s.Step, s.Teacher)
		}
		// The same question, asked of a teacher that is led only this far.
		trs, err := decoder.Decode(&in, []routing.Run{{Start: routing.OwnStart, Force: e.Actions[:s.Step]}})
		if err != nil {
			t.Fatal(err)
		}
		if got := trs[0].Actions[s.Step]; got != s.TeacherFirst {
			t.Errorf("step %d: the teacher goes to %d, not %d", s.Step, got, s.TeacherFirst)
		}
		if s.Parts() {
			parts++
		}
	}
	if e.Teacher != of.Name() || parts == 0 {
		t.Errorf("%s parts in %d steps", e.Teacher, parts)
	}
	wrong := tiny(t, bank.Setting{Problem: routing.CVRP, View: routing.Full})
	if _, err := explain.New(wrong, distilled.Manifest{}, &of); err == nil {
		t.Error("a teacher of another problem was taken")
	}
}

// The steps of a teacher's own solution are its first choices, and the student says how much it thinks of each.
func TestAlongTheTeacher(t *testing.T) {
	for _, c := range []struct {
		of   func() (teacher.Teacher, error)
		into bank.Setting
	}{
		{
			func() (teacher.Teacher, error) { return input.LoadTeacher(config.BuiltinTeacher) },
			bank.Setting{Problem: routing.TSP, View: routing.Full},
		},
		{cvrp20(t), bank.Setting{Problem: routing.CVRP, View: routing.Full}},
		{cvrp20(t), bank.Setting{Problem: routing.CVRP, View: routing.Subgraph}},
	} {
		of, err := c.of()
		if err != nil {
			t.Fatal(err)
		}
		x, err := explain.New(tiny(t, c.into), distilled.Manifest{}, &of)
		if err != nil {
			t.Fatal(err)
		}
		in := problems.Must(c.into.Problem).Generate(20, 1, 5)[0]
		file := instances.OfInstance(in)
		e, err := x.Along(t.Context(), &file, routing.OwnStart)
		if err != nil {
			t.Fatal(err)
		}
		own, err := explain.SolutionBy(t.Context(), of, &file)
		if err != nil || !e.Along || e.Cost != own {
			t.Errorf("%v: %+v (%v), the teacher has %+v", c.into, e.Cost, err, own)
		}
		decided, parts := 0, 0
		for i := range e.Steps {
			s := &e.Steps[i]
			if !s.Decided() || s.Via && s.Candidates == nil {
				continue
			}
			decided++
			taken := slices.Index(s.Candidates, s.TeacherFirst)
			node, _ := routing.Via(int(s.TeacherFirst), in.N())
			if taken < 0 || int32(node) != s.Action && s.Action != 0 {
				t.Errorf("%v, step %d: goes to %d, and the teacher to %d", c.into, s.Step, s.Action, s.TeacherFirst)
			} else if s.Prob != s.Student[taken] {
				t.Errorf("%v, step %d: probability %v of %v", c.into, s.Step, s.Prob, s.Student[taken])
			}
			if s.Parts() {
				parts++
			}
		}
		if decided < 10 || parts == 0 || parts == decided {
			t.Errorf("%v: %d of %d decisions part", c.into, parts, decided)
		}
	}
	x, err := explain.New(tiny(t, bank.Setting{Problem: routing.TSP, View: routing.Full}), distilled.Manifest{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := instances.OfInstance(problems.Must(routing.TSP).Generate(12, 1, 5)[0])
	if _, err := x.Along(t.Context(), &file, routing.OwnStart); err == nil {
		t.Error("the solution of no teacher was explained")
	}
}

// cvrp20 loads a teacher of routes.
func cvrp20(t *testing.T) func() (teacher.Teacher, error) {
	return func() (teacher.Teacher, error) {
		return teacher.Load(testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"))
	}
}

// A teacher of routes is asked about the same candidates as the programs: with their view, also about customers by way
// of the depot.
func TestTeachersRoutes(t *testing.T) {
	of, err := teacher.Load(testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range routing.Views {
		s := tiny(t, bank.Setting{Problem: routing.CVRP, View: view})
		x, err := explain.New(s, distilled.Manifest{}, &of)
		if err != nil {
			t.Fatal(err)
		}
		file := instances.OfInstance(problems.Must(routing.CVRP).Generate(20, 1, 5)[0])
		e, err := x.Explain(t.Context(), &file, routing.OwnStart, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Steps {
			s, sum := &e.Steps[i], 0.0
			for _, p := range s.Teacher {
				sum += float64(p)
			}
			if s.Decided() && (math.Abs(sum-1) > 1e-4 || !slices.Contains(s.Candidates, s.TeacherFirst)) {
				t.Errorf("%s, step %d: %d of %v with probabilities %v", view, s.Step, s.TeacherFirst, s.Candidates,
					s.Teacher)
			}
		}
		if sum := e.Summary(); len(sum.Parted) == 0 || len(sum.Parted) == sum.Decisions {
			t.Errorf("%s: the teacher parts in %d of %d decisions", view, len(sum.Parted), sum.Decisions)
		}
	}
}

// POMO begins a route at every customer: it decides nothing at the first step, and is not said to.
func TestTeacherThatIsGivenItsStart(t *testing.T) {
	of, err := teacher.Load(testdata.Shared(t, "teachers/pomo/cvrp_init.pt"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := explain.New(tiny(t, bank.Setting{Problem: routing.CVRP, View: routing.Full}), distilled.Manifest{}, &of)
	if err != nil {
		t.Fatal(err)
	}
	file := instances.OfInstance(problems.Must(routing.CVRP).Generate(20, 1, 5)[0])
	e, err := x.Explain(t.Context(), &file, routing.OwnStart, "")
	if err != nil {
		t.Fatal(err)
	}
	if first := &e.Steps[0]; !first.Decided() || first.Parts() || first.TeacherFirst != -1 || first.Teacher != nil {
		t.Errorf("at the first step the teacher would go to %d, with %v", first.TeacherFirst, first.Teacher)
	}
	if second := &e.Steps[1]; second.TeacherFirst < 0 || len(second.Teacher) != len(second.Candidates) {
		t.Errorf("at the second step the teacher would go to %d, with %v", second.TeacherFirst, second.Teacher)
	}
}

// Trim keeps the choices and the largest probabilities, and what a page holds of a large instance stays small.
func TestTrim(t *testing.T) {
	s := tiny(t, bank.Setting{Problem: routing.TSP, View: routing.Full})
	e := explained(t, s, problems.Must(routing.TSP).Generate(40, 1, 5)[0])
	before, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	small := e.Trim(5)
	if after, err := json.Marshal(e); err != nil || string(after) != string(before) {
		t.Errorf("Trim changed the whole explanation: %v", err)
	}
	for i := range small.Steps {
		got, all := &small.Steps[i], &e.Steps[i]
		if !all.Decided() {
			continue
		}
		if len(got.Candidates) != min(5, len(all.Candidates)) || !slices.IsSorted(got.Candidates) ||
			got.LeftOut != len(all.Candidates)-len(got.Candidates) {
			t.Errorf("step %d: candidates %v, %d left out", got.Step, got.Candidates, got.LeftOut)
		}
		if got.Candidates[got.Chosen] != all.Candidates[all.Chosen] {
			t.Errorf("step %d: chose %d, not %d", got.Step, got.Candidates[got.Chosen], all.Candidates[all.Chosen])
		}
		for k, c := range got.Candidates {
			at := slices.Index(all.Candidates, c)
			for m := range all.Programs {
				if math.Abs(float64(got.Programs[m][k]-all.Programs[m][at])) > 0.00051 {
					t.Errorf("step %d, program %d, node %d: %v, was %v", got.Step, m, c, got.Programs[m][k],
						all.Programs[m][at])
				}
			}
		}
		for m, Vm := range all.Programs {
			for k, p := range Vm {
				if p > 0.5 && len(all.Candidates) > 5 && !slices.Contains(got.Candidates, all.Candidates[k]) {
					t.Errorf("step %d: program %d gives node %d %v, which was left out", got.Step, m,
						all.Candidates[k], p)
				}
			}
		}
	}
}

// A page with four tours of 500 nodes and 36 programs stays under 5 MB.
func TestTrimmedSize(t *testing.T) {
	const N, M, tours = 500, 36, 4
	random := rand.New(rand.NewPCG(1, 2))
	spread := func(K int) []float32 { // a distribution as programs have them
		p, sum := make([]float32, K), float32(0)
		for k := range p {
			p[k] = float32(math.Exp(5 * random.NormFloat64()))
			sum += p[k]
		}
		for k := range p {
			p[k] /= sum
		}
		return p
	}
	e := explain.Explanation{Instance: explain.Instance{Seen: spread(2 * N)}}
	for range N {
		e.Instance.Coords = append(e.Instance.Coords, random.Float64(), random.Float64())
		e.Actions = append(e.Actions, int32(len(e.Actions)))
	}
	for at := 1; at < N; at++ {
		s := explain.Step{Chosen: 0, Student: spread(N - at), Teacher: spread(N - at), Firsts: e.Actions[:M]}
		s.Candidates, s.Weights = e.Actions[at:], spread(M)
		for range M {
			s.Programs = append(s.Programs, spread(N-at))
		}
		for range explain.MostReasons {
			s.Reasons = append(s.Reasons, readable.Term{Says: "Late in the tour, trust who proposes isolated cities.",
				Weight: random.NormFloat64()})
		}
		s.ReasonGroups = s.Reasons
		e.Steps = append(e.Steps, s)
	}
	small := e.Trim(12)
	page, err := json.Marshal(small)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes a tour", len(page))
	if len(page)*tours > 5<<20 {
		t.Errorf("%d bytes a tour, want %d tours in 5 MB", len(page), tours)
	}
}

// Other choices are told by candidate, the one of most programs first.
func TestOpinions(t *testing.T) {
	s := explain.Step{Candidates: []int32{2, 5, 7, 13}, Chosen: 1, Firsts: []int32{7, 5, 13, 2, 13, 5}}
	got := s.Opinions(5)
	want := []explain.Opinion{
		{Candidate: 13, Programs: []int{2, 4}}, {Candidate: 7, Programs: []int{0}}, {Candidate: 2, Programs: []int{3}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	e := explain.Explanation{Instance: explain.Instance{Seen: make([]float32, 2*10), First: 0}}
	if e.Node(7) != "7" || e.Node(13) != "0→3" {
		t.Errorf("node 7 is %s, candidate 13 is %s", e.Node(7), e.Node(13))
	}
}

// Where programs are mixed, the leader may want another candidate than the one that they choose together. A page keeps
// both, however few candidates it has.
func TestOutvotedLeader(t *testing.T) {
	s := explain.Step{
		StepExplanation: evaluate.StepExplanation{Weights: []float32{0.4, 0.35, 0.25}, Leader: 0},
		Candidates:      []int32{2, 5, 7},
		Chosen:          2, Firsts: []int32{5, 7, 7}, TeacherFirst: -1,
		Student:  []float32{0.16, 0.395, 0.445},
		Programs: [][]float32{{0.1, 0.8, 0.1}, {0.2, 0.1, 0.7}, {0.2, 0.16, 0.64}},
	}
	if !s.Outvoted() {
		t.Error("the leader wants 5 and 7 is chosen, but nobody outvotes it")
	}
	want := []explain.Vote{{Program: 1, For: 0.21}, {Program: 2, For: 0.12}, {Program: 0, For: -0.28}}
	for i, v := range s.Votes() {
		if v.Program != want[i].Program || math.Abs(v.For-want[i].For) > 1e-6 {
			t.Errorf("vote %d: %+v, want %+v", i, v, want[i])
		}
	}
	e := explain.Explanation{Steps: []explain.Step{s}, Student: explain.Student{Programs: make([]explain.Program, 3)}}
	if sum := e.Summary(); sum.Outvoted != 1 {
		t.Errorf("%d decisions are outvoted, want 1", sum.Outvoted)
	}
	few := e.Trim(2)
	if got := few.Steps[0].Candidates; !slices.Equal(got, []int32{5, 7}) {
		t.Errorf("a page keeps the candidates %v, want the leader's and the chosen one", got)
	}
	s.Firsts[0] = 7
	if s.Outvoted() {
		t.Error("the leader wants what is chosen, but is outvoted")
	}
}
