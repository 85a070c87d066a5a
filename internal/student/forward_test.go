package student

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
)

func all(t *testing.T, m *Model, set Dataset, tauH []float64) Out {
	t.Helper()
	out, err := Forward(context.Background(), m, set, dense.Vector(tauH), WantLogits|WantW|WantMix)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Forward on stored states and a session on live ones give the same distributions. Rounding differs, since they stack
// products in another way.
func TestSessionAgreesWithForward(t *testing.T) {
	for _, kind := range kinds(4) {
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(5, 20, 3, 4, 1) // more tokens than one group has
			sh, M := set.Shard, len(tauH)
			m := New(kind.cfg, 3)
			out := all(t, m, set, tauH)
			session := m.Session()
			for from := 0; from < sh.States(); {
				inst := sh.InstanceOf[sh.Traj[from]]
				to := from
				x, scores := Live{Offset: []int{0}}, make([][]float32, M)
				for ; to < sh.States() && sh.InstanceOf[sh.Traj[to]] == inst; to++ {
					st := sh.State(to)
					x.Anchor, x.Current = append(x.Anchor, int32(st.Anchor)), append(x.Current, int32(st.Current))
					x.First, x.Step = append(x.First, int32(st.Anchor)), append(x.Step, int32(st.Step))
					if sh.Problem == routing.CVRP {
						x.Remaining = append(x.Remaining, int32(st.Remaining))
					}
					x.Offset = append(x.Offset, x.Offset[len(x.Offset)-1]+len(st.Candidates))
				}
				a, b := sh.Offset[from], sh.Offset[to]
				for k := range scores {
					scores[k] = floats(set.Scores[k])[a:b]
				}
				w, mix := make([]float32, (to-from)*M), make([]float32, b-a)
				live := sh.Instance(int(inst))
				session.Encode(&live)
				x.Candidates = sh.Candidates[a:b]
				session.MixLive(x, scores, tauH, w, mix)
				near(t, "w", w, floats(out.W)[from*M:to*M])
				near(t, "mix", mix, floats(out.Mix)[a:b])
				K := x.Offset[1]
				one := Live{
					Anchor: x.Anchor[:1], Current: x.Current[:1], Remaining: x.Remaining[:min(1, len(x.Remaining))],
					Offset: x.Offset[:2], Candidates: x.Candidates[:K], First: x.First[:1], Step: x.Step[:1],
				}
				session.MixLive(one, prefixes(scores, K), tauH, nil, mix[:K])
				near(t, "mix of one state", mix[:K], floats(out.Mix)[a:][:K])
				from = to
			}
		})
	}
}

// A session that mixes no states must not panic and writes nothing. It mixes the next states as a fresh session does.
func TestMixOfNoStates(t *testing.T) {
	set, tauH := toy(1, 6, 1, 2, 1)
	inst := set.Shard.Instance(0)
	session, fresh := New(small(true), 1).Session(), New(small(true), 1).Session()
	session.Encode(&inst)
	fresh.Encode(&inst)
	w, mix := []float32{7}, []float32{7}
	session.MixLive(Live{Offset: []int{0}}, make([][]float32, 2), tauH, w[:0], mix[:0])
	if w[0] != 7 || mix[0] != 7 {
		t.Errorf("w %v and mix %v were written to", w, mix)
	}

	one := Live{Anchor: []int32{0}, Current: []int32{1}, Offset: []int{0, 3}, Candidates: []uint16{2, 3, 4}}
	scores := [][]float32{{1, 2, 3}, {3, 1, 2}}
	w, mix = make([]float32, 2), make([]float32, 3)
	wantW, wantMix := make([]float32, 2), make([]float32, 3)
	session.MixLive(one, scores, tauH, w, mix)
	fresh.MixLive(one, scores, tauH, wantW, wantMix)
	if !slices.Equal(w, wantW) || !slices.Equal(mix, wantMix) {
		t.Errorf("after no states w is %v and mix %v, want %v and %v", w, mix, wantW, wantMix)
	}
	near(t, "sum of mix", []float32{mix[0] + mix[1] + mix[2]}, []float32{1})
}

// After all customers are served, the depot is the only candidate, and there is no token between the first and the
// last.
func TestMixOfTheWayHome(t *testing.T) {
	for _, kind := range kinds(2) {
		if kind.cfg.Problem != routing.CVRP || kind.via {
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			set, tauH := kind.toy(1, 6, 1, 2, 1)
			session := New(kind.cfg, 1).Session()
			inst := set.Shard.Instance(0)
			session.Encode(&inst)
			w, mix := make([]float32, 2), make([]float32, 1)
			home := Live{
				Anchor: []int32{0}, Current: []int32{3}, Remaining: []int32{2}, Offset: []int{0, 1},
				Candidates: []uint16{0},
			}
			session.MixLive(home, [][]float32{{1}, {2}}, tauH, w, mix)
			near(t, "mix", mix, []float32{1})
			near(t, "sum of w", []float32{w[0] + w[1]}, []float32{1})
		})
	}
}

