package certify

import (
	"strings"

	"github.com/epb-nco/epb/internal/agreement"
)

// twins returns the groups of programs that are one in several wordings, those of the first programs first. If a and b
// are twins, and b and c, all three are: that a and c agree a little less does not make two of them.
func (d *decisions) twins() (all []Twins) {
	group, least := make([]int, d.M), make([]float64, d.M) // the first program of m's group; by first programs
	for m := range group {
		group[m], least[m] = m, 1
	}
	for a := range d.M {
		for b := a + 1; b < d.M; b++ {
			share := agreement.Alike(d.first[a], d.first[b])
			if share <= twinShare {
				continue
			}
			from, to := max(group[a], group[b]), min(group[a], group[b])
			least[to] = min(least[to], least[from], share)
			for m := range group {
				if group[m] == from {
					group[m] = to
				}
			}
		}
	}
	for first := range d.M {
		var members []string
		for m, g := range group {
			if g == first {
				members = append(members, d.names[m])
			}
		}
		if len(members) > 1 {
			all = append(all, Twins{
				Names: Enumerate(members), Same: least[first],
				Leads: d.share(nil, func(s int) bool { return group[d.leader[s]] == first }),
			})
		}
	}
	return all
}

// Enumerate joins names as a sentence does: "a, b and c".
func Enumerate(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
