package explain_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// single is a student of one program of tours, which begins at the leftmost node.
func single(t *testing.T, constants, score string) *evaluate.Student {
	t.Helper()
	h, err := bank.New("only", `package only

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

`+constants+`
// Score is a sum.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = `+score+`
	}
}
`, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	h.TauH = 0.1
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: []bank.Heuristic{h}}
	built, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(built.Close)
	model := student.New(student.Config{Problem: routing.TSP, Router: student.Named, Programs: 1}, 1)
	return &evaluate.Student{Programs: built, Start: "leftmost", Model: model}
}

// The leader's score is taken apart into its weighted terms and a rest, of the choice and of the next best candidate.
func TestTerms(t *testing.T) {
	in := problems.Must(routing.TSP).Generate(8, 1, 5)[0]
	s := single(t, "const right, up = 0.4, -0.25\n", "right*s.X[c] + up*s.Y[c] - s.Row(s.Current)[c]")
	e := explained(t, s, in)
	small := e.Trim(3)
	for i := range e.Steps {
		step := &e.Steps[i]
		if !step.Decided() {
			if step.Terms != nil {
				t.Errorf("step %d: terms where nothing was decided", step.Step)
			}
			continue
		}
		for side, c := range [2]int32{step.Candidates[step.Chosen], step.Terms.Other} {
			x, y := in.XY(int(c))
			fx, fy := in.XY(int(step.From))
			away := math.Hypot(float64(x-fx), float64(y-fy))
			want := map[string]float64{"right": 0.4 * float64(x), "up": -0.25 * float64(y)}
			sum := float64(step.Terms.Rest[side])
			for _, w := range step.Terms.Weights {
				got := float64(w.Values[side])
				if math.Abs(got-want[w.Name]) > 1e-6 {
					t.Errorf("step %d, node %d: %s is %v, want %v", step.Step, c, w.Name, got, want[w.Name])
				}
				sum += got
			}
			if math.Abs(float64(step.Terms.Rest[side])+away) > 1e-6 {
				t.Errorf("step %d, node %d: the rest is %v, want %v", step.Step, c, step.Terms.Rest[side], -away)
			}
			if math.Abs(sum-float64(step.Terms.Scores[side])) > 1e-6 {
				t.Errorf("step %d, node %d: %v add up to %v", step.Step, c, step.Terms, sum)
			}
		}
		if len(step.Terms.Weights) != 2 || step.Terms.Scores[0] < step.Terms.Scores[1] {
			t.Errorf("step %d: the only program chose by %+v", step.Step, step.Terms)
		}
		if got, all := small.Steps[i].Terms.Scores[0], step.Terms.Scores[0]; math.Abs(float64(got-all)) > 1e-3 {
			t.Errorf("step %d: trimmed score %v, was %v", step.Step, got, all)
		}
	}
}

// Terms compare the choice with the teacher's where that is another one, and elsewhere with the next best.
func TestTermsAgainstTheTeacher(t *testing.T) {
	of, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	s := single(t, "const right, up = 0.4, -0.25\n", "right*s.X[c] + up*s.Y[c] - s.Row(s.Current)[c]")
	x, err := explain.New(s, distilled.Manifest{}, &of)
	if err != nil {
		t.Fatal(err)
	}
	file := instances.OfInstance(problems.Must(routing.TSP).Generate(20, 1, 5)[0])
	e, err := x.Explain(t.Context(), &file, routing.OwnStart, "")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[bool]int{}
	for i := range e.Steps {
		step := &e.Steps[i]
		if !step.Decided() {
			continue
		}
		compared[step.Parts()]++
		want := step.TeacherFirst
		if !step.Parts() {
			_, second := routing.TopTwo(step.Student)
			want = step.Candidates[second]
		}
		if got := step.Terms.Other; got != want {
			t.Errorf("step %d: the choice is compared with %d, want %d", step.Step, got, want)
		}
		if step.WithoutLeader != -1 {
			t.Errorf("step %d: without its only program the student takes %d", step.Step, step.WithoutLeader)
		}
	}
	if compared[true] == 0 || compared[false] == 0 {
		t.Errorf("the teacher parts (true) and agrees: %v", compared)
	}
}

// A program that cannot do without one of its weights has no terms, and the student solves the instance all the same.
func TestTermsOfADivisor(t *testing.T) {
	in := problems.Must(routing.TSP).Generate(8, 1, 5)[0]
	for constants, score := range map[string]string{
		"const unit = 0.5\n": "-s.Row(s.Current)[c] / unit",
		"":                   "-s.Row(s.Current)[c]",
	} {
		e := explained(t, single(t, constants, score), in)
		if len(e.Actions) != 8 {
			t.Errorf("%s: actions %v", score, e.Actions)
		}
		for i := range e.Steps {
			if e.Steps[i].Terms != nil {
				t.Errorf("%s: terms %+v", score, e.Steps[i].Terms)
			}
		}
	}
}
