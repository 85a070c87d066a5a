package standin

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// unseen returns the share of failures that strategy i of the catalogue is assumed to solve if the tables cannot show
// it: 0.55 at first, less for later strategies, plus up to 0.25 by a hash of the failures, so that other failures
// favour other strategies.
func unseen(i int, p prompt) float64 {
	h := fnv.New32a()
	fmt.Fprintln(h, i, p.failures)
	return 0.55 - 0.015*float64(i) + 0.25*float64(h.Sum32())/math.MaxUint32
}

// propose picks strategies greedily: each time the one that ranks the teacher's choice first in most of the failures
// that no strategy before it solves. Strategies that the bank already has come last, in another variant.
func (c *craft) propose(p prompt) string {
	open := make([]bool, len(p.failures))
	for i := range open {
		open[i] = true
	}
	var picked []int
	var b strings.Builder
	for len(picked) < min(p.modes, len(c.catalogue)) {
		best, most := -1, 0.0
		for i, s := range c.catalogue {
			if slices.Contains(picked, i) {
				continue
			}
			worth := 1.0 - 0.01*float64(i) // of equal ones the first in the catalogue
			hidden := unseen(i, p)
			for j, f := range p.failures {
				if open[j] && s.solves(f) {
					worth++
				} else if open[j] && s.rank == nil {
					worth += hidden
				}
			}
			if n := s.copies(p.bank); n > 0 {
				worth /= float64(100 * n)
			}
			if worth > most {
				best, most = i, worth
			}
		}
		s := c.catalogue[best]
		picked = append(picked, best)
		for j, f := range p.failures {
			open[j] = open[j] && !s.solves(f)
		}
		src := c.write(s, s.copies(p.bank)+p.attempt-1)
		fmt.Fprintf(&b, "<failure_mode>\n%s\n%s%s</failure_mode>\n",
			s.mode, tagged("description", describe(src)), tagged("new_program", src))
	}
	return b.String()
}

// solves reports whether the strategy ranks the teacher's choice above the program's two, as far as the table shows.
func (s strategy) solves(f failure) bool {
	if s.rank == nil {
		return false
	}
	right := s.rank(f, f.teacher1)
	for _, wrong := range []row{f.program1, f.program2} {
		if wrong != f.teacher1 && s.rank(f, wrong) >= right {
			return false
		}
	}
	return true
}

// copies returns how many programs of the bank follow the strategy.
func (s strategy) copies(bank []string) int {
	n := 0
	for _, entry := range bank {
		if s.describes(entry) {
			n++
		}
	}
	return n
}
