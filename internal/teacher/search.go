package teacher

import (
	"math"

	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// LocalSearch is the architecture of a teacher that is no network.
const LocalSearch = "local-search"

// searchKicks is how many kicks a search makes per node that it may move: as tsp.Problem.NearOptimal.
const searchKicks = 100

// NewLocalSearch returns a TSP policy that takes the next step of a near-optimal tour: 2-opt and Or-opt with kicks. It
// is for comparing what explains a network with what explains good tours.
//
// A tour can be read from any node in either direction. So that decisions are well defined, the policy starts at the
// node nearest to the corner (1, 0) unless a start is given, and goes counterclockwise. So do the published AM networks
// for 20 and 50 nodes, which begin near (0.95, 0.05) and (0.90, 0).
//
// The policy can be asked about any unfinished tour. Where that is not the beginning of the policy's own, it follows a
// near-optimal completion: the shortest way it finds through the rest and back to the first node. A distribution has
// all its weight on one node.
func NewLocalSearch() Teacher {
	return Teacher{
		name: LocalSearch + "-" + string(routing.TSP),
		info: Info{Arch: LocalSearch, Problem: routing.TSP, View: routing.Full, OwnStart: true},
		net:  search{},
	}
}

// search is the model that has no weights.
type search struct{}

func (search) describe(*Info)           {}
func (search) encoder() *Encoder        { return nil }
func (search) decoder() routing.Decoder { return search{} }
func (search) Close() error             { return nil }

// Decode implements routing.Decoder.
func (search) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	if err := checkBatch(routing.TSP, []routing.Instance{*inst}, [][]routing.Run{runs}); err != nil {
		return nil, err
	}
	whole := counterclockwise(inst, tsp.Problem{}.NearOptimal(inst))
	trs := make([]routing.Trajectory, len(runs))
	for r, run := range runs {
		if err := follow(inst, whole, run, &trs[r]); err != nil {
			return nil, err
		}
	}
	return trs, nil
}

// follow makes one tour: it keeps to its plan until a forced action departs from it, and then makes a new one. So what
// it decides depends on the actions before, and not on whether they were forced or recorded.
func follow(inst *routing.Instance, whole []int32, run routing.Run, tr *routing.Trajectory) error {
	n := inst.N()
	if run.Record {
		tr.Probs = make([]float32, n*n)
	}
	s := tsp.NewState(inst)
	var plan []int32
	for t := 0; t < n; t++ {
		switch {
		case t == 0 && run.Start != routing.OwnStart:
			plan = []int32{int32(run.Start)}
		case t == 0:
			plan = []int32{corner(inst)}
		case t == 1:
			plan = after(whole, s.Actions()[0])
		case plan == nil:
			plan = tsp.Completion(inst, s.Actions(), searchKicks*(n-t), 1)
		}
		a := plan[0]
		if run.Record && (t > 0 || run.Start == routing.OwnStart) {
			tr.Probs[t*n+int(a)] = 1
		}
		plan = plan[1:]
		if t < len(run.Force) && run.Force[t] != a {
			a, plan = run.Force[t], nil
		}
		if err := s.Step(a); err != nil {
			return err
		}
	}
	tr.Actions, tr.Cost = s.Actions(), s.Cost()
	return nil
}

// after returns the rest of a tour from the node after v on.
func after(tour []int32, v int32) []int32 {
	rest := make([]int32, 0, len(tour)-1)
	for i, u := range tour {
		if u == v {
			return append(append(rest, tour[i+1:]...), tour[:i]...)
		}
	}
	panic("teacher: a tour visits every node")
}

// corner returns the node nearest to the corner (1, 0), ties to the lowest.
func corner(inst *routing.Instance) int32 {
	best, least := 0, math.Inf(1)
	for i := range inst.N() {
		x, y := inst.XY(i)
		if d := math.Hypot(1-float64(x), float64(y)); d < least {
			best, least = i, d
		}
	}
	return int32(best)
}

// counterclockwise returns the tour, turned round if it encloses its area clockwise.
func counterclockwise(inst *routing.Instance, tour []int32) []int32 {
	var twice float64 // the signed area
	for i, v := range tour {
		x0, y0 := inst.XY(int(v))
		x1, y1 := inst.XY(int(tour[(i+1)%len(tour)]))
		twice += float64(x0)*float64(y1) - float64(x1)*float64(y0)
	}
	if twice >= 0 {
		return tour
	}
	turned := make([]int32, len(tour))
	for i, v := range tour {
		turned[len(tour)-1-i] = v
	}
	return turned
}
