package rollout

import (
	"errors"
	"fmt"
	"slices"
	"sort"
)

// Concat returns one shard with all instances, trajectories and states of the given ones, in order. They must agree in
// problem, teacher and size.
func Concat(shards ...*Shard) (*Shard, error) {
	if len(shards) == 0 {
		return nil, errors.New("concatenate shards: none given")
	}
	a := shards[0]
	out := empty(a.Problem, a.Teacher, a.N, a.ViaDepot)
	S, E := 0, 0
	for _, sh := range shards {
		S, E = S+sh.States(), E+len(sh.Candidates)
	}
	out.Offset = slices.Grow(out.Offset, S)
	out.Candidates, out.Probs = make([]uint16, 0, E), make([]float32, 0, E)
	for k, sh := range shards {
		if sh.Problem != a.Problem || sh.N != a.N || sh.Teacher != a.Teacher || sh.ViaDepot != a.ViaDepot {
			return nil, fmt.Errorf("concatenate shards: shard %d is %s-%d by %s, the first is %s-%d by %s",
				k, sh.Problem, sh.N, sh.Teacher, a.Problem, a.N, a.Teacher)
		}
		out.appendShard(sh)
	}
	return out, nil
}

// appendShard appends all of sh.
func (out *Shard) appendShard(sh *Shard) {
	next := sh.after(out.Size()).held()
	for k, a := range out.held() {
		a.join(next[k])
	}
}

// after returns the shard as the continuation of one of size s: its instances, trajectories, actions and candidates are
// numbered on from there, and its offsets, which go on as well, lack their first element. Arrays that need no
// renumbering alias sh.
func (sh *Shard) after(s Size) *Shard {
	next := *sh
	for _, a := range next.held() {
		a.after(s)
	}
	return &next
}

// Slice returns a shard of instances from .. to-1 with their trajectories and states, which must be ordered by
// instance, as Record and Concat leave them. Arrays that need no renumbering alias sh.
func (sh *Shard) Slice(from, to int) *Shard {
	lo, hi := sh.before(from), sh.before(to)
	out := *sh
	for _, a := range out.held() {
		a.cut(lo, hi)
	}
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
