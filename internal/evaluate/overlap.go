package evaluate

import (
	"fmt"

	"github.com/epb-nco/epb/internal/bootstrap"
)

// Overlap summarises over instances which share of their undirected edges, in [0,1], two policies' tours have in common
// (paper, table "Undirected edge overlap").
type Overlap struct {
	Mean      float64            `json:"mean"`
	Std       float64            `json:"std"`       // over instances
	CI        bootstrap.Interval `json:"ci95"`      // of Mean
	Identical float64            `json:"identical"` // share of instances whose tours are the same
}

// EdgeOverlap returns the share, in [0,1], of undirected edges that two solutions of one instance have in common: twice
// the common ones over all. Solutions are closed: tours of the same N ≥ 3 nodes, or CVRP actions in the form of
// routing.JoinRoutes, whose edges to and from the depot count as any other.
func EdgeOverlap(a, b []int32) float64 {
	edge := func(tour []int32, t int) [2]int32 {
		from, to := tour[t], tour[(t+1)%len(tour)]
		return [2]int32{min(from, to), max(from, to)}
	}
	count := make(map[[2]int32]int, len(a))
	for t := range a {
		count[edge(a, t)]++
	}
	common := 0
	for t := range b {
		if e := edge(b, t); count[e] > 0 {
			count[e]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// overlaps summarises EdgeOverlap over instances. The seed is the bootstrap's. It panics on different numbers of tours
// and on none.
func overlaps(a, b [][]int32, seed uint64) Overlap {
	if len(a) != len(b) || len(a) == 0 {
		panic(fmt.Sprintf("evaluate: overlap of %d and %d tours", len(a), len(b)))
	}
	shares := make([]float64, len(a))
	identical := 0
	for i := range a {
		shares[i] = EdgeOverlap(a[i], b[i])
		if shares[i] == 1 {
			identical++
		}
	}
	s := bootstrap.Summarise(shares, seed)
	return Overlap{Mean: s.Mean, Std: s.Std, CI: s.CI, Identical: float64(identical) / float64(len(a))}
}
