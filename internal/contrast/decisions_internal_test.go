package contrast

import (
	"math"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// byHand holds 20 decisions of each of four instances, numbered from 0 by a feature of the state. Two programs, of two
// categories, have equal weights in all fits.
func byHand(t *testing.T) *decisions {
	t.Helper()
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	first := func(phase bool) bank.Heuristic {
		i := slices.IndexFunc(b.Heuristics, func(h bank.Heuristic) bool {
			c, err := h.Category()
			return err == nil && (c == sdk.Phase) == phase
		})
		if i < 0 {
			t.Fatalf("no program is of the category phase: %v, of %v", phase, b.Names())
		}
		return b.Heuristics[i]
	}
	two := *b
	two.Heuristics = []bank.Heuristic{first(true), first(false)}
	d := &decisions{bank: &two, seed: 1, unit: []float64{0.5}, set: &features.Set{
		State: []features.Feature{{Name: "step", High: "late", Low: "early"}},
		Node:  []features.Feature{{Name: "alone", High: "isolated cities", Low: "crowds"}},
	}}
	d.data[0].Shard = &rollout.Shard{N: 2, Coords: dense.Of(make([]float32, 16), 4, 2, 2)}
	for i := range int32(4) {
		for k := range 20 {
			d.pairs, d.instance = append(d.pairs, pair{}), append(d.instance, i)
			d.fifth, d.nearest = append(d.fifth, k/4), append(d.nearest, 0)
			d.z = append(d.z, []float32{float32(k)})
			for who := range d.w {
				d.choice[who] = append(d.choice[who], 0)
				d.w[who] = append(d.w[who], []float64{0.5, 0.5})
				d.again[who] = append(d.again[who], []float64{0.5, 0.5})
				d.f[who] = append(d.f[who], []float32{0})
			}
		}
	}
	return d
}

// What a condition tells is of the second fit and of the instances of odd number: the first ones chose it.
func TestConditionIsOfOtherFitsAndInstances(t *testing.T) {
	d := byHand(t)
	for p, i := range d.instance {
		late := d.z[p][0] >= 13
		d.w[0][p][0], d.w[1][p][0] = 0.9, 0.1
		if i%2 == 1 {
			d.again[0][p][0], d.again[1][p][0] = 0.2, 0.1
			if late {
				d.again[0][p][0] = 0.6
			}
		}
	}
	c := d.condition(0, 0, d.thirds(0))
	for _, x := range []struct {
		what string
		got  Estimate
		want float64
	}{{"late", c.Above, 0.5}, {"early", c.Below, 0.1}, {"late less early", c.Change, 0.4}} {
		if math.Abs(x.got.Mean-x.want) > 1e-9 || x.got.N == 0 {
			t.Errorf("%s: %+v, want %v", x.what, x.got, x.want)
		}
	}
	if c.High != "late" || c.Low != "early" || c.Above.N != 14 || c.Below.N != 14 {
		t.Errorf("%+v, want 14 decisions of either third", c)
	}
}

// What A's choice rather is, is told by the instances of odd number. The others only choose the features.
func TestTermsAreOfOtherInstances(t *testing.T) {
	d := byHand(t)
	for p, i := range d.instance {
		d.choice[1][p] = 1
		d.f[0][p][0] = []float32{1, -0.5, 1.1, -0.5}[i]
	}
	terms := d.terms(func(int) bool { return true })
	if len(terms) != 1 || terms[0].More.Mean != -1 || terms[0].A != "crowds" || terms[0].B != "isolated cities" {
		t.Errorf("%+v, want A at crowds, by a spread", terms)
	}
}

// Both fits say who leads, and how much more a category weighs where a policy does not go to the nearest.
func TestWeightsOfBothFits(t *testing.T) {
	d := byHand(t)
	for p := range d.pairs {
		d.choice[0][p], d.choice[1][p] = 1, 1
		d.w[0][p], d.again[0][p] = []float64{0.9, 0.1}, []float64{0.3, 0.7}
		d.w[1][p], d.again[1][p] = []float64{0.1, 0.9}, []float64{0.2, 0.8}
	}
	var c Contrast
	if err := d.programs(&c); err != nil {
		t.Fatal(err)
	}
	x := c.Programs[0]
	if math.Abs(x.Weight[0]-0.6) > 1e-9 || math.Abs(x.Weight[1]-0.15) > 1e-9 || math.Abs(x.More.Mean-0.45) > 1e-9 {
		t.Errorf("weights %v, %v more for A, want 0.6, 0.15 and 0.45", x.Weight, x.More.Mean)
	}
	if x.Leads != [2]float64{0.5, 0} {
		t.Errorf("the first program leads %v, want half of A's fits", x.Leads)
	}
	for _, x := range c.Categories {
		want := x.Deviating[0].Mean - x.Deviating[1].Mean
		if math.Abs(x.DeviatingMore.Mean-want) > 1e-9 || x.DeviatingMore.N != 160 {
			t.Errorf("%s: %+v more for A, want %v", x.Name, x.DeviatingMore, want)
		}
		if want == 0 {
			t.Errorf("%s weighs the same for both: the test shows nothing", x.Name)
		}
	}
}

// A program that was never fitted gets the geometric mean of the τ_h that fit it to either policy.
func TestSharedTauH(t *testing.T) {
	var train [2]student.Dataset
	for i, scale := range []float64{3, 12} {
		sh := &rollout.Shard{
			N: 4, Traj: []int32{0, 0}, Step: []int32{1, 2}, Offset: []int64{0, 3, 5}, InstanceOf: []int32{0},
			Candidates: []uint16{1, 2, 3, 2, 3}, Probs: dense.Vector([]float32{0.7, 0.2, 0.1, 0.4, 0.6}),
		}
		var scores []float32
		for _, p := range dense.Open[float32](sh.Probs) {
			scores = append(scores, float32(scale*math.Log(float64(p))))
		}
		c := dense.Vector(scores)
		train[i] = student.Dataset{Shard: sh, Scores: []*tensor.Dense{c, c}}
	}
	programs := evaluate.NewPrograms(&bank.Bank{Heuristics: []bank.Heuristic{{Unfitted: true}, {}}}, nil)
	tau := dense.Open[float64](sharedTauH(dense.Vector([]float64{1, 2}), programs, train))
	if math.Abs(tau[0]/6-1) > 0.02 || tau[1] != 2 {
		t.Errorf("τ_h %v, want 6 and the given 2", tau)
	}
}

// Leaders match by lot as often as the matched programs lead in both students.
func TestLeadersByLot(t *testing.T) {
	insts := problems.Must(routing.TSP).Generate(10, 2, 1)
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	S := sh.States()
	always := func(k int32) []int32 {
		of := make([]int32, S)
		for s := range of {
			of[s] = k
		}
		return of
	}
	// The first program of x is the last one of y, and the second one of x the first of y.
	x := views{sh: sh, Decided: evaluate.Decided{
		Choices: always(0), Leaders: always(0), Firsts: [][]int32{always(0), always(1)},
	}}
	y := views{sh: sh, Decided: evaluate.Decided{
		Choices: always(0), Leaders: always(2), Firsts: [][]int32{always(1), always(2), always(0)},
	}}
	for s := range S / 4 {
		y.Leaders[s], y.Choices[s] = 0, 1
	}
	got := match(0, 1, x, y, 1)
	if share := 1 - float64(S/4)/float64(S); math.Abs(got.Chance-share) > 1e-9 ||
		math.Abs(got.Leaders.Mean-share) > 1e-9 || math.Abs(got.Choices.Mean-share) > 1e-9 {
		t.Errorf("leaders match in %v, by lot in %v, choices in %v, want %v each", got.Leaders.Mean, got.Chance,
			got.Choices.Mean, share)
	}
}
