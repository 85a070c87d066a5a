package certify

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// tours lets the student solve every instance, whole and with its leaders knocked out, and its cheapest single program
// by itself. All begin with the teacher's first action, so that the rule for the first node has no part in it.
func (d *decisions) tours(ctx context.Context, s *evaluate.Student) ([]Tours, error) {
	teachers, err := d.solved()
	if err != nil {
		return nil, err
	}
	whole, err := teachers.by(ctx, s)
	if err != nil {
		return nil, err
	}
	out := []Tours{teachers.row("the student", whole, whole, d.seed)}
	if d.M == 1 {
		return out, nil
	}
	type row struct {
		what    string
		role    Role
		reroute func(in *routing.Instance) evaluate.Reroute
		hard    bool
	}
	rows := []row{
		{what: "without the leader of each step", role: RoleDropped,
			reroute: func(*routing.Instance) evaluate.Reroute { return dropLeader }},
		{what: "a program drawn by lot in the leader’s place", role: RoleSwapped,
			reroute: func(in *routing.Instance) evaluate.Reroute {
				rng := rand.New(rand.NewPCG(d.seed, lot(in)))
				return func(w []float32) { swapLeader(w, rng) }
			}},
	}
	if !d.hard {
		rows = append(rows, row{what: "the leader of each step decides alone", hard: true,
			reroute: func(*routing.Instance) evaluate.Reroute { return func([]float32) {} }})
	}
	for _, r := range rows {
		costs, err := teachers.by(ctx, evaluate.Rerouted{Label: r.what, Student: s, Of: r.reroute, Hard: r.hard})
		if err != nil {
			return nil, err
		}
		without := teachers.row(r.what, costs, whole, d.seed)
		without.Role = r.role
		out = append(out, without)
	}
	var alone [][]float64
	for _, program := range s.Programs.Singles(s.Start) {
		costs, err := teachers.by(ctx, program)
		if err != nil {
			return nil, err
		}
		alone = append(alone, costs)
	}
	picked := cheapest(alone)
	costs := make([]float64, len(whole))
	for i := range costs {
		costs[i] = alone[picked.of(int32(i))][i]
	}
	single := teachers.row("best single program by cost, "+picked.name(d.names), costs, whole, d.seed)
	single.Single = true
	return append(out, single), nil
}

// cheapest picks among policies with costs [P][instances] the one of the least cost.
func cheapest(costs [][]float64) (picked halves) {
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for p, of := range costs {
		var spent [2]float64
		for i, cost := range of {
			spent[i%2] += cost
		}
		for half := range picked {
			if other := spent[1-half]; other < least[half] {
				picked[half], least[half] = p, other
			}
		}
	}
	return picked
}

// solved are the instances with the teacher's costs and first actions.
type solved struct {
	insts  []routing.Instance
	starts []int
	costs  []float64
}

// solved returns the teacher's solution of every instance, the first if there are several.
func (d *decisions) solved() (out solved, err error) {
	out.starts, out.costs = make([]int, d.sh.Instances()), make([]float64, d.sh.Instances())
	for i := range out.starts {
		out.insts = append(out.insts, d.sh.Instance(i))
	}
	for r := d.sh.Trajectories() - 1; r >= 0; r-- {
		i, tour := d.sh.InstanceOf[r], d.sh.Tour(r)
		out.starts[i] = int(tour[0])
		if out.costs[i], err = problems.Cost(&out.insts[i], tour); err != nil {
			return solved{}, fmt.Errorf("certify: the teacher's solution: %w", err)
		}
	}
	return out, nil
}

// by returns the costs of a policy's greedy solutions.
func (x solved) by(ctx context.Context, p routing.Policy) ([]float64, error) {
	got, err := evaluate.Search{Mode: evaluate.Greedy, Starts: x.starts}.Run(ctx, p, x.insts)
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	return got.Costs, nil
}

// row compares costs with the teacher's and the student's.
func (x solved) row(what string, costs, student []float64, seed uint64) Tours {
	return Tours{What: what, Gap: bootstrap.GapTo(costs, x.costs, seed), Rise: bootstrap.GapTo(costs, student, seed)}
}
