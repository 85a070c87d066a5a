package certify

import (
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
)

// stability compares the leaders of two students in the same states. Programs of the two are matched in pairs.
func (d *decisions) stability(name string, other *decisions) Stability {
	match := slices.Repeat([]int32{-1}, d.M)
	out := Stability{
		Name:    name,
		Choices: d.share(nil, func(s int) bool { return d.student[s] == other.student[s] }),
	}
	for _, p := range agreement.Match(d.first, other.first) {
		match[p.A] = int32(p.B)
		out.Matches = append(out.Matches, [2]int32{int32(p.A), int32(p.B)})
	}
	out.Leaders = d.share(nil, func(s int) bool { return match[d.leader[s]] == other.leader[s] })
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
		share[m]++
	}
	for m := range share {
		share[m] /= float64(len(d.leader))
	}
	return share
}
