package evaluate

import (
	"context"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Weighing takes the scores of a student's programs on one instance apart. It is for one goroutine. Close it after use.
type Weighing struct {
	student *Student
	in      *routing.Instance
	guests  []*runtime.Guest     // [M] nil until one is needed
	weights [][]heuristic.Weight // [M] nil until they are needed
	crashed []bool               // [M] the program needs all of its weights
}

// Weigh returns a weighing of the student's programs on an instance.
func (s *Student) Weigh(in *routing.Instance) *Weighing {
	M := len(s.Programs.modules)
	return &Weighing{s, in, make([]*runtime.Guest, M), make([][]heuristic.Weight, M), make([]bool, M)}
}

// Weighed is the score of one program in a state, taken apart by its weights.
type Weighed struct {
	Weights []heuristic.Weight // [W] in the order of the source
	Score   []float32          // [K] c_m
	// Terms is [W][K], what each weight contributes: the score as it is, minus the score with this weight at 0. For a
	// sum of weighted terms it is the term itself.
	Terms [][]float32
}

// Program takes the score of program m in a decision apart. ok is false of a program that has no weights, or that
// crashes without one of them, for example because it divides by it.
func (w *Weighing) Program(ctx context.Context, m int, at features.Decision) (out Weighed, ok bool, err error) {
	if err := w.open(m); err != nil {
		return Weighed{}, false, err
	}
	if w.crashed[m] || len(w.weights[m]) == 0 {
		return Weighed{}, false, nil
	}
	states := runtime.States{
		First: []int32{at.First}, Current: []int32{at.Current}, Step: []int32{at.Step},
		Offset: []int{0, len(at.Candidates)}, Candidates: at.Candidates,
		Remaining: []int32{at.Remaining}, WaitingOffset: []int{0, len(at.Waiting)}, Waiting: at.Waiting,
	}
	K := len(at.Candidates)
	out = Weighed{Weights: w.weights[m], Score: make([]float32, K)}
	for range out.Weights {
		out.Terms = append(out.Terms, make([]float32, K))
	}
	if err := w.guests[m].Score(ctx, &states, out.Score); err != nil {
		return Weighed{}, false, err
	}
	if err := w.guests[m].ScoreWithout(ctx, &states, out.Terms); err != nil {
		if _, ok := errors.AsType[*runtime.Crash](err); ok {
			w.crashed[m] = true
			return Weighed{}, false, nil
		}
		return Weighed{}, false, err
	}
	for _, term := range out.Terms {
		for k, without := range term {
			term[k] = out.Score[k] - without
		}
	}
	return out, true, nil
}

// open starts the guest of program m and reads its weights, if that has not been done.
func (w *Weighing) open(m int) error {
	if w.guests[m] != nil {
		return nil
	}
	h := w.student.Programs.Bank.Heuristics[m]
	checked, err := heuristic.Check(h.Source)
	if err != nil {
		return fmt.Errorf("heuristic %s: %w", h.Name, err)
	}
	w.weights[m] = checked.Weights()
	if w.guests[m], err = w.student.Programs.modules[m].NewGuest(); err != nil {
		return err
	}
	return w.guests[m].SetInstance(w.in)
}

// Close ends the programs.
func (w *Weighing) Close() {
	for _, g := range w.guests {
		if g != nil {
			g.Close()
		}
	}
}
