package rollout

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/epb-nco/epb/internal/dense"
)

// Concat returns one shard with all instances, trajectories and states of the given ones, in order. They must agree in
// problem, teacher and size.
func Concat(shards ...*Shard) (*Shard, error) {
	parts := make([]*flat, len(shards))
	for k, sh := range shards {
		parts[k] = sh.flat()
	}
	return concat(parts)
}

// concat is Concat for shards that are slices still. It renumbers the parts and copies them.
func concat(parts []*flat) (*Shard, error) {
	if len(parts) == 0 {
		return nil, errors.New("concatenate shards: none given")
	}
	a := parts[0]
	out := newFlat(a.Problem, a.Teacher, a.N, a.ViaDepot)
	S, E := 0, 0
	for _, f := range parts {
		S, E = S+len(f.Traj), E+len(f.Candidates)
	}
	out.Offset = slices.Grow(out.Offset, S)
	out.Candidates, out.probs = make([]uint16, 0, E), make([]float32, 0, E)
	for k, f := range parts {
		if f.Problem != a.Problem || f.N != a.N || f.Teacher != a.Teacher || f.ViaDepot != a.ViaDepot {
			return nil, fmt.Errorf("concatenate shards: shard %d is %s, the first is %s", k, f.what(), a.what())
		}
		out.join(f)
	}
	return out.shard(), nil
}

// what says what all parts of a shard must agree in.
func (f *flat) what() string {
	what := fmt.Sprintf("%s-%d by %s", f.Problem, f.N, f.Teacher)
	if f.ViaDepot {
		what += ", with candidates by way of the depot"
	}
	return what
}

// join appends all of next, which it renumbers.
func (f *flat) join(next *flat) {
	next.after(f.size())
	more := next.held()
	for k, a := range f.held() {
		a.join(more[k])
	}
}

// after makes f the continuation of a shard of size s: its instances, trajectories, actions and candidates are
// numbered on from there, and its offsets, which go on as well, lose their first element. Arrays that are renumbered
// are copied first.
func (f *flat) after(s Size) {
	for _, a := range f.held() {
		a.after(s)
	}
}

// Slice returns a shard of instances from .. to-1 with their trajectories and states, which must be ordered by
// instance, as Record and Concat leave them. Arrays that need no renumbering alias sh.
func (sh *Shard) Slice(from, to int) *Shard {
	lo, hi := sh.before(from), sh.before(to)
	out := sh.flat()
	for _, a := range out.held() {
		a.cut(lo, hi)
	}
	return out.shard()
}

// Only returns a shard of the same instances and trajectories with these states alone. They must be given in order.
func (sh *Shard) Only(states []int) *Shard {
	out := *sh
	out.Traj, out.Step, out.Remaining, out.Candidates = nil, nil, nil, nil
	out.Offset = []int64{0}
	var probs []float32
	for _, s := range states {
		st := sh.State(s)
		out.Traj, out.Step = append(out.Traj, sh.Traj[s]), append(out.Step, sh.Step[s])
		if sh.Remaining != nil {
			out.Remaining = append(out.Remaining, sh.Remaining[s])
		}
		out.Candidates, probs = append(out.Candidates, st.Candidates...), append(probs, st.Probs...)
		out.Offset = append(out.Offset, int64(len(out.Candidates)))
	}
	out.Probs = dense.Vector(probs)
	return &out
}

// before counts what belongs to instances before i.
func (sh *Shard) before(i int) Size {
	r := sh.trajectoriesBefore(i)
	s := sh.statesBefore(r)
	size := Size{Instances: i, Trajectories: r, States: s, Actions: r * sh.N, Candidates: int(sh.Offset[s])}
	if sh.ragged() {
		size.Actions = int(sh.ActionOffset[r])
	}
	return size
}

// trajectoriesBefore returns how many trajectories belong to instances before i.
func (sh *Shard) trajectoriesBefore(i int) int {
	return sort.Search(len(sh.InstanceOf), func(r int) bool { return int(sh.InstanceOf[r]) >= i })
}

// statesBefore returns how many states belong to trajectories before r.
func (sh *Shard) statesBefore(r int) int {
	return sort.Search(len(sh.Traj), func(s int) bool { return int(sh.Traj[s]) >= r })
}
