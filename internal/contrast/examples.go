package contrast

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
)

const (
	reasonsEach = 3
	// sure is how much more probable its own choice is to each policy of an example than the other's choice.
	sure = 0.2
)

// examples returns decisions in which both policies are sure of different choices and each router follows its own,
// under different leaders: one early, one midway and two late, of different instances.
func (d *decisions) examples() ([]Example, error) {
	type found struct {
		p      int
		margin float64
	}
	var all []found
	for p := range d.pairs {
		if !d.parted(p) || d.routed[0][p] != d.choice[0][p] || d.routed[1][p] != d.choice[1][p] ||
			d.leader(0, p) == d.leader(1, p) {
			continue
		}
		margin := min(d.prob(0, p, 0)-d.prob(0, p, 1), d.prob(1, p, 1)-d.prob(1, p, 0))
		if margin >= sure {
			all = append(all, found{p, margin})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.margin, a.margin) })
	wanted := [len(parts)]int{1, 1, 2}
	used := map[int32]bool{}
	var taken []int
	for _, x := range all {
		part := partOf(d.fifth[x.p])
		if i := d.instance[x.p]; wanted[part] > 0 && !used[i] {
			wanted[part]--
			used[i] = true
			taken = append(taken, x.p)
		}
	}
	slices.SortStableFunc(taken, func(a, b int) int { return cmp.Compare(d.fifth[a], d.fifth[b]) })
	var out []Example
	for _, p := range taken {
		e, err := d.example(p)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// leader returns the program with the largest weight of router i.
func (d *decisions) leader(i, p int) int { return floats.MaxIdx(d.w[i][p]) }

// prob returns the probability that policy i gives to the choice of policy j.
func (d *decisions) prob(i, p, j int) float64 {
	sh := d.data[i].Shard
	probs := dense.Must[float32]("π", sh.Probs, len(sh.Candidates))
	return float64(probs[sh.Offset[d.pairs[p].of(i)]+int64(d.choice[j][p])])
}

// example describes a decision.
func (d *decisions) example(p int) (Example, error) {
	sh, s := d.data[0].Shard, d.pairs[p].a
	st := sh.State(s)
	in := sh.Instance(int(d.instance[p]))
	tour := sh.Tour(st.Traj)
	e := Example{
		Instance: int(d.instance[p]), Step: st.Step, Steps: len(tour), Coords: slices.Clone(in.Coords),
		Path: slices.Clone(tour[:st.Step]),
	}
	walk, err := sh.Walk()
	if err != nil {
		return e, err
	}
	at, err := walk.Decision(s)
	if err != nil {
		return e, err
	}
	Vm := make([][]float32, len(d.bank.Heuristics))
	tau := dense.Must[float64]("τ_h", d.tauH, len(Vm))
	for m := range Vm {
		Vm[m] = agreement.DistributionAt(sh, d.data[0].Scores[m], tau[m], s)
	}
	leaders := [2]int{d.leader(0, p), d.leader(1, p)}
	for i := range leaders {
		k := d.choice[i][p]
		e.Choice[i], e.Prob[i] = int32(st.Candidates[k]), d.prob(i, p, i)
		e.Rank[i] = problems.DistanceRank(&in, st.Current, st.Candidates, int(k))
		e.Leader[i] = d.bank.Heuristics[leaders[i]].Name
		e.Weight[i] = d.w[i][p][leaders[i]]
		if why := readable.ReasonsOf(d.routers[i], d.bank); why != nil {
			why.Open(&in)
			terms := why.Why(at, Vm, leaders[i], leaders[1-i], reasonsEach).Terms
			e.Reasons[i] = slices.DeleteFunc(terms, func(t readable.Term) bool { return t.Weight <= 0 })
		}
	}
	return e, nil
}
