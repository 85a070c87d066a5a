package certify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// A change is made to the part of an instance that is not visited yet, away from where the vehicle stands and from what
// teacher and student would choose: what is asked is whether they attend to it. It is asked where both choose the same.
// A student that disagrees may already choose what the teacher comes to: it would seem not to react.
type change struct {
	what string // with the word for a node at %s
	// apply changes an instance, unless nothing can be changed so. waiting are nodes that it may change, at least two.
	// It returns the node that it has taken out, none otherwise: the nodes after it have moved up by one.
	apply func(in *routing.Instance, waiting []int32, rng *rand.Rand) (gone int32, changed bool)
	load  bool // for problems with demands only
	fewer bool // it takes out a node
}

// none stands for no node.
const none = -1

var changes = []change{
	{what: "a waiting %s moves to another place", apply: move},
	{what: "a waiting %s goes away", apply: takeOut, fewer: true},
	{what: "two waiting %ss swap their demands", apply: swapDemands, load: true},
}

// move gives a node another place, drawn from the unit square.
func move(in *routing.Instance, waiting []int32, rng *rand.Rand) (gone int32, changed bool) {
	node := 2 * waiting[rng.IntN(len(waiting))]
	in.Coords[node], in.Coords[node+1] = rng.Float32(), rng.Float32()
	return none, true
}

// takeOut removes a node with its demand.
func takeOut(in *routing.Instance, waiting []int32, rng *rand.Rand) (gone int32, changed bool) {
	gone = waiting[rng.IntN(len(waiting))]
	in.Coords = slices.Delete(in.Coords, int(2*gone), int(2*gone+2))
	if in.Demand != nil {
		in.Demand = slices.Delete(in.Demand, int(gone), int(gone+1))
	}
	return gone, true
}

// swapDemands swaps the demands of two nodes that differ in them, if any do.
func swapDemands(in *routing.Instance, waiting []int32, rng *rand.Rand) (gone int32, changed bool) {
	a := waiting[rng.IntN(len(waiting))]
	others := slices.DeleteFunc(slices.Clone(waiting), func(b int32) bool { return in.Demand[b] == in.Demand[a] })
	if len(others) == 0 {
		return none, false
	}
	b := others[rng.IntN(len(others))]
	in.Demand[a], in.Demand[b] = in.Demand[b], in.Demand[a]
	return none, true
}

