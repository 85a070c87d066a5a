package certify

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/evaluate"
)

// attribute measures how far one program decides.
func (d *decisions) attribute(seed uint64) Attribution {
	S := d.sh.States()
	leads, agrees := make([]float64, S), 0
	for s := range S {
		leads[s] = lead(d.weights(s))
		for m := range d.M {
			if d.first[m][s] == d.student[s] {
				agrees++
			}
		}
	}
	a := Attribution{
		Alone:     d.share(seed, nil, func(s int) bool { return d.first[d.leader[s]][s] == d.student[s] }),
		Ties:      d.share(seed, nil, func(s int) bool { return leads[s] < TieMargin }),
		Consensus: float64(agrees) / float64(max(S*d.M, 1)),
	}
	slices.Sort(leads)
	for _, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		a.Margins = append(a.Margins, Margin{q, leads[min(int(q*float64(S)), S-1)]})
	}
	removed, swapped := d.knockedOut(seed)
	changed := func(to []int32) Share {
		return d.share(seed, nil, func(s int) bool { return to[s] != d.student[s] })
	}
	right := func(to []int32) Share {
		return d.share(seed, nil, func(s int) bool { return to[s] == d.teacher[s] })
	}
	if d.M > 1 {
		a.Removed, a.Swapped = changed(removed), changed(swapped)
		a.RemovedTop1, a.SwappedTop1 = right(removed), right(swapped)
	}
	return a
}

// lead returns by how much the largest weight exceeds the second one: 1 in a bank of one.
func lead(w []float32) float64 {
	first, second := float32(0), float32(0)
	for _, v := range w {
		if v > first {
			first, second = v, first
		} else if v > second {
			second = v
		}
	}
	return float64(first - second)
}

// knockedOut returns what the student would choose without the leader of each state, and with its weight given to a
// program drawn by lot.
func (d *decisions) knockedOut(seed uint64) (removed, swapped []int32) {
	S := d.sh.States()
	removed, swapped = make([]int32, S), make([]int32, S)
	rng := rand.New(rand.NewPCG(seed, 0x6c07))
	w, mix := make([]float32, d.M), make([]float32, d.sh.N+d.sh.N)
	for s := range S {
		lead := d.leader[s]
		mix := mix[:d.candidates(s)]
		copy(w, d.weights(s))
		w[lead] = 0
		removed[s] = d.chosen(s, w, mix)
		if d.M > 1 {
			other := rng.IntN(d.M - 1)
			if other >= int(lead) {
				other++
			}
			copy(w, d.weights(s))
			w[lead], w[other] = w[other], w[lead]
			swapped[s] = d.chosen(s, w, mix)
		}
	}
	return removed, swapped
}

// programs says what each program leads, how it does by itself, and what the student loses without it.
func (d *decisions) programs(seed uint64, names []string) []Program {
	tauH := d.tauH.Data().([]float64)
	out := make([]Program, d.M)
	for m := range out {
		leads := func(s int) bool { return d.leader[s] == int32(m) }
		right := func(s int) bool { return d.first[m][s] == d.teacher[s] }
		out[m] = Program{
			Name: names[m], Leads: d.share(seed, nil, leads), Top1: d.share(seed, nil, right),
			Niche: d.share(seed, leads, right), TauH: tauH[m],
		}
		niche := d.led(m)
		if len(niche) == 0 {
			niche = nil // all decisions
		}
		out[m].Fits = agreement.FitTauH(d.sh, d.set.Scores[m], niche)
		if d.M > 1 {
			out[m].Loss, out[m].LossCI = d.without(m, seed)
		}
	}
	return out
}

// led returns the decisions that program m leads.
func (d *decisions) led(m int) (states []int32) {
	for s, lead := range d.leader {
		if int(lead) == m {
			states = append(states, int32(s))
		}
	}
	return states
}

// without returns what the mean KL(π_T‖π_S) rises by if program m is left out of the mixture, the other weights growing
// in proportion. Of a student whose leader decides alone it is the same mixture that is measured: the loss is trained
// on it.
func (d *decisions) without(m int, seed uint64) (float64, evaluate.Interval) {
	n := d.sh.Instances()
	rise, count := make([]float64, n), make([]float64, n)
	w, with, less := make([]float32, d.M), make([]float32, 2*d.sh.N), make([]float32, 2*d.sh.N)
	for s := range d.sh.States() {
		K := d.candidates(s)
		copy(w, d.weights(s))
		d.mix(s, w, with[:K])
		w[m] = 0
		sum := float32(0)
		for _, v := range w {
			sum += v
		}
		if sum > 0 {
			for j := range w {
				w[j] /= sum
			}
		}
		d.mix(s, w, less[:K])
		piT := d.piT[d.sh.Offset[s]:d.sh.Offset[s+1]]
		rise[d.instance[s]] += kl(piT, less[:K]) - kl(piT, with[:K])
		count[d.instance[s]]++
	}
	return total(rise) / total(count), evaluate.RatioInterval(rise, count, seed)
}

// twins returns the pairs of programs that choose the same in more than TwinShare of the decisions.
func (d *decisions) twins(names []string) (all []Twins) {
	S := d.sh.States()
	for a := range d.M {
		for b := a + 1; b < d.M; b++ {
			same := 0
			for s := range S {
				if d.first[a][s] == d.first[b][s] {
					same++
				}
			}
			if share := float64(same) / float64(S); share > TwinShare {
				all = append(all, Twins{a, b, names[a] + " and " + names[b], share})
			}
		}
	}
	return all
}

// kl returns KL(p‖q) of one decision, in nats.
func kl(p, q []float32) (sum float64) {
	for k, v := range p {
		if v > 0 {
			sum += float64(v) * math.Log(float64(v)/math.Max(float64(q[k]), math.SmallestNonzeroFloat32))
		}
	}
	return sum
}
