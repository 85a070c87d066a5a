package student

import (
	"context"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/routing"
)

// Eval says how the student does on held-out states. Forced steps are no states, so they do not count. The losses are
// those of the mixture (Eq. 5) with hard routing too: where the leader alone decides, it may all but rule out the
// teacher's choice, and a mean over such states says little. Top1 and Top2 are of the distribution that decides.
type Eval struct {
	Loss     float64 `json:"loss"`     // weighted mean of Eq. 6, nats
	Plain    float64 `json:"plain"`    // mean of Eq. 6 without weights: the paper's loss
	Top1     float64 `json:"top1"`     // share of states whose argmax is the teacher's
	Top2     float64 `json:"top2"`     // share of states with the teacher's argmax among the two best
	Coverage float64 `json:"coverage"` // share of states where some program's argmax is the teacher's
	Hard     float64 `json:"hard"`     // share of states where the leader's argmax is the teacher's
	// Mixed is the share of states where the argmax of Eq. 5 is the teacher's, however the student is routed. Results
	// before it existed have 0.
	Mixed      float64         `json:"mixed,omitempty"`
	Leader     float64         `json:"leader"` // mean of the largest weight
	Margin     float64         `json:"margin"` // mean lead of the largest weight over the second
	States     int             `json:"states"`
	Heuristics []HeuristicEval `json:"heuristics"` // [M]
}

// HeuristicEval says how one heuristic of the bank does on the same states.
type HeuristicEval struct {
	Top1       float64 `json:"top1"`        // share of states whose argmax of the scores is the teacher's
	MeanWeight float64 `json:"mean_weight"` // mean of w_m
	KL         float64 `json:"kl"`          // weighted mean of KL(π_T‖V_m) with the loss's floor, nats
	Dominant   float64 `json:"dominant"`    // share of states where w_m is the largest weight
}

// Evaluate measures the student on all states of the sets; tauH, float64 [M], holds τ_h of Eq. 2.
func Evaluate(ctx context.Context, m *Model, sets []Dataset, tauH *tensor.Dense) (Eval, error) {
	data, tau, err := m.Config.open(sets, tauH)
	if err != nil {
		return Eval{}, err
	}
	M := len(tau)
	parts := make([]tally, len(m.Config.chunks(nil, units(data))))
	err = m.sweep(ctx, data, tau, func(c int, _ []unit, p *pass) {
		if parts[c].heuristics == nil {
			parts[c].heuristics = make([]HeuristicEval, M)
		}
		parts[c].count(&p.st, &p.route)
	})
	if err != nil {
		return Eval{}, err
	}
	total := tally{heuristics: make([]HeuristicEval, M)}
	for _, part := range parts {
		total.add(part)
	}
	return total.mean(), nil
}

// tally holds sums over states.
type tally struct {
	loss, plain, weight         float64
	top1, top2, covered, states float64
	hard, mixed, leader, margin float64
	heuristics                  []HeuristicEval
}

func (t *tally) count(st *states, r *router) {
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		piT, mix, weight := st.piT[a:b], r.mix[a:b], float64(st.weight[s])
		best := agreement.Argmax(piT)
		t.states++
		t.weight += weight
		ell := agreement.KL(piT, mix)
		t.loss += weight * ell
		t.plain += ell
		switch rank(r.decide(st, s), best) {
		case 0:
			t.top1++
			t.top2++
		case 1:
			t.top2++
		}
		if agreement.Argmax(mix) == best {
			t.mixed++
		}
		covered := false
		wm := r.wm[s*st.M:][:st.M]
		for m, w := range wm {
			h, Vm := &t.heuristics[m], st.of(m, st.Vm)[a:b]
			if agreement.Argmax(st.of(m, st.scores)[a:b]) == best {
				h.Top1++
				covered = true
			}
			h.MeanWeight += float64(w)
			h.KL += weight * agreement.KL(piT, Vm)
		}
		lead := r.lead(st, s)
		t.heuristics[lead].Dominant++
		if agreement.Argmax(st.of(lead, st.scores)[a:b]) == best {
			t.hard++
		}
		t.leader += float64(wm[lead])
		t.margin += float64(routing.Lead(wm))
		if covered {
			t.covered++
		}
	}
}

// rank returns how many entries come before x[k] in decreasing order, equal ones by index.
func rank(x []float32, k int) int {
	before := 0
	for i, v := range x {
		if v > x[k] || v == x[k] && i < k {
			before++
		}
	}
	return before
}

func (t *tally) add(o tally) {
	t.loss, t.plain, t.weight = t.loss+o.loss, t.plain+o.plain, t.weight+o.weight
	t.top1, t.top2, t.covered, t.states = t.top1+o.top1, t.top2+o.top2, t.covered+o.covered, t.states+o.states
	t.hard, t.mixed = t.hard+o.hard, t.mixed+o.mixed
	t.leader, t.margin = t.leader+o.leader, t.margin+o.margin
	for m := range o.heuristics {
		h, x := &t.heuristics[m], o.heuristics[m]
		h.Top1, h.MeanWeight = h.Top1+x.Top1, h.MeanWeight+x.MeanWeight
		h.KL, h.Dominant = h.KL+x.KL, h.Dominant+x.Dominant
	}
}

func (t *tally) mean() Eval {
	n := max(t.states, 1)
	weight := t.weight
	if weight == 0 {
		weight = 1
	}
	e := Eval{
		Loss: t.loss / weight, Plain: t.plain / n, Top1: t.top1 / n, Top2: t.top2 / n, Coverage: t.covered / n,
		Hard: t.hard / n, Mixed: t.mixed / n, Leader: t.leader / n, Margin: t.margin / n, States: int(t.states),
	}
	for _, h := range t.heuristics {
		e.Heuristics = append(e.Heuristics, HeuristicEval{h.Top1 / n, h.MeanWeight / n, h.KL / weight, h.Dominant / n})
	}
	return e
}
