package student

import (
	"runtime"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/testdata/percore"
)

// BenchmarkMemos compares the places of named features at N=50, on one core: an epoch of training with features that
// lie in memory, also in half precision, in a file whose pages the system has in memory, and nowhere.
func BenchmarkMemos(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	set, tauH := toy(64, 50, 1, 12, 1)
	m := namedOn(b, set, tauH)
	file, err := m.Config.FileMemo(set.Shard, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	half := m.Config
	half.HalfFeatures = true
	for _, c := range []struct {
		name   string
		config Config
		memo   *Memo
	}{
		{"memory", m.Config, m.Config.NewMemo(set.Shard, 1<<30)}, {"half", half, half.NewMemo(set.Shard, 1<<30)},
		{"file", m.Config, file}, {"none", m.Config, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			m.Config, set.Memo = c.config, c.memo
			tr := NewTrainer(m, TrainConfig{LR: 1e-5, BatchStates: 1024}, 1)
			epoch := func() {
				if _, err := tr.Epoch(b.Context(), []Dataset{set}, dense.Vector(tauH), 0, nil); err != nil {
					b.Fatal(err)
				}
			}
			epoch()
			start := percore.Time(b)
			for b.Loop() {
				epoch()
			}
			percore.Report(b, start, float64(b.N*set.Shard.States()), "states")
		})
	}
}

// BenchmarkRouters compares the router of the paper with a named one at N=50, on one core: an epoch of training, where
// the features are kept from the second epoch on, and the solving of instances step by step, where nothing is known
// before. The scores of the programs, which both need, are given.
func BenchmarkRouters(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const n, instances, programs = 50, 64, 12
	set, tauH := toy(instances, n, 1, programs, 1)
	tau := dense.Vector(tauH)
	sparse := namedOn(b, set, tauH)
	if err := sparse.Select(b.Context(), []Dataset{set}, tau, 100, 3*sparse.Config.Programs); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		m    *Model
	}{{"attention", New(defaultPOMO(), 1)}, {"named", namedOn(b, set, tauH)}, {"named, 100 products", sparse}} {
		b.Run("train/"+c.name, func(b *testing.B) {
			sets := []Dataset{set}
			c.m.Config.Remember(sets, 1<<30)
			tr := NewTrainer(c.m, TrainConfig{LR: 1e-5, BatchStates: 1024}, 1)
			epoch := func() {
				if _, err := tr.Epoch(b.Context(), sets, tau, 0, nil); err != nil {
					b.Fatal(err)
				}
			}
			epoch()
			start := percore.Time(b)
			for b.Loop() {
				epoch()
			}
			percore.Report(b, start, float64(b.N*set.Shard.States()), "states")
		})
		b.Run("solve/"+c.name, func(b *testing.B) {
			sh, session, scores := set.Shard, c.m.Session(), make([][]float32, programs)
			mix := make([]float32, n)
			start := percore.Time(b)
			for b.Loop() {
				last := int32(-1)
				for s := range sh.States() {
					st := sh.State(s)
					if i := sh.InstanceOf[st.Traj]; i != last {
						inst := sh.Instance(int(i))
						session.Encode(&inst)
						last = i
					}
					from, to := sh.Offset[s], sh.Offset[s+1]
					for m := range scores {
						scores[m] = floats(set.Scores[m])[from:to]
					}
					session.MixLive(Live{
						Anchor: []int32{int32(st.Anchor)}, First: []int32{int32(st.Anchor)},
						Current: []int32{int32(st.Current)}, Step: []int32{int32(st.Step)},
						Offset: []int{0, int(to - from)}, Candidates: st.Candidates,
					}, scores, tauH, nil, mix[:to-from])
				}
			}
			percore.Report(b, start, float64(b.N*sh.States()), "states")
		})
	}
}
