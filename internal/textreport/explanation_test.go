package textreport

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
)

// along is the teacher's solution of 4 nodes by a student of three programs, which would begin otherwise: the teacher
// goes to node 2, as firsts[m] = 2 would have it, and the student to node 1.
func along(firsts []int32) *explain.Explanation {
	e := &explain.Explanation{
		Problem: routing.TSP, Along: true, Teacher: "AM", Cost: explain.Cost{Name: "AM"}, Actions: []int32{0, 2, 1, 3},
		Instance: explain.Instance{Name: "four", Coords: make([]float64, 8), Seen: make([]float32, 8),
			Metric: instances.Euclidean},
		Steps: []explain.Step{{
			StepExplanation: evaluate.StepExplanation{
				Step: 1, Action: 2, Prob: 0.2, Weights: []float32{0.5, 0.3, 0.2}, Leader: 0, Margin: 0.2, Agree: 2,
			},
			Candidates: []int32{1, 2, 3}, Chosen: 0, Student: []float32{0.7, 0.2, 0.1}, Firsts: firsts, Second: 1,
			WithoutLeader: 1, TeacherFirst: 2, Rank: 2,
			Programs: [][]float32{{0.7, 0.2, 0.1}, {0.7, 0.2, 0.1}, {0.7, 0.2, 0.1}},
		}},
	}
	for _, label := range []string{"H00", "H01", "H02"} {
		e.Student.Programs = append(e.Student.Programs, explain.Program{Label: label, Name: "p" + label})
	}
	return e
}

