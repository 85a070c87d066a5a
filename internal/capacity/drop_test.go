package capacity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/capacity"
)

func without(kept []int, i int) []int { return slices.Delete(slices.Clone(kept), i, i+1) }

// The subtraction must be exact enough in difficult cases: one weight near 1 (spread 60), a program that is the only
// one with the teacher's action (sharp V), and both.
func TestLeaveOneOutMatchesReference(t *testing.T) {
	for _, spread := range []float64{0.1, 3, 60} {
		for seed := range uint64(20) {
			mx := randomMixture(seed, 40, 2+int(seed)%7, 12, spread)
			kept := mx.All()
			loss, outs := mx.LeaveOneOut(kept)
			if want := referenceLoss(mx, kept); math.Abs(loss-want) > 1e-9 {
				t.Fatalf("spread %v seed %d: loss %v, want %v", spread, seed, loss, want)
			}
			for i, got := range outs {
				if want := referenceLoss(mx, without(kept, i)); math.Abs(got-want) > 1e-8 {
					t.Errorf("spread %v seed %d: loss without %d is %v, want %v", spread, seed, i, got, want)
				}
			}
		}
	}
}

func TestLeaveOneOutWhenOneWeightIsOne(t *testing.T) {
	mx := &capacity.Mixture{
		Offset:  []int64{0, 2},
		Teacher: []float32{0.5, 0.5},
		V:       [][]float32{{0, 1}, {0.25, 0.75}, {0.75, 0.25}},
		Logits:  []float32{900, 0, 0}, // w_1 and w_2 underflow next to w_0
	}
	_, outs := mx.LeaveOneOut(mx.All())
	if want := 0.0; math.Abs(outs[0]-want) > 1e-12 { // the two others mix to the teacher's ½, ½
		t.Errorf("loss without the dominant heuristic = %v, want %v", outs[0], want)
	}
}

func TestLeaveOneOutIgnoresCores(t *testing.T) {
	mx := randomMixture(7, 3000, 5, 12, 3)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	loss1, outs1 := mx.LeaveOneOut(mx.All())
	runtime.GOMAXPROCS(7)
	loss7, outs7 := mx.LeaveOneOut(mx.All())
	if loss1 != loss7 || !slices.Equal(outs1, outs7) {
		t.Errorf("one core: %v %v, seven: %v %v", loss1, outs1, loss7, outs7)
	}
}

func TestDropProperties(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		mx := randomMixture(seed, 60, 3+rng.IntN(5), 12, 2)
		limits := capacity.DropLimits{Epsilon: 0.2 * rng.Float64(), Max: 1 + rng.IntN(4), MinSize: 1 + rng.IntN(3)}
		kept, removed := capacity.Drop(mx, limits)

		before := referenceLoss(mx, mx.All())
		after := referenceLoss(mx, kept)
		if rise := after - before; rise > float64(len(removed))*limits.Epsilon+1e-9 {
			t.Errorf("seed %d: loss rose by %v in %d removals at ε = %v", seed, rise, len(removed), limits.Epsilon)
		}
		loss, _ := mx.LeaveOneOut(mx.All())
		for _, r := range removed {
			if r.Loss-loss > limits.Epsilon+1e-9 {
				t.Errorf("seed %d: removal %+v costs more than ε = %v", seed, r, limits.Epsilon)
			}
			loss = r.Loss
		}
		if len(kept) < limits.MinSize || len(removed) > limits.Max || len(kept)+len(removed) != len(mx.V) {
			t.Errorf("seed %d: kept %v, removed %v under %+v", seed, kept, removed, limits)
		}

		if len(removed) < limits.Max {
			if again, more := capacity.Drop(subset(mx, kept), limits); len(more) > 0 {
				t.Errorf("seed %d: a second call removes %v of %v", seed, more, again)
			}
		}

		order := rng.Perm(len(mx.V))
		shuffled, _ := capacity.Drop(subset(mx, order), limits)
		for i, m := range shuffled {
			shuffled[i] = order[m]
		}
		slices.Sort(shuffled)
		if !slices.Equal(shuffled, kept) {
			t.Errorf("seed %d: kept %v, in another order %v", seed, kept, shuffled)
		}
	}
}

// A removal that costs exactly ε is made. M_min limits the removals even if all cost nothing.
func TestDropAtItsLimits(t *testing.T) {
	twins := &capacity.Mixture{ // all the same: each removal costs nothing
		Offset: []int64{0, 2}, Teacher: []float32{0.5, 0.5}, V: [][]float32{{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5},
			{0.5, 0.5}}, Logits: make([]float32, 4),
	}
	for _, tt := range []struct {
		limits capacity.DropLimits
		kept   []int
	}{
		{capacity.DropLimits{Epsilon: 0, Max: 9, MinSize: 1}, []int{0}}, // δ = ε = 0
		{capacity.DropLimits{Epsilon: 1, Max: 9, MinSize: 3}, []int{0, 1, 2}},
		{capacity.DropLimits{Epsilon: 1, Max: 2, MinSize: 1}, []int{0, 1}},
	} {
		if kept, removed := capacity.Drop(twins, tt.limits); !slices.Equal(kept, tt.kept) {
			t.Errorf("%+v: kept %v, removed %v, want %v", tt.limits, kept, removed, tt.kept)
		}
	}
}

