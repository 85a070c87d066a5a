package student

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata/percore"
)

// BenchmarkTrain measures one epoch of the paper's student on one core.
func BenchmarkTrain(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{20, 50, 100} {
		for _, runs := range []int{1, 8} {
			b.Run(fmt.Sprintf("N=%d/runs=%d", n, runs), func(b *testing.B) {
				instances := 12800 / n / runs
				set, tauH := toy(instances, n, runs, 12, 1)
				tr := NewTrainer(New(defaultPOMO(), 1), TrainConfig{LR: 6e-4, BatchStates: 4096}, 1)
				b.ReportAllocs()
				start := percore.Time(b)
				for b.Loop() {
					if _, err := tr.Epoch(
						context.Background(), []Dataset{set}, dense.Vector(tauH), 0, nil,
					); err != nil {
						b.Fatal(err)
					}
				}
				percore.Report(b, start, float64(b.N*set.Shard.States()), "states")
				percore.Report(b, start, float64(b.N*instances), "instances")
			})
		}
	}
}

// BenchmarkTrainKinds measures the same for the other students at N=50, with eight trajectories an instance where that
// is cheap. LEHD's attention runs over every state's own tokens, so its cost is per state and grows with N².
func BenchmarkTrainKinds(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	static, cvrp, lehd := defaultPOMO(), defaultPOMO(), defaultLEHD()
	static.StaticKeys = 12
	cvrp.Problem = routing.CVRP
	via := lehd
	via.Problem = routing.CVRP
	for _, c := range []struct {
		kind
		n, instances, runs int
	}{
		{kind{"static keys", static, false}, 50, 32, 8},
		{kind{"cvrp", cvrp, false}, 50, 32, 8},
		{kind{"lehd", lehd, false}, 20, 16, 1},
		{kind{"lehd", lehd, false}, 50, 8, 1},
		{kind{"lehd", lehd, false}, 100, 4, 1},
		{kind{"lehd, cvrp by way of the depot", via, true}, 50, 8, 1},
	} {
		b.Run(fmt.Sprintf("%s/N=%d/runs=%d", c.name, c.n, c.runs), func(b *testing.B) {
			set, tauH := c.toy(c.instances, c.n, c.runs, 12, 1)
			tr := NewTrainer(New(c.cfg, 1), TrainConfig{LR: 1e-4, BatchStates: 4096}, 1)
			b.ReportAllocs()
			start := percore.Time(b)
			for b.Loop() {
				if _, err := tr.Epoch(context.Background(), []Dataset{set}, dense.Vector(tauH), 0, nil); err != nil {
					b.Fatal(err)
				}
			}
			percore.Report(b, start, float64(b.N*set.Shard.States()), "states")
		})
	}
}

// BenchmarkSegment measures five epochs of a named router, each followed by its evaluation on half as many states, on
// one core, with and without a memo of the features. Every call begins with an empty memo, as a segment does.
func BenchmarkSegment(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{20, 50} {
		for _, room := range []int64{0, 1 << 30} {
			b.Run(fmt.Sprintf("N=%d/room=%d", n, room), func(b *testing.B) {
				set, tauH := toy(1000/n, n, 1, 10, 1)
				val, _ := toy(500/n, n, 1, 10, 2)
				m, tau := namedOn(b, set, tauH), dense.Vector(tauH)
				tr := NewTrainer(m, TrainConfig{LR: 1e-3, BatchStates: 512}, 1)
				const epochs = 5
				start := percore.Time(b)
				for b.Loop() {
					train, held := []Dataset{set}, []Dataset{val}
					m.Config.Remember(train, room)
					m.Config.Remember(held, room)
					for e := range epochs {
						if _, err := tr.Epoch(b.Context(), train, tau, e, nil); err != nil {
							b.Fatal(err)
						}
						if _, err := Evaluate(b.Context(), m, held, tau); err != nil {
							b.Fatal(err)
						}
					}
				}
				percore.Report(b, start, float64(b.N*epochs*(set.Shard.States()+val.Shard.States())), "states")
			})
		}
	}
}

// BenchmarkEncoder measures forward and backward of the paper's encoder only, on one core. infra/torch_bench.py
// measures the same in PyTorch.
func BenchmarkEncoder(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			B := max(chunkNodes/n, 1)
			set, _ := toy(B, n, 1, 1, 1)
			m := New(defaultPOMO(), 1)
			e := m.newPass().enc
			flat := make([]float32, m.Size())
			g := m.Config.over(flat)
			e.resize(B, n)
			copy(e.features, floats(set.Shard.Coords))
			dh := make([]float32, B*n*m.Config.D)
			b.ReportAllocs()
			start := percore.Time(b)
			for b.Loop() {
				e.forward(&m.w)
				for i := range dh {
					dh[i] = 1
				}
				e.backward(&g, &m.w, dh)
			}
			percore.Report(b, start, float64(b.N*B), "instances")
		})
	}
}

// BenchmarkForward measures evaluation: no gradient, one core.
func BenchmarkForward(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	lehd := defaultLEHD()
	for _, c := range []struct {
		kind
		n, instances int
	}{
		{kind{"pomo", defaultPOMO(), false}, 20, 640}, {kind{"pomo", defaultPOMO(), false}, 50, 256},
		{kind{"lehd", lehd, false}, 50, 8}, {kind{"lehd", lehd, false}, 100, 4},
	} {
		b.Run(fmt.Sprintf("%s/N=%d", c.name, c.n), func(b *testing.B) {
			set, tauH := c.toy(c.instances, c.n, 1, 12, 1)
			m := New(c.cfg, 1)
			start := percore.Time(b)
			for b.Loop() {
				if _, err := Forward(context.Background(), m, set, dense.Vector(tauH), WantMix); err != nil {
					b.Fatal(err)
				}
			}
			percore.Report(b, start, float64(b.N*set.Shard.States()), "states")
		})
	}
}

// BenchmarkRead measures reading a student's checkpoint from its bytes, on one core.
func BenchmarkRead(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	data, err := New(defaultPOMO(), 1).Marshal()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	start := percore.Time(b)
	for b.Loop() {
		if _, err := UnmarshalModel(data); err != nil {
			b.Fatal(err)
		}
	}
	percore.Report(b, start, float64(b.N*len(data))/1e6, "MB")
}
