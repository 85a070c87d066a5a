package certify

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// byHand holds the decisions of nearest-neighbour tours of 4 instances: 11 to 2 candidates in the 10 states of each.
// The student chooses as the teacher. What the programs think is left to the test.
func byHand(t *testing.T, programs int) *decisions {
	t.Helper()
	runs := func(int) []routing.Run { return []routing.Run{{Start: 0, Record: true}} }
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, tsp.Generate(12, 4, 1), runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &decisions{sh: sh, M: programs, seed: 1, piT: dense.Open[float32](sh.Probs)}
	d.teacher = agreement.FirstChoices(sh.Offset, d.piT)
	d.student, d.nearest = append(d.student, d.teacher...), append(d.nearest, d.teacher...)
	d.leader = make([]int32, sh.States())
	for s := range sh.States() {
		d.instance = append(d.instance, sh.InstanceOf[sh.Traj[s]])
	}
	if sh.States() != 40 || d.candidates(0) != 11 || d.candidates(9) != 2 {
		t.Fatalf("%d states, %d to %d candidates, want 40, 11 and 2", sh.States(), d.candidates(0), d.candidates(9))
	}
	return d
}

// other returns other choices than those given, in every state.
func (d *decisions) other(choice []int32) []int32 {
	out := make([]int32, len(choice))
	for s, k := range choice {
		out[s] = (k + 1) % int32(d.candidates(s))
	}
	return out
}

// Decisions are told apart by the way, by the number of candidates, and by what the teacher takes. The hard ones are
// those that neither nearness nor a plan explains.
func TestSlicesOfTheAgreement(t *testing.T) {
	d := byHand(t, 1)
	plan := d.other(d.nearest)
	for s := range d.teacher {
		switch K := int32(d.candidates(s)); {
		case K == 3: // neither the nearest nor the plan's
			d.teacher[s] = (d.nearest[s] + 2) % K
		case K == 4:
			d.teacher[s] = plan[s]
		}
	}
	a := d.agree(plan)
	if a.Overall.Student.N != 40 || a.Overall.Student.Of != 0.8 || a.Hard.Student.N != 4 || a.Hard.Student.Of != 0 {
		t.Errorf("the student agrees in %+v, where it is hard in %+v", a.Overall.Student, a.Hard.Student)
	}
	for _, c := range []struct {
		what string
		all  []Slice
		n    int
	}{
		{"2 candidates", a.Candidates, 4}, {"3 to 5 candidates", a.Candidates, 12},
		{"6 to 10 candidates", a.Candidates, 20}, {"11 to 20 candidates", a.Candidates, 4},
		{"the teacher takes the nearest", a.Ranks, 32}, {"0–20 % of the way", a.Stages, 8},
		{"20–40 % of the way", a.Stages, 8}, {"80–100 % of the way", a.Stages, 4},
	} {
		found := 0
		for _, x := range c.all {
			if x.What == c.what {
				found = x.Student.N
			}
		}
		if found != c.n {
			t.Errorf("%s: %d decisions, want %d of %+v", c.what, found, c.n, c.all)
		}
	}
	if early := a.Stages[0].Student; early.Of != 1 {
		t.Errorf("the student agrees in %v at the beginning, where the teacher takes the nearest", early.Of)
	}
}

// The leader's lead is told by its quantiles. Without the leader the next program decides; a program drawn by lot is
// sometimes another one.
func TestAttribution(t *testing.T) {
	d := byHand(t, 3)
	d.hard = true
	d.first = [][]int32{d.student, d.other(d.student), d.student}
	for s := range d.student {
		if s < 10 {
			d.w = append(d.w, 0.75, 0.15, 0.1)
		} else {
			d.w = append(d.w, 0.5, 0.3, 0.2)
		}
	}
	a := d.attribute()
	for i, want := range []float64{0.2, 0.2, 0.2, 0.6, 0.6} {
		if got := a.Margins[i]; math.Abs(got.Lead-want) > 1e-6 {
			t.Errorf("in %v of the decisions the lead is at most %v, want %v", got.Quantile, got.Lead, want)
		}
	}
	if a.Alone.Of != 1 || math.Abs(a.Consensus-2./3) > 1e-9 {
		t.Errorf("the leader alone %v, consensus %v, want 1 and 2/3", a.Alone.Of, a.Consensus)
	}
	if a.Removed.Of != 1 || a.RemovedTop1.Of != 0 {
		t.Errorf("without the leader %v change and %v are right, want all and none", a.Removed.Of, a.RemovedTop1.Of)
	}
	if s := a.Swapped.Of; s < 0.25 || s > 0.75 || math.Abs(a.SwappedTop1.Of-(1-s)) > 1e-9 {
		t.Errorf("by lot %v change and %v are right, want about half", s, a.SwappedTop1.Of)
	}
}

