package certify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// A change is made to the part of an instance that is not visited yet, away from where the vehicle stands and from what
// teacher and student would choose: what is asked is whether they attend to it.
type change struct {
	what string
	// apply changes an instance. waiting are nodes that it may change, in increasing order, at least two.
	apply func(in *routing.Instance, waiting []int32, rng *rand.Rand)
	load  bool // for problems with demands only
}

var changes = []change{
	{what: "a waiting node moves to another place", apply: func(in *routing.Instance, waiting []int32, rng *rand.Rand) {
		node := 2 * waiting[rng.IntN(len(waiting))]
		in.Coords[node], in.Coords[node+1] = rng.Float32(), rng.Float32()
	}},
	{what: "a waiting node goes away", apply: func(in *routing.Instance, waiting []int32, rng *rand.Rand) {
		// Visited nodes keep their numbers, so none is taken out: it moves onto another waiting one and costs nothing.
		a := rng.IntN(len(waiting))
		b := (a + 1 + rng.IntN(len(waiting)-1)) % len(waiting)
		copy(in.Coords[2*waiting[a]:2*waiting[a]+2], in.Coords[2*waiting[b]:])
	}},
	{what: "two waiting nodes swap their demands", load: true,
		apply: func(in *routing.Instance, waiting []int32, rng *rand.Rand) {
			a := rng.IntN(len(waiting))
			b := (a + 1 + rng.IntN(len(waiting)-1)) % len(waiting)
			in.Demand[waiting[a]], in.Demand[waiting[b]] = in.Demand[waiting[b]], in.Demand[waiting[a]]
		}},
}

// counterfactuals changes every instance in some random states and asks both again, after the same first actions.
func (d *decisions) counterfactuals(
	ctx context.Context, t routing.Policy, s *evaluate.Student, seed uint64,
) ([]Change, error) {
	var out []Change
	for i, c := range changes {
		if c.load && d.sh.Demand == nil {
			continue
		}
		measured, err := d.counterfactual(ctx, t, s, c, seed<<4|uint64(i))
		if err != nil {
			return nil, fmt.Errorf("certify: %s: %w", c.what, err)
		}
		out = append(out, measured)
	}
	return out, nil
}

// asked is one decision before and after a change.
type asked struct {
	state    int   // of the decisions
	instance int32 // that was changed
	changed  int   // the same, among the changed ones
	step     int
}

// changesEach is how many times each instance is changed, in states drawn by lot.
const changesEach = 4

func (d *decisions) counterfactual(
	ctx context.Context, t routing.Policy, s *evaluate.Student, c change, seed uint64,
) (Change, error) {
	rng := rand.New(rand.NewPCG(seed, 0xcf))
	var insts []routing.Instance
	var runs [][]routing.Run
	var questions []asked
	byInstance := make([][]int, d.sh.Instances())
	for state, i := range d.instance {
		byInstance[i] = append(byInstance[i], state)
	}
	for i, states := range byInstance {
		if len(states) == 0 {
			continue
		}
		for range changesEach {
			state := states[rng.IntN(len(states))]
			st := d.sh.State(state)
			waiting := d.free(state)
			if len(waiting) < 2 {
				continue
			}
			in := d.sh.Instance(i)
			in.Coords, in.Demand = slices.Clone(in.Coords), slices.Clone(in.Demand)
			c.apply(&in, waiting, rng)
			tour := d.sh.Tour(st.Traj)
			insts = append(insts, in)
			runs = append(runs, []routing.Run{{
				Start: int(tour[0]), Force: slices.Clone(tour[:st.Step]), Record: true,
			}})
			questions = append(questions, asked{state, int32(i), len(insts) - 1, st.Step})
		}
	}
	if len(insts) == 0 {
		return Change{What: c.what}, nil
	}
	return d.ask(ctx, t, s, c.what, seed, insts, runs, questions)
}

// ask puts the questions to teacher and student.
func (d *decisions) ask(
	ctx context.Context, t routing.Policy, s *evaluate.Student, what string, seed uint64, insts []routing.Instance,
	runs [][]routing.Run, questions []asked,
) (Change, error) {
	sh, err := rollout.Record(ctx, t, insts, func(i int) []routing.Run { return runs[i] }, nil)
	if err != nil {
		return Change{}, err
	}
	after, err := decide(ctx, s, sh)
	if err != nil {
		return Change{}, err
	}
	at := make(map[[2]int]int, sh.States()) // state by trajectory and step
	for state := range sh.States() {
		at[[2]int{int(sh.Traj[state]), int(sh.Step[state])}] = state
	}
	n := d.sh.Instances()
	teacher, student, both, alone, same := newCounter(n), newCounter(n), newCounter(n), newCounter(n), newCounter(n)
	for _, q := range questions {
		now, ok := at[[2]int{q.changed, q.step}]
		if !ok { // the change left one candidate only
			continue
		}
		node := func(d *decisions, state int, choice int32) uint16 { return d.sh.State(state).Candidates[choice] }
		teacherChanges := node(d, q.state, d.teacher[q.state]) != node(after, now, after.teacher[now])
		studentChanges := node(d, q.state, d.student[q.state]) != node(after, now, after.student[now])
		teacher.count(q.instance, teacherChanges)
		student.count(q.instance, studentChanges)
		if teacherChanges {
			both.count(q.instance, studentChanges)
			same.count(q.instance, after.student[now] == after.teacher[now])
		} else {
			alone.count(q.instance, studentChanges)
		}
	}
	return Change{
		What: what, Teacher: teacher.share(seed), Student: student.share(seed), Both: both.share(seed),
		Alone: alone.share(seed), Same: same.share(seed),
	}, nil
}

// free returns the waiting nodes that neither teacher nor student would choose in a state.
func (d *decisions) free(state int) (nodes []int32) {
	st := d.sh.State(state)
	for k, c := range st.Candidates {
		node := int32(c) % int32(d.sh.N) // by way of the depot, c − N
		chosen := int32(k) == d.teacher[state] || int32(k) == d.student[state]
		if depot := d.sh.Demand != nil && node == 0; !chosen && !depot && !slices.Contains(nodes, node) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}
