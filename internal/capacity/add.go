package capacity

import (
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
)

// Coverage is C(B; D): the share of states on which at least one heuristic's argmax is the teacher's.
func Coverage(states int, hits []agreement.StateSet) float64 {
	if states == 0 {
		return 0
	}
	return float64(union(states, hits).Len()) / float64(states)
}

// Assign assigns each state to the candidate whose output is closest to the teacher's, by KL(π_T‖V_m) (Alg. 2 line 5).
//
// kl is [C][S]. The result is aligned with states and holds indices below C. On a tie the lower index is taken.
func Assign(states []int32, kl [][]float32) []int {
	owner := make([]int, len(states))
	for i, s := range states {
		owner[i] = closest(s, kl)
	}
	return owner
}

// Admission is one candidate that enters the bank.
type Admission struct {
	Candidate int     `json:"candidate"` // index among the candidates
	Gain      float64 `json:"gain"`      // rise of the coverage when it entered
}

// Admit runs Alg. 2 lines 13–22. Again and again, the candidate with the largest marginal coverage enters, while it
// gains at least rhoAdmit and fewer than limit have entered. bank and candidates hold each program's hits on the
// validation states. rhoAdmit must be positive.
//
// The order of the candidates does not matter. Of two with the same gain, compare the first state in which their hits
// differ: the one that has this state enters. If their hits are equal, the one with the lower index enters.
func Admit(states int, bank, candidates []agreement.StateSet, rhoAdmit float64, limit int) []Admission {
	if !(rhoAdmit > 0) {
		panic("capacity: ρ_admit must be positive")
	}
	covered := union(states, bank)
	taken := make([]bool, len(candidates))
	var admitted []Admission
	for len(admitted) < min(limit, len(candidates)) {
		best, most := -1, -1
		for h, hits := range candidates {
			if taken[h] {
				continue
			}
			gain := covered.Gain(hits)
			if gain > most || gain == most && hits.Before(candidates[best]) {
				best, most = h, gain
			}
		}
		gain := float64(most) / float64(max(states, 1))
		if gain < rhoAdmit {
			break
		}
		covered.Union(candidates[best])
		taken[best] = true
		admitted = append(admitted, Admission{Candidate: best, Gain: gain})
	}
	return admitted
}

func union(states int, hits []agreement.StateSet) agreement.StateSet {
	all := agreement.NewStateSet(states)
	for _, h := range hits {
		all.Union(h)
	}
	return all
}

// closest returns the row of kl [M][S] with the smallest value at state s, the first one on a tie.
func closest(s int32, kl [][]float32) int {
	best := 0
	for m := range kl {
		if kl[m][s] < kl[best][s] {
			best = m
		}
	}
	return best
}

// Ownership returns weights with which attribution blames each fault state on its owner only (see Assign), float32
// [S,C]: 1 for the owner of a fault, 0 elsewhere. kl is [C][S].
func Ownership(S, C int, faults []int32, kl [][]float32) *tensor.Dense {
	w := make([]float32, S*C)
	for k, owner := range Assign(faults, kl) {
		w[int(faults[k])*C+owner] = 1
	}
	return dense.Of(w, S, C)
}
