package rollout

import (
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// flat is a shard whose arrays are all slices. Inside this package shards are read, recorded, cut and joined in this
// form, because slices grow and can be cut anywhere. Method shard makes the tensors when all arrays are complete.
type flat struct {
	fields     // all but the tensors, which are nil here
	coords     []float32
	demand     []int32
	startProbs []float32
	probs      []float32
}

// fields has the fields of Shard without its methods, which need the tensors.
type fields Shard

// newFlat returns a shard without instances.
func newFlat(problem routing.Problem, teacher string, N int, viaDepot bool) *flat {
	f := &flat{fields: fields{Problem: problem, Teacher: teacher, N: N, ViaDepot: viaDepot, Offset: []int64{0}}}
	if problems.Must(problem).Traits().Depot {
		f.ActionOffset = []int64{0}
	}
	return f
}

// flat returns the shard as slices, which share the memory of its tensors.
func (sh *Shard) flat() *flat {
	f := &flat{
		fields: fields(*sh),
		coords: dense.Open[float32](sh.Coords), demand: dense.Open[int32](sh.Demand),
		startProbs: dense.Open[float32](sh.StartProbs), probs: dense.Open[float32](sh.Probs),
	}
	f.Coords, f.Demand, f.StartProbs, f.Probs = nil, nil, nil, nil
	return f
}

// shard returns the shard, whose tensors share the memory of f.
func (f *flat) shard() *Shard {
	sh, s := Shard(f.fields), f.size()
	sh.Coords = dense.Of(f.coords, s.Instances, f.N, 2)
	sh.Probs = dense.Vector(f.probs)
	t := problems.Must(f.Problem).Traits()
	if t.Load {
		sh.Demand = dense.Of(f.demand, s.Instances, f.N)
	}
	if !t.Depot {
		sh.StartProbs = dense.Of(f.startProbs, s.Trajectories, f.N)
	}
	return &sh
}

// size counts what the shard holds.
func (f *flat) size() Size {
	return Size{len(f.coords) / (2 * f.N), len(f.InstanceOf), len(f.Traj), len(f.Actions), len(f.Candidates)}
}
