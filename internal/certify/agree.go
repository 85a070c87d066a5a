package certify

import (
	"fmt"

	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
)

// agree measures the agreement on all decisions, and on parts of them. plan [S], unless nil, holds what a plan of the
// rest would begin with.
func (d *decisions) agree(plan []int32) Agreement {
	slice := func(what string, where func(s int) bool) Slice {
		return Slice{
			What:    what,
			Student: d.share(where, func(s int) bool { return d.student[s] == d.teacher[s] }),
			Nearest: d.share(where, func(s int) bool { return d.nearest[s] == d.teacher[s] }),
		}
	}
	add := func(to *[]Slice, what string, where func(s int) bool) {
		if x := slice(what, where); x.Student.N > 0 {
			*to = append(*to, x)
		}
	}
	var a Agreement
	a.Overall = slice("all decisions", nil)
	depots, fifth := problems.Must(d.sh.Problem).Traits().Depots(), d.fifths()
	for q := range 5 {
		add(&a.Stages, fmt.Sprintf("%d–%d %% of the way", 20*q, 20*q+20), func(s int) bool { return fifth[s] == q })
	}
	for _, k := range [][2]int{{2, 2}, {3, 5}, {6, 10}, {11, 20}, {21, 50}, {51, 1 << 30}} {
		what := fmt.Sprintf("%d to %d candidates", k[0], k[1])
		switch {
		case k[0] == k[1]:
			what = fmt.Sprintf("%d candidates", k[0])
		case k[1] == 1<<30:
			what = fmt.Sprintf("more than %d candidates", k[0]-1)
		}
		add(&a.Candidates, what, func(s int) bool { return d.candidates(s) >= k[0] && d.candidates(s) <= k[1] })
	}
	ranks, nearest := d.ranks(), "the nearest"
	home := func(s int) bool { return depots > 0 && d.sh.State(s).Candidates[d.teacher[s]] == 0 }
	if depots > 0 {
		nearest = "the nearest customer"
		add(&a.Ranks, "the teacher returns to the depot", home)
	}
	for r, what := range []string{nearest, "the second nearest", "the third nearest", "a farther one"} {
		add(&a.Ranks, "the teacher takes "+what, func(s int) bool { return min(ranks[s]-1, 3) == r && !home(s) })
	}
	what := "the teacher takes neither " + nearest + " nor what a plan of the rest begins with"
	if plan == nil {
		what, plan = "the teacher does not take "+nearest, d.nearest
	}
	hard := slice(what, func(s int) bool { return d.teacher[s] != d.nearest[s] && d.teacher[s] != plan[s] })
	a.Hard = &hard
	return a
}

// fifths returns the fifth of the way, 0 to 4, of every state, by the nodes visited, a depot not counted.
func (d *decisions) fifths() []int {
	nodes := problems.Size(d.sh.Problem, d.sh.N)
	fifths, visited := make([]int, d.sh.States()), d.visited()
	for s := range fifths {
		fifths[s] = habits.Fifth(visited[d.sh.Traj[s]][d.sh.Step[s]], nodes)
	}
	return fifths
}

// visited returns how many nodes, a depot not counted, each trajectory has visited before each of its steps.
func (d *decisions) visited() [][]int {
	depot := problems.Must(d.sh.Problem).Traits().Depot
	visited := make([][]int, d.sh.Trajectories())
	for r := range visited {
		n := 0
		for _, a := range d.sh.Tour(r) {
			visited[r] = append(visited[r], n)
			if !depot || a > 0 {
				n++
			}
		}
	}
	return visited
}

// ranks returns the distance rank of the teacher's choice in every state, 1 for the nearest.
func (d *decisions) ranks() []int {
	ranks := make([]int, d.sh.States())
	for s := range ranks {
		st := d.sh.State(s)
		in := d.sh.Instance(int(d.instance[s]))
		ranks[s] = problems.DistanceRank(&in, st.Current, st.Candidates, int(d.teacher[s]))
	}
	return ranks
}
