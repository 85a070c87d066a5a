package certify

import (
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/routing"
)

// attribute measures how far one program decides.
func (d *decisions) attribute() Attribution {
	S := d.sh.States()
	leads := make([]float64, S)
	for s := range S {
		leads[s] = float64(routing.Lead(d.weights(s)))
	}
	a := Attribution{
		Alone: d.share(nil, func(s int) bool { return d.first[d.leader[s]][s] == d.student[s] }),
		Ties:  d.share(nil, func(s int) bool { return leads[s] < routing.Tie }),
	}
	a.Consensus, a.ConsensusCI = d.mean(func(s int) float64 {
		agree := 0
		for m := range d.M {
			if d.first[m][s] == d.student[s] {
				agree++
			}
		}
		return float64(agree) / float64(d.M)
	})
	slices.Sort(leads)
	for _, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		a.Margins = append(a.Margins, Margin{q, leads[min(int(q*float64(S)), S-1)]})
	}
	changed := func(to []int32) Share {
		return d.share(nil, func(s int) bool { return to[s] != d.student[s] })
	}
	right := func(to []int32) Share {
		return d.share(nil, func(s int) bool { return to[s] == d.teacher[s] })
	}
	if d.M > 1 {
		removed, swapped := d.knockedOut()
		a.Removed, a.Swapped = changed(removed), changed(swapped)
		a.RemovedTop1, a.SwappedTop1 = right(removed), right(swapped)
	}
	return a
}

// programs says what each program leads, how it does by itself, and what the student loses without it.
func (d *decisions) programs() []Program {
	tauH := d.tauH.Data().([]float64)
	out := make([]Program, d.M)
	for m := range out {
		leads := func(s int) bool { return d.leader[s] == int32(m) }
		right := func(s int) bool { return d.first[m][s] == d.teacher[s] }
		out[m] = Program{
			Name: d.names[m], Leads: d.share(nil, leads), Top1: d.share(nil, right),
			Niche: d.share(leads, right), TauH: tauH[m],
		}
		out[m].Fits, out[m].FitsCI, out[m].HasScale = d.fit(m, d.led(m))
		if d.M > 1 {
			out[m].Loss, out[m].LossCI = d.without(m)
			choice := d.choicesWithout(m)
			out[m].Changed = d.share(nil, func(s int) bool { return choice[s] != d.student[s] })
			then := d.rival("", choice)
			out[m].Right, out[m].Lost, out[m].LostCI = then.Top1, then.Ahead, then.AheadCI
		}
	}
	return out
}

// choicesWithout returns what the student would choose if program m were left out. There are at least two programs.
func (d *decisions) choicesWithout(m int) []int32 {
	choice := make([]int32, d.sh.States())
	w, mix := make([]float32, d.M), make([]float32, 2*d.sh.N)
	for s := range choice {
		copy(w, d.weights(s))
		agreement.LeaveOut(w, m)
		choice[s] = d.chosen(s, w, mix[:d.candidates(s)])
	}
	return choice
}

// led returns the decisions that program m leads, nil if there are none.
func (d *decisions) led(m int) (states []int32) {
	for s, lead := range d.leader {
		if int(lead) == m {
			states = append(states, int32(s))
		}
	}
	return states
}

// without returns what the mean KL(π_T‖π_S) rises by if program m is left out of the mixture, the other weights growing
// in proportion. It measures the mixture also where the leader decides alone: training lowers the loss of the mixture.
func (d *decisions) without(m int) (float64, bootstrap.Interval) {
	w, with, less := make([]float32, d.M), make([]float32, 2*d.sh.N), make([]float32, 2*d.sh.N)
	return d.mean(func(s int) float64 {
		K := d.candidates(s)
		copy(w, d.weights(s))
		d.mix(s, w, with[:K])
		agreement.LeaveOut(w, m)
		sum := float32(0)
		for _, v := range w {
			sum += v
		}
		for j := range w {
			w[j] /= sum
		}
		d.mix(s, w, less[:K])
		piT := d.piT[d.sh.Offset[s]:d.sh.Offset[s+1]]
		return agreement.KL(piT, less[:K]) - agreement.KL(piT, with[:K])
	})
}