// Without a program the others grow in proportion: what is lost is the loss of their mixture less that of all. The
// divergence is that of the mixture, with the weights of each state.
func TestLossWithoutAProgram(t *testing.T) {
	d := byHand(t, 2)
	right, even := make([]float32, len(d.piT)), make([]float32, len(d.piT))
	var want, lost float64
	for s := range d.student {
		a, b := d.sh.Offset[s], d.sh.Offset[s+1]
		K := float64(b - a)
		for k := a; k < b; k++ {
			d.piT[k], right[k], even[k] = 0, 0, float32(1/K)
		}
		d.piT[a+int64(d.teacher[s])], right[a+int64(d.teacher[s])] = 1, 1
		w := 0.75
		if s%2 == 1 {
			w = 0.25
		}
		d.w = append(d.w, float32(w), float32(1-w))
		kl := -math.Log(w + (1-w)/K)
		want, lost = want+kl/40, lost+(math.Log(K)-kl)/40
	}
	d.Vm = [][]float32{right, even}
	if kl, _ := d.divergence(); math.Abs(kl-want) > 1e-5 {
		t.Errorf("divergence %v, want %v", kl, want)
	}
	for m, rise := range []float64{lost, -want} {
		if got, _ := d.without(m); math.Abs(got-rise) > 1e-5 {
			t.Errorf("without program %d the loss rises by %v, want %v", m, got, rise)
		}
	}
}

// Mixed evenly, two programs that agree outvote a third one.
func TestEvenlyMixed(t *testing.T) {
	d := byHand(t, 3)
	one := func(choice []int32) []float32 {
		V := make([]float32, len(d.piT))
		for s, k := range choice {
			V[d.sh.Offset[s]+int64(k)] = 1
		}
		return V
	}
	others := d.other(d.student)
	d.Vm = [][]float32{one(d.student), one(others), one(others)}
	for s, k := range d.even() {
		if k != others[s] {
			t.Fatalf("state %d: choice %d, want %d, which two of three programs make", s, k, others[s])
		}
	}
}

// Leaders match by lot as often as the matched programs lead in both students.
func TestLeadersByLot(t *testing.T) {
	x, y := byHand(t, 2), byHand(t, 2)
	x.first = [][]int32{x.student, x.other(x.student)}
	y.first = [][]int32{x.first[1], x.first[0]} // the other way round
	for s := range x.leader {
		if s%4 == 0 {
			x.leader[s] = 1
		}
		y.leader[s] = 1
	}
	if got := x.stability("again", y); got.Leaders.Of != 0.75 || math.Abs(got.Chance-0.75) > 1e-9 {
		t.Errorf("leaders match in %v, by lot in %v, want 0.75 each", got.Leaders.Of, got.Chance)
	}
}

// Of several solutions of an instance, costs and starts are those of the first.
func TestFirstSolutionCounts(t *testing.T) {
	runs := func(int) []routing.Run { return []routing.Run{{Start: 3, Record: true}, {Start: 5, Record: true}} }
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, tsp.Generate(12, 2, 1), runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&decisions{sh: sh}).solved()
	if err != nil {
		t.Fatal(err)
	}
	for i, start := range got.starts {
		in := sh.Instance(i)
		want, err := problems.Cost(&in, sh.Tour(2*i))
		if start != 3 || err != nil || got.costs[i] != want {
			t.Errorf("instance %d begins at %d and costs %v (%v), want 3 and %v", i, start, got.costs[i], err, want)
		}
	}
}
