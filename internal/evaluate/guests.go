package evaluate

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// guests are running instances of some of the programs, for one goroutine.
type guests []*runtime.Guest

func startGuests(modules []*runtime.Module) (guests, error) {
	var gs guests
	for _, m := range modules {
		g, err := m.NewGuest()
		if err != nil {
			gs.close()
			return nil, err
		}
		gs = append(gs, g)
	}
	return gs, nil
}

func (gs guests) close() {
	for _, g := range gs {
		g.Close()
	}
}

func (gs guests) setInstance(in *routing.Instance) error {
	for _, g := range gs {
		if err := g.SetInstance(in); err != nil {
			return fmt.Errorf("instance %s: %w", in.Name, err)
		}
	}
	return nil
}

// scores has every guest score the frontier, one call each: [M][L], aligned with the candidates. It reuses out.
func (gs guests) scores(f *frontier, out [][]float32) ([][]float32, error) {
	for len(out) < len(gs) {
		out = append(out, nil)
	}
	for i, g := range gs {
		out[i] = dense.Sized(out[i], len(f.Candidates))
		// A routing.Decoder has no context. The guest's own time limit still ends it, and a caller can stop between
		// instances.
		if err := g.Score(context.Background(), &f.States, out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// frontier holds the states that runs on one instance are in, those with a choice.
type frontier struct {
	runtime.States
	run    []int   // [T] which run each state belongs to
	anchor []int32 // [T] as routing.Row
}

func (f *frontier) reset() {
	f.Reset()
	f.run, f.anchor = f.run[:0], f.anchor[:0]
}

// add appends the state of run r with its candidates.
func (f *frontier) add(r int, s routing.State, cand []uint16) {
	f.run, f.anchor = append(f.run, r), append(f.anchor, s.Row().Anchor)
	f.Candidates = append(f.Candidates, cand...)
	f.AddState(s)
}

// of returns the part of a ragged array that belongs to state i.
func (f *frontier) of(i int, ragged []float32) []float32 { return ragged[f.Offset[i]:f.Offset[i+1]] }

// live returns the states as a session reads them.
func (f *frontier) live() student.Live {
	return student.Live{
		Anchor: f.anchor, Current: f.Current, Remaining: f.Remaining, Offset: f.Offset, Candidates: f.Candidates,
		First: f.First, Step: f.Step, WaitingOffset: f.WaitingOffset, Waiting: f.Waiting,
	}
}