// counterfactuals changes every instance as many times as it is told, in states drawn by lot, and asks both again,
// after the same first actions.
func (d *decisions) counterfactuals(
	ctx context.Context, t routing.Policy, s *evaluate.Student, times int,
) ([]Change, error) {
	var out []Change
	for i, c := range changes {
		if c.load && d.sh.Demand == nil || c.fewer && d.sh.N <= problems.Must(d.sh.Problem).Traits().LeastNodes {
			continue
		}
		c.what = fmt.Sprintf(c.what, problems.NodeWord(d.sh.Problem))
		measured, err := d.counterfactual(ctx, t, s, c, times, d.seed<<4|uint64(i))
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
	step     int
	gone     int32 // the node that was taken out, or none
}

// after returns the number that a node which is not taken out has in the changed instance.
func (q asked) after(node int32) int32 {
	if q.gone != none && node > q.gone {
		return node - 1
	}
	return node
}

// before returns the candidate of the instance of N nodes, as it was, that is the given one of the changed instance. A
// candidate c by way of the depot is N + c.
//
// For example, if node 3 of 5 was taken out, node 3 of the changed instance was node 4, and candidate 4+3, which is
// node 3 by way of the depot, was candidate 5+4.
func (q asked) before(candidate uint16, N int) uint16 {
	if q.gone == none {
		return candidate
	}
	less, via := uint16(N-1), uint16(0)
	if candidate >= less {
		candidate, via = candidate-less, uint16(N)
	}
	if int32(candidate) >= q.gone {
		candidate++
	}
	return via + candidate
}

// counterfactual makes one kind of change.
func (d *decisions) counterfactual(
	ctx context.Context, t routing.Policy, s *evaluate.Student, c change, times int, seed uint64,
) (Change, error) {
	x := d.changed(c, times, rand.New(rand.NewPCG(seed, 0xcf)))
	if len(x.insts) == 0 {
		return Change{What: c.what}, nil
	}
	return d.ask(ctx, t, s, c.what, x, seed)
}

// questions are changed instances, each with the actions that lead to the state in question.
type questions struct {
	insts []routing.Instance
	runs  [][]routing.Run
	asked []asked // question i is of instance i
}

// changed changes every instance, in states in which teacher and student choose the same.
func (d *decisions) changed(c change, times int, rng *rand.Rand) (x questions) {
	byInstance := make([][]int, d.sh.Instances())
	for state, i := range d.instance {
		if d.student[state] == d.teacher[state] {
			byInstance[i] = append(byInstance[i], state)
		}
	}
	for i, states := range byInstance {
		if len(states) == 0 {
			continue
		}
		for range times {
			state := states[rng.IntN(len(states))]
			st := d.sh.State(state)
			waiting := d.free(state)
			if len(waiting) < 2 {
				continue
			}
			in := d.sh.Instance(i)
			in.Coords, in.Demand = slices.Clone(in.Coords), slices.Clone(in.Demand)
			gone, changed := c.apply(&in, waiting, rng)
			if !changed {
				continue
			}
			q := asked{state: state, instance: int32(i), step: st.Step, gone: gone}
			taken := slices.Clone(d.sh.Tour(st.Traj)[:st.Step])
			for k, node := range taken {
				taken[k] = q.after(node)
			}
			start := routing.OwnStart // the first step is a decision
			if st.Step > 0 {
				start = int(taken[0])
			}
			x.insts, x.asked = append(x.insts, in), append(x.asked, q)
			x.runs = append(x.runs, []routing.Run{{Start: start, Force: taken, Record: true}})
		}
	}
	return x
}

// ask puts the questions to teacher and student.
func (d *decisions) ask(
	ctx context.Context, t routing.Policy, s *evaluate.Student, what string, x questions, seed uint64,
) (Change, error) {
	sh, err := rollout.Record(ctx, t, x.insts, func(i int) []routing.Run { return x.runs[i] }, nil)
	if err != nil {
		return Change{}, err
	}
	// The states that are asked about, and where that of each question is among them, or -1. Each question has a
	// trajectory of its own.
	var states, at []int
	for state, i := 0, 0; i < len(x.asked); i++ {
		at = append(at, -1)
		for ; state < sh.States() && int(sh.Traj[state]) == i; state++ {
			if int(sh.Step[state]) == x.asked[i].step {
				at[i] = len(states)
				states = append(states, state)
			}
		}
	}
	after, err := decide(ctx, s, sh.Only(states))
	if err != nil {
		return Change{}, err
	}
	n := d.sh.Instances()
	teacher, student, both, alone, same := newCounter(n), newCounter(n), newCounter(n), newCounter(n), newCounter(n)
	for i, q := range x.asked {
		now := at[i]
		if now < 0 { // the change left one candidate only
			continue
		}
		was := func(choice int32) uint16 { return d.sh.State(q.state).Candidates[choice] }
		is := func(choice int32) uint16 { return q.before(after.sh.State(now).Candidates[choice], d.sh.N) }
		teacherChanges := was(d.teacher[q.state]) != is(after.teacher[now])
		studentChanges := was(d.student[q.state]) != is(after.student[now])
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
	candidates := d.sh.Candidates[d.sh.Offset[state]:d.sh.Offset[state+1]]
	node := func(k int32) int32 { return int32(candidates[k]) % int32(d.sh.N) } // by way of the depot, c − N
	teacher, student := node(d.teacher[state]), node(d.student[state])
	for k := range candidates {
		n := node(int32(k))
		depot := n == 0 && problems.Must(d.sh.Problem).Traits().Depot
		if n != teacher && n != student && !depot && !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}
