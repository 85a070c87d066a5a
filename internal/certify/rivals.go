package certify

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
)

// rivals compares the student with what is simpler on the same decisions: the best single program of a bank whose
// programs have the given names, the bank mixed evenly, and the nearest candidate. plan [S], unless nil, is what a plan
// of the rest would begin with.
func (d *decisions) rivals(best halves, plan []int32) []Rival {
	var all []Rival
	if d.M > 1 { // one program is the student
		single := d.rival("best single program by agreement, "+best.name(d.names), d.stitch(best, d.first))
		single.Single = true
		all = append(all, single, d.rival("evenly mixed bank", d.even()))
	}
	nearest := d.rival("nearest candidate", d.nearest)
	nearest.Nearest = true
	all = append(all, nearest)
	if plan != nil {
		all = append(all, d.rival("first step of a plan of the rest", plan))
	}
	return all
}

// halves names one of several policies for each half of the instances, those of even and those of odd number. It is the
// best on the other half, by agreement or by cost: on the instances that chose it, it would look better than it is.
type halves [2]int

// of returns the policy for an instance.
func (h halves) of(instance int32) int { return h[instance%2] }

// name names the policy, or both if the halves have different ones.
func (h halves) name(names []string) string {
	if h[0] == h[1] {
		return names[h[0]]
	}
	return names[h[0]] + " or " + names[h[1]]
}

// best picks among policies with first choices [P][S] the one that agrees with the teacher most often.
func (d *decisions) best(first [][]int32) (picked halves) {
	most := [2]int{-1, -1}
	for p, choice := range first {
		var right [2]int
		for s, k := range choice {
			if k == d.teacher[s] {
				right[d.instance[s]%2]++
			}
		}
		for half := range picked {
			if other := right[1-half]; other > most[half] {
				picked[half], most[half] = p, other
			}
		}
	}
	return picked
}

// stitch returns the first choices [S] of the policy that was picked for each instance.
func (d *decisions) stitch(picked halves, first [][]int32) []int32 {
	choice := make([]int32, len(d.instance))
	for s := range choice {
		choice[s] = first[picked.of(d.instance[s])][s]
	}
	return choice
}

// rival returns the comparison with a policy's first choices in all states, as indices into their candidates.
func (d *decisions) rival(name string, choice []int32) Rival {
	right := func(s int) bool { return choice[s] == d.teacher[s] }
	r := Rival{Name: name, Top1: d.share(nil, right)}
	r.Ahead, r.AheadCI = d.mean(func(s int) float64 {
		return bootstrap.Indicator(d.student[s] == d.teacher[s]) - bootstrap.Indicator(right(s))
	})
	return r
}

// even returns the first choices of the bank if every program had the same weight.
func (d *decisions) even() []int32 {
	w, choice := make([]float32, d.M), make([]int32, d.sh.States())
	for m := range w {
		w[m] = 1 / float32(d.M)
	}
	mix := make([]float32, 2*d.sh.N)
	for s := range choice {
		mix := mix[:d.candidates(s)]
		d.mix(s, w, mix)
		choice[s] = int32(agreement.Argmax(mix))
	}
	return choice
}
