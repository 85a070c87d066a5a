package certify

import "github.com/epb-nco/epb/internal/agreement"

// stability compares the leaders of two students in the same states. Programs of the two are matched in pairs.
func (d *decisions) stability(name string, other *decisions) Stability {
	pairs, same, chance := agreement.Leads(d.first, other.first, d.leader, other.leader)
	out := Stability{
		Name: name, Chance: chance, Leaders: d.share(nil, func(s int) bool { return same[s] }),
		Choices: d.share(nil, func(s int) bool { return d.student[s] == other.student[s] }),
	}
	for _, p := range pairs {
		out.Matches = append(out.Matches, [2]int32{int32(p.A), int32(p.B)})
	}
	return out
}