// printed is the text of an explanation without runs of blanks.
func printed(t *testing.T, e *explain.Explanation, show func(*explain.Step) bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := Explanation(&b, e, show); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Where the student parts from the teacher whose solution is explained, the line is about the step that was taken: who
// would take it, and what the leader would do in its place.
func TestStepOfTheTeacher(t *testing.T) {
	for _, c := range []struct {
		firsts []int32
		wants  []string
	}{
		{[]int32{1, 1, 2}, []string{
			"1 0 2 2 0.20 H00 → 1 50.0 % 20.0 1 of 3 1: H00 H01 1 (0.70)",
			"2 is chosen by H02, which has 20.0 % of the weight.",
		}},
		{[]int32{1, 2, 2}, []string{
			"2 of 3 1: H00 1 (0.70) 2 is chosen by H01, H02, which have 50.0 % of the weight together.",
		}},
		{[]int32{1, 1, 3}, []string{"0 of 3 1: H00 H01, 3: H02 1 (0.70) 2 is chosen by no program."}},
	} {
		text := printed(t, along(c.firsts), func(*explain.Step) bool { return true })
		for _, want := range c.wants {
			if !strings.Contains(text, want) {
				t.Errorf("programs for %v: the text lacks %q:\n%s", c.firsts, want, text)
			}
		}
	}
}

// The size of the instances that a student learned from is told where it is another one; a depot does not count.
func TestOtherSize(t *testing.T) {
	const other = "It learned from instances of 20 customers."
	e := along([]int32{1, 1, 2})
	e.Problem = routing.CVRP
	for nodes, want := range map[int]bool{3: false, 20: true} {
		e.Student.Nodes = nodes
		if text := printed(t, e, func(*explain.Step) bool { return true }); strings.Contains(text, other) != want {
			t.Errorf("of 3 customers, by a student of %d:\n%s", nodes, text)
		}
	}
}

// Where no step is shown, no program is announced as the leader of one.
func TestNoStepShown(t *testing.T) {
	text := printed(t, along([]int32{1, 1, 2}), func(*explain.Step) bool { return false })
	if !strings.Contains(text, "No step is like that.") || strings.Contains(text, "those of the steps above") {
		t.Error(text)
	}
}

// The reasons of a router are printed where they make up half of the whole, else their groups, and where these do not
// either, the text says so.
func TestReasonsOfAStep(t *testing.T) {
	for others, want := range map[float64]string{
		0.2: "H00 rather than H01, by the router +0.60: +0.50 `other` is trusted. −0.10 H01 is trusted more late. " +
			"+0.20 all other terms",
		2: "H00 rather than H01, by the router +2.40: +1.50 Late in the tour: 7 terms. " +
			"+0.30 In every state: 5 terms. +0.60 all other terms",
		4: "H00 rather than H01, by the router +4.40. It cannot be read in a few terms: 90 add up to this. " +
			"+1.50 Late in the tour: 7 terms. +0.30 In every state: 5 terms. +2.60 all other terms",
		// What is shown is far more than the whole.
		-1: "H00 rather than H01, by the router −0.60. It cannot be read in a few terms: 90 add up to this. ",
	} {
		e := along([]int32{1, 1, 2})
		s := &e.Steps[0]
		s.Reasons = []readable.Term{
			{Says: "`other` is trusted.", Weight: 0.5}, {Says: "`pH01` is trusted more late.", Weight: -0.1},
		}
		s.ReasonGroups = []readable.Term{
			{Says: "Late in the tour: 7 terms.", Weight: 1.5}, {Says: "In every state: 5 terms.", Weight: 0.3},
		}
		s.OtherReasons, s.ReasonCount = others, 90
		text := printed(t, e, func(*explain.Step) bool { return true })
		trimmed := e.Trim(3)
		if !strings.Contains(text, want) {
			t.Errorf("others %v: the text lacks %q:\n%s", others, want, text)
		}
		if again := printed(t, &trimmed, func(*explain.Step) bool { return true }); again != text {
			t.Errorf("others %v: trimmed, it reads\n%s\nand before\n%s", others, again, text)
		}
	}
}

// Terms tell the student's choice from the other candidate, the largest difference first; what is left of the scores
// has the name of what has no weight.
func TestTermsOfAStep(t *testing.T) {
	e := along([]int32{1, 1, 2})
	e.Along, e.Teacher = false, ""
	e.Others = []explain.Cost{{Name: "savings", Rounded: 3}}
	e.Cost = explain.Cost{Name: "the student", Rounded: 4}
	e.Student.Programs[0].Unweighted = "distance"
	s := &e.Steps[0]
	s.TeacherFirst, s.Action, s.WithoutLeader = -1, 1, 3
	s.Terms = &explain.Terms{
		Other: 2, Scores: [2]float32{1.5, 0.25}, Rest: [2]float32{-0.5, -0.25},
		Weights: []explain.TermOfWeight{{Name: "alike", Values: [2]float32{0.5, 0.5}},
			{Name: "lone", Values: [2]float32{2, 0.5}}},
	}
	all := func(*explain.Step) bool { return true }
	text := printed(t, e, all)
	for _, want := range []string{
		"the student 4 savings 3 -25.00 %",
		"1 rather than 2, by H00 +1.25: lone +1.50, distance −0.25 Without H00 the student would choose 3.",
		"In 0 the student would choose the same without the leader",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	s.WithoutLeader = 1
	if text := printed(t, e, all); !strings.Contains(text, "Without H00 the student would choose the same.") ||
		!strings.Contains(text, "In 1 the student would choose the same without the leader") {
		t.Errorf("where nothing changes without the leader:\n%s", text)
	}
}

// Where the leader is outvoted, those who vote for the choice are named with their votes, and no others. A teacher that
// would choose otherwise stands with what it thinks of both.
func TestOutvotedLeader(t *testing.T) {
	e := along([]int32{2, 1, 2})
	e.Along = false
	s := &e.Steps[0]
	s.Action, s.Teacher = 1, []float32{0.3, 0.6, 0.1}
	s.Programs = [][]float32{{0.2, 0.7, 0.1}, {0.9, 0.1, 0}, {0.25, 0.75, 0}}
	text := printed(t, e, func(*explain.Step) bool { return true })
	for _, want := range []string{
		"H00 leads, but would choose 2. The others outvote it for 1: H01 +0.24, against H00 −0.25.",
		"2 (0.60, and 0.30 for 1)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}