func TestDropKeepsTheOlderTwin(t *testing.T) {
	mx := &capacity.Mixture{ // with both twins, the second action has too much probability
		Offset:  []int64{0, 2},
		Teacher: []float32{0.5, 0.5},
		V:       [][]float32{{1, 0}, {0, 1}, {0, 1}},
		Logits:  []float32{0, 0, 0},
	}
	kept, removed := capacity.Drop(mx, capacity.DropLimits{Epsilon: 0, Max: 3, MinSize: 1})
	if !slices.Equal(kept, []int{0, 1}) {
		t.Errorf("kept %v, want 0 and 1; removed %v", kept, removed)
	}
	if math.Abs(removed[0].Loss) > 1e-12 {
		t.Errorf("removal %+v, want a fall of the loss to 0", removed[0])
	}
}

// subset returns the mixture of the given heuristics in the given order.
func subset(mx *capacity.Mixture, order []int) *capacity.Mixture {
	sub := &capacity.Mixture{Offset: mx.Offset, Teacher: mx.Teacher}
	for _, m := range order {
		sub.V = append(sub.V, mx.V[m])
	}
	for s := range mx.States() {
		for _, m := range order {
			sub.Logits = append(sub.Logits, mx.Logits[s*len(mx.V)+m])
		}
	}
	return sub
}

func BenchmarkLeaveOneOut(b *testing.B) {
	const S = 50_000
	for _, M := range []int{14, 36} {
		for _, N := range []int{20, 50} {
			b.Run(fmt.Sprintf("M=%d/N=%d", M, N), func(b *testing.B) {
				mx := randomMixture(1, S, M, N-1, 3)
				for b.Loop() {
					mx.LeaveOneOut(mx.All())
				}
				b.ReportMetric(float64(b.N*S)/b.Elapsed().Seconds(), "states/s")
			})
		}
	}
}

// Near-duplicates are merged before anything else, however little the loss may rise: the one leaves without which the
// loss is lower. A young program stays, and so does its twin.
func TestDropMergesNearDuplicates(t *testing.T) {
	mx := &capacity.Mixture{
		Offset:  []int64{0, 2, 4, 6},
		Teacher: []float32{0.9, 0.1, 0.9, 0.1, 0.9, 0.1},
		V: [][]float32{ // 0 and 2 choose alike, and 2 is nearer to the teacher
			{0.6, 0.4, 0.6, 0.4, 0.4, 0.6},
			{0.4, 0.6, 0.9, 0.1, 0.9, 0.1},
			{0.9, 0.1, 0.9, 0.1, 0.4, 0.6},
		},
		Logits: make([]float32, 9),
	}
	for _, tt := range []struct {
		name   string
		limits capacity.DropLimits
		want   []int // heuristics that leave
		twin   int
	}{
		{"merged", capacity.DropLimits{Epsilon: -1, Max: 3, MinSize: 1, Alike: 0.95}, []int{0}, 2},
		{"not asked for", capacity.DropLimits{Epsilon: -1, Max: 3, MinSize: 1}, nil, 0},
		{"less than all", capacity.DropLimits{Epsilon: -1, Max: 3, MinSize: 1, Alike: 1}, nil, 0},
		{"young", capacity.DropLimits{Epsilon: -1, Max: 3, MinSize: 1, Alike: 0.95, Young: []int{2}}, nil, 0},
		{"no room", capacity.DropLimits{Epsilon: -1, Max: 3, MinSize: 3, Alike: 0.95}, nil, 0},
		{"twins alone", capacity.DropLimits{Epsilon: 9, Max: 3, MinSize: 1, Alike: 0.95, Twins: true}, []int{0}, 2},
		{"the young stay", capacity.DropLimits{Epsilon: 9, Max: 3, MinSize: 1, Young: []int{1, 2}}, []int{0}, -1},
	} {
		_, removed := capacity.Drop(mx, tt.limits)
		if len(removed) != len(tt.want) {
			t.Errorf("%s: removed %+v, want %v", tt.name, removed, tt.want)
			continue
		}
		for i, r := range removed {
			if r.Heuristic != tt.want[i] || r.Twin != tt.twin || tt.twin >= 0 && r.Alike != 1 {
				t.Errorf("%s: removed %+v, want %v", tt.name, removed, tt.want)
			}
		}
	}
}
