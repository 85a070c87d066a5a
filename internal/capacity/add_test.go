package capacity_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

func set(states int, members ...int) agreement.StateSet {
	x := agreement.NewStateSet(states)
	for _, s := range members {
		x.Put(s)
	}
	return x
}

func TestFaultsSampleAssign(t *testing.T) {
	hits := []agreement.StateSet{set(6, 0, 4), set(6, 4, 5)}
	faults := capacity.Faults(6, hits)
	if !slices.Equal(faults, []int32{1, 2, 3}) {
		t.Fatalf("Faults = %v, want 1 2 3", faults)
	}
	if c := capacity.Coverage(6, hits); c != 0.5 {
		t.Errorf("Coverage = %v, want 0.5", c)
	}
	kl := [][]float32{
		{9, 1, 3, 2, 9, 9},
		{9, 4, 3, 1, 9, 9},
	}
	// The divergence of the best member is 1, 3 and 1 nats; states 1 and 3 tie.
	if got := capacity.Sample(faults, kl, 4); !slices.Equal(got, []int32{2, 1, 3}) {
		t.Errorf("Sample = %v, want 2 1 3", got)
	}
	if got := capacity.Assign(faults, kl); !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("Assign = %v, want 0 0 1", got)
	}
}

// The hardest states come first. The others are evenly spread over the rest. If n is larger than their number, all are
// returned.
func TestSample(t *testing.T) {
	faults := []int32{0, 1, 2, 3, 4, 5, 6}
	kl := [][]float32{{1, 1, 1, 9, 1, 1, 8}}
	for n, want := range map[int][]int32{
		0: {}, 1: {0}, 4: {3, 6, 0, 2}, 5: {3, 6, 0, 1, 4}, 7: {3, 6, 0, 1, 2, 4, 5}, 20: {3, 6, 0, 1, 2, 4, 5},
	} {
		if got := capacity.Sample(faults, kl, n); !slices.Equal(got, want) {
			t.Errorf("%d of %v: %v, want %v", n, faults, got, want)
		}
	}
}

// The states of one tour are all in one half.
func TestSplitByInstance(t *testing.T) {
	sh := &rollout.Shard{InstanceOf: []int32{0, 1, 1, 2}, Traj: []int32{0, 0, 1, 1, 2, 3, 3}}
	refine, heldOut := capacity.Split(sh, []int32{1, 2, 4, 6})
	if !slices.Equal(refine, []int32{1, 6}) || !slices.Equal(heldOut, []int32{2, 4}) {
		t.Errorf("refine %v, held out %v, want 1 6 and 2 4", refine, heldOut)
	}
}

// Each fault belongs to its owner only. All other states belong to nobody.
func TestOwnership(t *testing.T) {
	kl := [][]float32{{1, 2, 3}, {0, 5, 1}} // state 0 is closest to candidate 1, state 1 to 0, state 2 to 1
	want := []float32{0, 0, 1, 0, 0, 1}     // [S,C]; state 0 is no fault
	w := capacity.Ownership(3, 2, []int32{1, 2}, kl)
	if got, err := dense.Values[float32]("weights", w, 3, 2); err != nil || !slices.Equal(got, want) {
		t.Errorf("Ownership = %v (%v), want %v", got, err, want)
	}
}

func TestAdmitTakesMarginalCoverage(t *testing.T) {
	bank := []agreement.StateSet{set(10, 0, 1, 2, 3)}
	candidates := []agreement.StateSet{
		set(10, 0, 1, 2, 3, 4), // large, but with a gain of one state
		set(10, 5, 6, 7),
		set(10, 6, 7, 8), // with a gain of one state after the one before
	}
	admit := func(rhoAdmit float64, limit int) []capacity.Admission {
		got, _ := capacity.Admit(10, bank, candidates, nil, capacity.AdmitLimits{RhoAdmit: rhoAdmit, Max: limit})
		return got
	}
	got := admit(0.1, 9)
	want := []capacity.Admission{{1, 0.3}, {0, 0.1}, {2, 0.1}}
	if !slices.Equal(got, want) {
		t.Errorf("Admit = %v, want %v", got, want)
	}
	if got := admit(0.2, 9); !slices.Equal(got, want[:1]) {
		t.Errorf("Admit at ρ = 0.2 = %v, want %v", got, want[:1])
	}
	if got := admit(0.1, 1); !slices.Equal(got, want[:1]) {
		t.Errorf("Admit of at most one = %v, want %v", got, want[:1])
	}
	bank, candidates = nil, nil
	if got := admit(0.1, 3); got != nil {
		t.Errorf("Admit without candidates = %v", got)
	}
}

