package agreement

import (
	"cmp"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// FirstChoices returns the first choice in every state of a shard with such an Offset, as an index into the state's
// candidates. values [C] are scores or probabilities.
func FirstChoices(offset []int64, values []float32) []int32 {
	first := make([]int32, len(offset)-1)
	for s := range first {
		first[s] = int32(Argmax(values[offset[s]:offset[s+1]]))
	}
	return first
}

// FirstChoicesOf returns the first choices of every program by its scores, [M] of [states].
func FirstChoicesOf(sh *rollout.Shard, scores []*tensor.Dense) [][]int32 {
	first := make([][]int32, len(scores))
	for m, x := range scores {
		first[m] = FirstChoices(sh.Offset, dense.Must[float32]("scores", x, len(sh.Candidates)))
	}
	return first
}

// Alike returns in what share of the same S states two have the same first choice, 0 of none.
func Alike(a, b []int32) float64 {
	same := 0
	for s, k := range a {
		if k == b[s] {
			same++
		}
	}
	return float64(same) / float64(max(len(a), 1))
}

// Matched is a program of one bank and the program of another that is most like it.
type Matched struct {
	A int `json:"a"` // index into the first bank
	B int `json:"b"` // index into the second

	Same float64 `json:"same"` // share of the states in which both have the same first choice
}

// Match pairs the programs of two banks by how often they choose alike: names mean nothing across runs. The pair that
// agrees most often is the first; each program is in one pair at most, so those of the larger bank that are left over
// are in none.
//
// For example, if a0 agrees with b0 in 90 % of the states and with b1 in 80 %, and a1 with b0 in 85 % and with b1 in
// 10 %, then a0 goes with b0 and a1 with b1.
//
// a [M][S] and b [L][S] are first choices, as indices into the candidates of the same S states.
func Match(a, b [][]int32) []Matched {
	var pairs []Matched
	for i, choices := range a {
		for j, others := range b {
			pairs = append(pairs, Matched{i, j, Alike(choices, others)})
		}
	}
	slices.SortStableFunc(pairs, func(p, q Matched) int { return cmp.Compare(q.Same, p.Same) })
	takenA, takenB := make([]bool, len(a)), make([]bool, len(b))
	var out []Matched
	for _, p := range pairs {
		if !takenA[p.A] && !takenB[p.B] {
			takenA[p.A], takenB[p.B] = true, true
			out = append(out, p)
		}
	}
	return out
}

// Leads compares the leaders of two students in S common states: Match pairs their programs, same [S] says where their
// leaders are a pair, and chance how often they would be if leaders were drawn by lot with the same frequencies.
//
// a [M][S] and b [L][S] are first choices as for Match, leaderA and leaderB [S] the programs that lead.
func Leads(a, b [][]int32, leaderA, leaderB []int32) (pairs []Matched, same []bool, chance float64) {
	partner := slices.Repeat([]int32{-1}, len(a))
	here, there := shares(leaderA, len(a)), shares(leaderB, len(b))
	pairs = Match(a, b)
	for _, p := range pairs {
		partner[p.A] = int32(p.B)
		chance += here[p.A] * there[p.B]
	}
	same = make([]bool, len(leaderA))
	for s, m := range leaderA {
		same[s] = partner[m] == leaderB[s]
	}
	return pairs, same, chance
}

// shares returns the share of states that each of M programs leads.
func shares(leaders []int32, M int) []float64 {
	share := make([]float64, M)
	for _, m := range leaders {
		share[m]++
	}
	for m := range share {
		share[m] /= float64(max(1, len(leaders)))
	}
	return share
}
