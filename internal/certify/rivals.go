package certify

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/evaluate"
)

// rivals compares the student with what is simpler on the same decisions: the nearest candidate, the best single
// program, and the bank mixed evenly. plan [S], unless nil, is what a plan of the rest would begin with.
func (d *decisions) rivals(seed uint64, programs []Program, plan []int32) []Rival {
	best := 0
	for m, p := range programs {
		if p.Top1.Of > programs[best].Top1.Of {
			best = m
		}
	}
	all := []Rival{
		d.rival("best single program, "+programs[best].Name, seed, d.first[best]),
		d.rival("the bank mixed evenly", seed, d.even()),
		d.rival("nearest candidate", seed, d.nearest),
	}
	if plan != nil {
		all = append(all, d.rival("first step of a plan of the rest", seed, plan))
	}
	return all
}

// rival returns the comparison with a policy's first choices in all states, as indices into their candidates.
func (d *decisions) rival(name string, seed uint64, choice []int32) Rival {
	n := d.sh.Instances()
	ahead, count := make([]float64, n), make([]float64, n)
	for s := range d.sh.States() {
		count[d.instance[s]]++
		if d.student[s] == d.teacher[s] {
			ahead[d.instance[s]]++
		}
		if choice[s] == d.teacher[s] {
			ahead[d.instance[s]]--
		}
	}
	return Rival{
		Name: name, Top1: d.share(seed, nil, func(s int) bool { return choice[s] == d.teacher[s] }),
		Ahead: total(ahead) / total(count), AheadCI: evaluate.RatioInterval(ahead, count, seed),
	}
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