// A candidate that chooses as a program of the bank does in more than the limit is passed over, however much it covers,
// and so is the twin of a candidate that has entered. Its coverage stays open to the others.
func TestAdmitRefusesTwins(t *testing.T) {
	bank := []agreement.StateSet{set(10, 0, 1, 2, 3, 4, 5)}
	candidates := []agreement.StateSet{
		set(10, 0, 1, 2, 3, 4, 5, 6), // chooses otherwise than the bank in state 6 alone
		set(10, 7, 8),
		set(10, 8, 9), // chooses otherwise than the one before in two states
	}
	first := [][]int32{
		{1, 1, 1, 1, 1, 1, 0, 0, 0, 0},
		{1, 1, 1, 1, 1, 1, 1, 0, 0, 0},
		{2, 2, 2, 2, 2, 2, 2, 1, 1, 0},
		{2, 2, 2, 2, 2, 2, 2, 0, 1, 1},
	}
	for _, tt := range []struct {
		alike    float64
		admitted []capacity.Admission
		twins    []capacity.Twin
	}{
		{0, []capacity.Admission{{1, 0.2}, {0, 0.1}, {2, 0.1}}, nil},
		{0.9, []capacity.Admission{{1, 0.2}, {0, 0.1}, {2, 0.1}}, nil}, // not in more than that
		{0.85, []capacity.Admission{{1, 0.2}, {2, 0.1}}, []capacity.Twin{{0, 0, 0.9}}},
		{0.75, []capacity.Admission{{1, 0.2}}, []capacity.Twin{{0, 0, 0.9}, {2, 2, 0.8}}},
	} {
		limits := capacity.AdmitLimits{RhoAdmit: 0.1, Max: 9, Alike: tt.alike}
		admitted, twins := capacity.Admit(10, bank, candidates, first, limits)
		if !slices.Equal(admitted, tt.admitted) || !slices.Equal(twins, tt.twins) {
			t.Errorf("at %v: %v enter, twins %v, want %v and %v", tt.alike, admitted, twins, tt.admitted, tt.twins)
		}
	}
}

func TestAdmitProperties(t *testing.T) {
	const rhoAdmit, limit = 0.02, 5
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		states := 1 + rng.IntN(300)
		var bank, candidates []agreement.StateSet
		for range rng.IntN(4) {
			bank = append(bank, randomHits(rng, states, 0.4))
		}
		for range rng.IntN(9) {
			candidates = append(candidates, randomHits(rng, states, 0.4*rng.Float64()))
		}

		limits := capacity.AdmitLimits{RhoAdmit: rhoAdmit, Max: limit}
		admitted, _ := capacity.Admit(states, bank, candidates, nil, limits)
		grown, before := slices.Clone(bank), capacity.Coverage(states, bank)
		in := map[int]bool{}
		for i, a := range admitted {
			if in[a.Candidate] {
				t.Fatalf("seed %d: candidate %d admitted twice", seed, a.Candidate)
			}
			in[a.Candidate] = true
			grown = append(grown, candidates[a.Candidate])
			after := capacity.Coverage(states, grown)
			if rise := after - before; rise < a.Gain-1e-12 || rise > a.Gain+1e-12 || a.Gain < rhoAdmit {
				t.Fatalf("seed %d: coverage %v → %v, gain said to be %v", seed, before, after, a.Gain)
			}
			if i > 0 && a.Gain > admitted[i-1].Gain {
				t.Fatalf("seed %d: gains rise: %v", seed, admitted)
			}
			before = after
		}

		var rest []agreement.StateSet
		for c := range candidates {
			if !in[c] {
				rest = append(rest, candidates[c])
			}
		}
		if again, _ := capacity.Admit(states, grown, rest, nil, limits); len(admitted) < limit && len(again) > 0 {
			t.Fatalf("seed %d: a second call admits %v", seed, again)
		}

		var want, got []agreement.StateSet
		for _, a := range admitted {
			want = append(want, candidates[a.Candidate])
		}
		rng.Shuffle(len(bank), func(i, j int) { bank[i], bank[j] = bank[j], bank[i] })
		rng.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		shuffled, _ := capacity.Admit(states, bank, candidates, nil, limits)
		for _, a := range shuffled {
			got = append(got, candidates[a.Candidate])
		}
		if !slices.EqualFunc(got, want, slices.Equal[agreement.StateSet]) {
			t.Fatalf("seed %d: in another order others are admitted: %v, not %v", seed, got, want)
		}
	}
}

// Equal gains lead to the same bank in every order, even if one choice makes two others useless and another does not.
func TestAdmitBreaksTiesByContent(t *testing.T) {
	candidates := []agreement.StateSet{set(10, 0, 1), set(10, 1, 2), set(10, 2, 3)}
	for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}} {
		var in []agreement.StateSet
		for _, c := range order {
			in = append(in, candidates[c])
		}
		admitted, _ := capacity.Admit(10, nil, in, nil, capacity.AdmitLimits{RhoAdmit: 0.2, Max: 9})
		if len(admitted) != 2 || order[admitted[0].Candidate] != 0 || order[admitted[1].Candidate] != 2 {
			t.Errorf("in order %v: %v", order, admitted)
		}
	}
}
