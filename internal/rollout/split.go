package rollout

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/epb-nco/epb/internal/routing"
)

// Concat returns one shard with all instances, trajectories and states of the given ones, in order. They must agree in
// problem, teacher and size.
func Concat(shards ...*Shard) (*Shard, error) {
	if len(shards) == 0 {
		return nil, errors.New("concatenate shards: none given")
	}
	a := shards[0]
	out := &Shard{Problem: a.Problem, Teacher: a.Teacher, N: a.N, ViaDepot: a.ViaDepot, Offset: []int64{0}}
	if a.Problem == routing.CVRP {
		out.ActionOffset = []int64{0}
	}
	states, candidates := 0, 0
	for _, sh := range shards {
		states, candidates = states+sh.States(), candidates+len(sh.Candidates)
	}
	out.Offset = slices.Grow(out.Offset, states)
	out.Candidates, out.Probs = make([]uint16, 0, candidates), make([]float32, 0, candidates)
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
	sh = sh.after(out.Size())
	out.Coords = append(out.Coords, sh.Coords...)
	out.Demand = append(out.Demand, sh.Demand...)
	out.Capacity = append(out.Capacity, sh.Capacity...)
	out.InstanceOf = append(out.InstanceOf, sh.InstanceOf...)
	out.Actions = append(out.Actions, sh.Actions...)
	out.ActionOffset = append(out.ActionOffset, sh.ActionOffset...)
	out.StartProbs = append(out.StartProbs, sh.StartProbs...)
	out.Traj = append(out.Traj, sh.Traj...)
	out.Step = append(out.Step, sh.Step...)
	out.Remaining = append(out.Remaining, sh.Remaining...)
	out.Offset = append(out.Offset, sh.Offset...)
	out.Candidates = append(out.Candidates, sh.Candidates...)
	out.Probs = append(out.Probs, sh.Probs...)
}

// after returns the shard as the continuation of one of the given size: its instances and trajectories are numbered on from there, and its
// offsets, which go on as well, lack their first element. Arrays that need no renumbering alias sh.
func (sh *Shard) after(s Size) *Shard {
	next := *sh
	next.InstanceOf = slices.Clone(sh.InstanceOf)
	for r := range next.InstanceOf {
		next.InstanceOf[r] += int32(s.Instances)
	}
	next.Traj = slices.Clone(sh.Traj)
	for k := range next.Traj {
		next.Traj[k] += int32(s.Trajectories)
	}
	next.Offset = slices.Clone(sh.Offset[1:])
	for k := range next.Offset {
		next.Offset[k] += int64(s.Candidates)
	}
	if sh.Problem == routing.CVRP {
		next.ActionOffset = slices.Clone(sh.ActionOffset[1:])
		for r := range next.ActionOffset {
			next.ActionOffset[r] += int64(s.Actions)
		}
	}
	return &next
}

// Slice returns a shard of instances from .. to-1 with their trajectories and states, which must be ordered by instance, as Record
// and Concat leave them. Arrays that need no renumbering alias sh.
func (sh *Shard) Slice(from, to int) *Shard {
	n := sh.N
	r0, r1 := sh.trajectoriesBefore(from), sh.trajectoriesBefore(to)
	s0, s1 := sh.statesBefore(r0), sh.statesBefore(r1)
	e0, e1 := sh.Offset[s0], sh.Offset[s1]
	out := &Shard{
		Problem: sh.Problem, Teacher: sh.Teacher, N: n,
		Coords:     sh.Coords[2*n*from : 2*n*to],
		InstanceOf: make([]int32, r1-r0),
		ViaDepot:   sh.ViaDepot,
		Traj:       make([]int32, s1-s0),
		Step:       sh.Step[s0:s1],
		Offset:     make([]int64, s1-s0+1),
		Candidates: sh.Candidates[e0:e1],
		Probs:      sh.Probs[e0:e1],
	}
	if sh.Problem == routing.CVRP {
		out.Demand, out.Capacity = sh.Demand[n*from:n*to], sh.Capacity[from:to]
		out.Remaining = sh.Remaining[s0:s1]
		out.ActionOffset = make([]int64, r1-r0+1)
		a0 := sh.ActionOffset[r0]
		for r := range out.ActionOffset {
			out.ActionOffset[r] = sh.ActionOffset[r0+r] - a0
		}
		out.Actions = sh.Actions[a0:sh.ActionOffset[r1]]
	} else {
		out.Actions, out.StartProbs = sh.Actions[r0*n:r1*n], sh.StartProbs[r0*n:r1*n]
	}
	for r := range out.InstanceOf {
		out.InstanceOf[r] = sh.InstanceOf[r0+r] - int32(from)
	}
	for s := range out.Traj {
		out.Traj[s] = sh.Traj[s0+s] - int32(r0)
	}
	for s := range out.Offset {
		out.Offset[s] = sh.Offset[s0+s] - e0
	}
	return out
}

// trajectoriesBefore returns how many trajectories belong to instances before i.
func (sh *Shard) trajectoriesBefore(i int) int {
	return sort.Search(len(sh.InstanceOf), func(r int) bool { return int(sh.InstanceOf[r]) >= i })
}

// statesBefore returns how many states belong to trajectories before r.
func (sh *Shard) statesBefore(r int) int {
	return sort.Search(len(sh.Traj), func(s int) bool { return int(sh.Traj[s]) >= r })
}
