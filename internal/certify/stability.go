package certify

import (
	"slices"
)

// stability compares the leaders of two students in the same states. Programs of the two are matched in pairs, those
// that choose alike most often first: names mean nothing across runs.
func (d *decisions) stability(name string, other *decisions, seed uint64) Stability {
	S := d.sh.States()
	type pair struct {
		a, b int32
		same int
	}
	var pairs []pair
	for a := range d.M {
		for b := range other.M {
			same := 0
			for s := range S {
				if d.first[a][s] == other.first[b][s] {
					same++
				}
			}
			pairs = append(pairs, pair{int32(a), int32(b), same})
		}
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return q.same - p.same })
	match := slices.Repeat([]int32{-1}, d.M)
	taken := make([]bool, other.M)
	out := Stability{
		Name:    name,
		Choices: d.share(seed, nil, func(s int) bool { return d.student[s] == other.student[s] }),
	}
	for _, p := range pairs {
		if match[p.a] < 0 && !taken[p.b] {
			match[p.a], taken[p.b] = p.b, true
			out.Matches = append(out.Matches, [2]int32{p.a, p.b})
		}
	}
	out.Leaders = d.share(seed, nil, func(s int) bool { return match[d.leader[s]] == other.leader[s] })
	here, there := d.leaders(), other.leaders()
	for a, b := range match {
		if b >= 0 {
			out.Chance += here[a] * there[b]
		}
	}
	return out
}

// leaders returns the share of decisions that each program leads.
func (d *decisions) leaders() []float64 {
	share := make([]float64, d.M)
	for _, m := range d.leader {
		share[m] += 1 / float64(len(d.leader))
	}
	return share
}