func prefixes(scores [][]float32, n int) [][]float32 {
	out := make([][]float32, len(scores))
	for m := range scores {
		out[m] = scores[m][:n]
	}
	return out
}

func near(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 2e-5 {
			t.Fatalf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}

func TestForwardGivesDistributions(t *testing.T) {
	set, tauH := toy(3, 3, 1, 2, 1) // N = 3: every state has K = 2
	m := New(small(true), 1)
	out := all(t, m, set, tauH)
	for s := range set.Shard.States() {
		a, b := set.Shard.Offset[s], set.Shard.Offset[s+1]
		if b-a != 2 {
			t.Fatalf("state %d has %d candidates", s, b-a)
		}
		for name, x := range map[string][]float32{"w": floats(out.W)[s*2 : s*2+2], "mix": floats(out.Mix)[a:b]} {
			if d := math.Abs(float64(x[0]) + float64(x[1]) - 1); d > 1e-6 {
				t.Errorf("state %d: %s sums to 1 ± %v", s, name, d)
			}
		}
	}
	one, err := Forward(context.Background(), m, set, dense.Vector(tauH), WantW)
	if err != nil || one.Mix != nil || one.Logits != nil || !slices.Equal(one.W.Shape(), out.W.Shape()) {
		t.Errorf("WantW gave logits %v, w %v, mix %v, error %v", one.Logits, one.W, one.Mix, err)
	}
}

// In a bank of one program, the mixture is that program: the router has no choice.
func TestBankOfOne(t *testing.T) {
	set, tauH := toy(3, 9, 1, 1, 1)
	out := all(t, New(small(true), 1), set, tauH)
	near(t, "mix", floats(out.Mix), floats(agreement.Distribution(set.Shard, set.Scores[0], tauH[0])))
}

func TestEvaluateAgreesWithForward(t *testing.T) {
	set, tauH := toy(7, 11, 2, 4, 1)
	m := New(small(true), 1)
	out := all(t, m, set, tauH)
	got, err := Evaluate(context.Background(), m, []Dataset{set}, dense.Vector(tauH))
	if err != nil {
		t.Fatal(err)
	}
	sh := set.Shard
	S, covered := sh.States(), agreement.NewStateSet(sh.States())
	var want Eval
	for s := range S {
		a, b := sh.Offset[s], sh.Offset[s+1]
		Pi := floats(sh.Probs)[a:b]
		best, mix := agreement.Argmax(Pi), append([]float32(nil), floats(out.Mix)[a:b]...)
		want.Loss += agreement.KL(Pi, mix) / float64(S)
		first := agreement.Argmax(mix)
		mix[first] = -1
		if first == best {
			want.Top1 += 1 / float64(S)
		}
		if first == best || agreement.Argmax(mix) == best {
			want.Top2 += 1 / float64(S)
		}
	}
	for k, c := range set.Scores {
		v := agreement.Of(sh, c, tauH[k])
		covered.Union(v.Hits)
		h := HeuristicEval{Top1: float64(v.Hits.Len()) / float64(S)}
		for s := range S {
			w := floats(out.W)[s*len(tauH):][:len(tauH)]
			h.MeanWeight += float64(w[k]) / float64(S)
			h.KL += float64(v.KL[s]) / float64(S)
			if agreement.Argmax(w) == k {
				h.Dominant += 1 / float64(S)
			}
		}
		want.Heuristics = append(want.Heuristics, h)
	}
	want.Coverage = float64(covered.Len()) / float64(S)
	same := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-5*(1+want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	same("loss", got.Loss, want.Loss)
	same("top-1", got.Top1, want.Top1)
	same("top-2", got.Top2, want.Top2)
	same("coverage", got.Coverage, want.Coverage)
	same("states", float64(got.States), float64(S))
	for k, h := range got.Heuristics {
		same("heuristic top-1", h.Top1, want.Heuristics[k].Top1)
		same("heuristic weight", h.MeanWeight, want.Heuristics[k].MeanWeight)
		same("heuristic KL", h.KL, want.Heuristics[k].KL)
		same("heuristic dominance", h.Dominant, want.Heuristics[k].Dominant)
	}
}
