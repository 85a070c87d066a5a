package runtime_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// goes has one weight and prefers the cities near to something, with a sign.
const goes = `package goes

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const pull = 2.0 // of the way

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = SIGN pull * s.Distance(k)
	}
}
`

// late trusts the second program late in the tour, and the sure one more.
const late = `package router

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Weights trusts the second program late in the tour.
func Weights(s *tsp.State, proposals [][]float32, weights []float32) {
	weights[0], weights[1] = 0.5-s.Progress()/2, 0.25+s.Progress()/2
	most := float32(0)
	for _, v := range proposals[0] {
		most = max(most, v)
	}
	weights[0] += most / 4
}
`

// A compiled student mixes its programs by the weights of its router, or takes the program of the largest weight, as
// Go does on the scores that the programs have by themselves.
func TestBuildStudent(t *testing.T) {
	tools := compiletest.Toolchain(t)
	sh := record(t, 9, 5)
	programs := []compile.Program{
		{Name: "near", Source: strings.Replace(goes, "SIGN ", "-", 1)},
		{Name: "far", Source: strings.Replace(goes, "SIGN ", "", 1)},
	}
	tauH := []float64{0.5, 0.25}
	var scores [][]float32
	for _, p := range programs {
		m, err := runtime.Admit(context.Background(), tools, p.Name, p.Source)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		x, err := m.ScoreShard(t.Context(), sh)
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, x.Data().([]float32))
	}
	for _, hard := range []bool{false, true} {
		wasm, err := tools.BuildStudent(t.Context(), compile.Student{
			Programs: programs, TauH: tauH, Router: late, Hard: hard,
		})
		if err != nil {
			t.Fatal(err)
		}
		m, err := runtime.Load("student", wasm, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		x, err := m.ScoreShard(t.Context(), sh)
		if err != nil {
			t.Fatal(err)
		}
		got := x.Data().([]float32)
		for s := range sh.States() {
			a, b := sh.Offset[s], sh.Offset[s+1]
			near, far := softmax(scores[0][a:b], tauH[0]), softmax(scores[1][a:b], tauH[1])
			progress, most := float64(sh.State(s).Step)/9, 0.0
			for _, v := range near {
				most = max(most, v)
			}
			w := []float64{0.5 - progress/2 + most/4, 0.25 + progress/2}
			for k, v := range got[a:b] {
				want := w[0]*near[k] + w[1]*far[k]
				if hard {
					if want = near[k]; w[1] > w[0] {
						want = far[k]
					}
				}
				if math.Abs(float64(v)-want) > 1e-5 {
					t.Fatalf("hard %v, state %d, candidate %d: %v, want %v", hard, s, k, v, want)
				}
			}
		}
	}
}

func softmax(x []float32, tau float64) []float64 {
	p, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		p[i] = math.Exp(float64(v) / tau)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// A router that never ends runs out of fuel, as a program does.
func TestStudentHasFuel(t *testing.T) {
	tools := compiletest.Toolchain(t)
	endless := strings.Replace(late, "weights[0] += most / 4", "for most < 2 {\n\t}", 1)
	wasm, err := tools.BuildStudent(t.Context(), compile.Student{
		Programs: []compile.Program{{Name: "near", Source: strings.Replace(goes, "SIGN ", "-", 1)}, {
			Name: "far", Source: strings.Replace(goes, "SIGN ", "", 1),
		}}, TauH: []float64{1, 1}, Router: endless,
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := runtime.Load("student", wasm, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.ScoreShard(t.Context(), record(t, 9, 1)); err == nil || !strings.Contains(err.Error(), "fuel") {
		t.Errorf("error %v, want one that says that fuel ran out", err)
	}
}
