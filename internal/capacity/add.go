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

// AdmitLimits bounds one call of Admit.
type AdmitLimits struct {
	RhoAdmit float64 // ρ_admit: the least marginal coverage of a candidate; it must be positive
	Max      int     // candidates that may enter
	Alike    float64 // candidates with the first choice of a program in a larger share of states are refused; 0: none
}

// Admission is one candidate that enters the bank.
type Admission struct {
	Candidate int     // index among the candidates
	Gain      float64 // rise of the coverage when it entered
}

// Twin is a candidate that gains enough coverage but is refused: its choices nearly equal those of a program in the
// bank.
type Twin struct {
	Candidate int     // index among the candidates
	Other     int     // the program that it is most like: index into the bank, with the candidates after it
	Alike     float64 // share of states in which both have the same first choice
}

// Admit runs Alg. 2 lines 13–22. Again and again, the candidate with the largest marginal coverage enters, while it
// gains at least RhoAdmit and fewer than Max have entered. bank and candidates hold each program's hits on the
// validation states; first holds the first choice of each, those of the bank before those of the candidates, in each
// of these states. It may be nil if Alike is 0.
//
// A candidate that has the first choice of a program in more than Alike of the states is passed over, as Drop would
// merge the two. The programs are those of the bank and the candidates that have entered.
//
// The order of the candidates does not matter. Of two with the same gain, compare the first state in which their hits
// differ: the one that has this state enters. If their hits are equal, the one with the lower index enters.
func Admit(
	states int, bank, candidates []agreement.StateSet, first [][]int32, limits AdmitLimits,
) (admitted []Admission, twins []Twin) {
	if !(limits.RhoAdmit > 0) {
		panic("capacity: ρ_admit must be positive")
	}
	covered := union(states, bank)
	taken := make([]bool, len(candidates))
	there := make([]int, len(bank)) // rows of first
	for m := range there {
		there[m] = m
	}
	for len(admitted) < limits.Max {
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
		if gain < limits.RhoAdmit { // also where none is left
			break
		}
		taken[best] = true
		if twin, found := twinOf(len(bank)+best, there, first, limits.Alike); found {
			twin.Candidate = best
			twins = append(twins, twin)
			continue
		}
		covered.Union(candidates[best])
		there = append(there, len(bank)+best)
		admitted = append(admitted, Admission{Candidate: best, Gain: gain})
	}
	return admitted, twins
}

// twinOf returns the program among some that row c of first is most like, if they agree in more than limit of the
// states.
func twinOf(c int, among []int, first [][]int32, limit float64) (t Twin, found bool) {
	if limit <= 0 {
		return t, false
	}
	t.Alike = limit
	for _, m := range among {
		if share := agreement.Alike(first[m], first[c]); share > t.Alike {
			t.Other, t.Alike, found = m, share, true
		}
	}
	return t, found
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
