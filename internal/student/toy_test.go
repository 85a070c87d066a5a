package student

import (
	"math"
	"math/rand/v2"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// defaultPOMO is the paper's TSP-50 student (appendix, settings table).
func defaultPOMO() Config { return Config{D: 128, Layers: 3, Heads: 8, FF: 512, Glimpse: true} }

// defaultLEHD is the paper's LEHD student (appendix, settings table).
func defaultLEHD() Config {
	return Config{Arch: LEHD, DecoderLayers: 3, D: 128, Layers: 3, Heads: 8, FF: 512}
}

// builder collects states whose teacher is softmax(−cost/0.1), and M programs that score −cost with some noise, with
// less noise in the first ones. τ_h is always 0.1.
type builder struct {
	r      *rand.Rand
	set    Dataset
	coords []float32   // [I,N,2]
	demand []int32     // [I,N], of routes
	probs  []float32   // [C]
	scores [][]float32 // [M] of [C]
}

func newBuilder(problem routing.Problem, n, M int, seed uint64) *builder {
	shard := &rollout.Shard{Problem: problem, Teacher: "toy", N: n, Offset: []int64{0}}
	return &builder{
		r: rand.New(rand.NewPCG(seed, 7)), set: Dataset{Shard: shard}, scores: make([][]float32, M),
	}
}

// choose returns the teacher's choice. It records the state if there is a choice.
func (b *builder) choose(traj, step int, cand []uint16, cost func(a uint16) float64) uint16 {
	sh, probs := b.set.Shard, make([]float64, len(cand))
	best, sum := 0, 0.0
	for k, a := range cand {
		probs[k] = math.Exp(-cost(a) / 0.1)
		sum += probs[k]
		if probs[k] > probs[best] {
			best = k
		}
	}
	if len(cand) > 1 {
		sh.Traj, sh.Step = append(sh.Traj, int32(traj)), append(sh.Step, int32(step))
		for k, a := range cand {
			sh.Candidates = append(sh.Candidates, a)
			b.probs = append(b.probs, float32(probs[k]/sum))
			for m := range b.scores {
				noise := 0.05 * float64(m+1) * b.r.NormFloat64()
				b.scores[m] = append(b.scores[m], float32(noise-cost(a)))
			}
		}
		sh.Offset = append(sh.Offset, int64(len(sh.Candidates)))
	}
	return cand[best]
}

// dataset returns the collected states.
func (b *builder) dataset() Dataset {
	set := b.set
	sh := set.Shard
	I, R := len(b.coords)/(2*sh.N), sh.Trajectories()
	sh.Coords, sh.Probs = dense.Of(b.coords, I, sh.N, 2), dense.Vector(b.probs)
	if b.demand != nil {
		sh.Demand = dense.Of(b.demand, I, sh.N)
	} else {
		sh.StartProbs = dense.Of(make([]float32, R*sh.N), R, sh.N)
	}
	for _, c := range b.scores {
		set.Scores = append(set.Scores, dense.Vector(c))
	}
	return set
}

// floats returns the values of a tensor, which a test may change.
func floats(t *tensor.Dense) []float32 { return dense.Must[float32]("tensor", t, t.Shape()...) }

// openAll opens sets as training does.
func openAll(sets ...Dataset) []opened {
	out := make([]opened, len(sets))
	for i, s := range sets {
		var err error
		if out[i], err = s.open(); err != nil {
			panic(err)
		}
	}
	return out
}

func (b *builder) tauH() []float64 { return slices.Repeat([]float64{0.1}, len(b.scores)) }

// toy returns a shard of instances×runs nearest-neighbour tours, run r from node r.
func toy(instances, n, runs, M int, seed uint64) (Dataset, []float64) {
	b := newBuilder(routing.TSP, n, M, seed)
	sh := b.set.Shard
	for i := range instances {
		for range 2 * n {
			b.coords = append(b.coords, b.r.Float32())
		}
		inst := routing.Instance{Problem: routing.TSP, Coords: b.coords[2*n*i:]}
		for run := range runs {
			traj := len(sh.InstanceOf)
			sh.InstanceOf = append(sh.InstanceOf, int32(i))
			var left []uint16
			for node := range n {
				if node != run {
					left = append(left, uint16(node))
				}
			}
			current := run
			sh.Actions = append(sh.Actions, int32(current))
			for step := 1; step < n; step++ {
				next := b.choose(traj, step, left, func(a uint16) float64 { return inst.Dist(current, int(a)) })
				left = slices.DeleteFunc(left, func(a uint16) bool { return a == next })
				current = int(next)
				sh.Actions = append(sh.Actions, int32(current))
			}
		}
	}
	return b.dataset(), b.tauH()
}

// toyCVRP returns the same for CVRP with n nodes; run r begins at customer r+1. Three or four customers fill the
// vehicle. via is the shard's ViaDepot.
func toyCVRP(instances, n, runs, M int, seed uint64, via bool) (Dataset, []float64) {
	b := newBuilder(routing.CVRP, n, M, seed)
	sh := b.set.Shard
	sh.ViaDepot, sh.ActionOffset = via, []int64{0}
	for i := range instances {
		for node := range n {
			b.coords = append(b.coords, b.r.Float32(), b.r.Float32())
			b.demand = append(b.demand, int32(min(node, 1)*(3+b.r.IntN(3))))
		}
		sh.Capacity = append(sh.Capacity, 14)
		inst := routing.Instance{
			Problem: routing.CVRP, Coords: b.coords[2*n*i:], Demand: b.demand[n*i:], Capacity: sh.Capacity[i],
		}
		for run := range runs {
			traj, s := len(sh.InstanceOf), cvrp.NewState(&inst, false)
			sh.InstanceOf = append(sh.InstanceOf, int32(i))
			step := func(a uint16) {
				if int(a) >= n {
					a -= uint16(n)
					must(s.Step(0))
				}
				must(s.Step(int32(a)))
			}
			step(uint16(run + 1))
			for s.Left() > 0 {
				current, before := int(s.Current()), len(sh.Traj)
				a := b.choose(traj, len(s.Actions()), toyCandidates(s, n, via), func(a uint16) float64 {
					if int(a) < n {
						return inst.Dist(current, int(a))
					}
					return inst.Dist(current, 0) + inst.Dist(0, int(a)-n)
				})
				if len(sh.Traj) > before {
					sh.Remaining = append(sh.Remaining, s.Remaining())
				}
				step(a)
			}
			if s.Current() != 0 {
				step(0)
			}
			sh.Actions = append(sh.Actions, s.Actions()...)
			sh.ActionOffset = append(sh.ActionOffset, int64(len(sh.Actions)))
		}
	}
	set := b.dataset()
	must(set.Shard.Validate())
	return set, b.tauH()
}

func toyCandidates(s *cvrp.State, n int, via bool) (cand []uint16) {
	for _, a := range s.Candidates(nil) {
		if a != 0 || !via {
			cand = append(cand, a)
		}
	}
	if via && s.Current() != 0 {
		for c := 1; c < n; c++ {
			if !s.Visited()[c] {
				cand = append(cand, uint16(n+c))
			}
		}
	}
	return cand
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func small(glimpse bool) Config {
	return Config{D: 16, Layers: 2, Heads: 2, FF: 24, Glimpse: glimpse}
}

// kind is one kind of student that the package can make.
type kind struct {
	name string
	cfg  Config
	via  bool // the shard's ViaDepot
}

// toy returns a shard for the student.
func (k kind) toy(instances, n, runs, M int, seed uint64) (Dataset, []float64) {
	if k.cfg.Problem == routing.CVRP {
		return toyCVRP(instances, n, runs, M, seed, k.via)
	}
	return toy(instances, n, runs, M, seed)
}

// kinds returns a small student of every kind, for a bank of M.
func kinds(M int) []kind {
	lehd := Config{Arch: LEHD, DecoderLayers: 2, D: 16, Layers: 1, Heads: 2, FF: 24}
	static := func(c Config) Config {
		c.StaticKeys = M
		return c
	}
	cvrp := func(c Config) Config {
		c.Problem = routing.CVRP
		return c
	}
	affine := small(true)
	affine.Norm = Affine
	return []kind{
		{"affine norms", affine, false},
		{"glimpse", small(true), false},
		{"no glimpse", small(false), false},
		{"static keys", static(small(true)), false},
		{"lehd", lehd, false},
		{"lehd, static keys", static(lehd), false},
		{"cvrp", cvrp(small(true)), false},
		{"cvrp, no glimpse, static keys", cvrp(static(small(false))), false},
		{"cvrp, lehd", cvrp(lehd), false},
		{"cvrp, lehd by way of the depot", cvrp(lehd), true},
	}
}
