package runtime_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// in puts a body into a Score function for an SDK package.
func in(sdk, body string) string {
	return strings.ReplaceAll(program(body), "tsp", sdk)
}

// byWay is nearest neighbour on CVRP with LEHD's decisions: a customer, and whether the depot comes before it.
type byWay struct{ routing.Policy }

func (p byWay) Decoder() (routing.Decoder, error) {
	d, err := p.Policy.Decoder()
	return byWayDecoder{d}, err
}

type byWayDecoder struct{ routing.Decoder }

func (d byWayDecoder) Decode(inst *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	trs, err := d.Decoder.Decode(inst, runs)
	for r := range trs {
		n := inst.N()
		probs := make([]float32, 2*n*len(trs[r].Actions))
		for t, a := range trs[r].Actions {
			switch {
			case a == 0 && t+1 < len(trs[r].Actions):
				probs[2*n*t+n+int(trs[r].Actions[t+1])] = 1
			case a != 0 && (t == 0 || trs[r].Actions[t-1] != 0):
				probs[2*n*t+int(a)] = 1
			}
		}
		trs[r].Probs = probs
	}
	return trs, err
}

func recordCVRP(t testing.TB, p routing.Policy, n, instances int) *rollout.Shard {
	t.Helper()
	sh, err := rollout.Record(context.Background(), p, cvrp.Generate(n, instances, uint64(n)),
		func(int) []routing.Run {
			return []routing.Run{{Start: 3, Record: true}, {Start: routing.OwnStart, Record: true}}
		}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sh.Validate(); err != nil {
		t.Fatal(err)
	}
	return sh
}

// replay returns what a state's trajectory did before the state: the served customers, the first customer of the
// current route and its load.
func replay(sh *rollout.Shard, s int) (served map[int]bool, first int, load int32) {
	st := sh.State(s)
	inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
	served = map[int]bool{}
	for _, a := range sh.Tour(st.Traj)[:st.Step] {
		if a == 0 {
			first, load = 0, 0
			continue
		}
		if first == 0 {
			first = int(a)
		}
		served[int(a)] = true
		load += inst.Demand[a]
	}
	return served, first, load
}

// TestCVRPState: a program that writes all it sees to its scores sees the state to which the trajectory led.
func TestCVRPState(t *testing.T) {
	m := load(t, in("cvrp", `
	var waiting float32
	for i, c := range s.Waiting {
		waiting += float32(i+1) * float32(c)
	}
	for k, c := range s.Candidates {
		score[k] = 1000*waiting + 10*float32(s.First) + s.Remaining + s.Demand[c] - s.Dist(s.Current, c)
	}`))
	sh := recordCVRP(t, problems.NearestNeighbour{}, 9, 4)
	got, err := floats(m.ScoreShard(context.Background(), sh))
	if err != nil {
		t.Fatal(err)
	}
	for s := range sh.States() {
		st := sh.State(s)
		inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
		served, first, load := replay(sh, s)
		var waiting, i float64
		for c := 1; c < sh.N; c++ {
			if !served[c] {
				i++
				waiting += i * float64(c)
			}
		}
		for k, c := range st.Candidates {
			capacity := float64(inst.Capacity)
			want := 1000*waiting + 10*float64(first) + float64(inst.Capacity-load)/capacity +
				float64(inst.Demand[c])/capacity - inst.Dist(st.Current, int(c))
			if v := float64(got[int(sh.Offset[s])+k]); math.Abs(v-want) > 1e-6*(1+want) {
				t.Fatalf("state %d, candidate %d: score %v, want %v", s, c, v, want)
			}
		}
	}
}

// TestByWay: candidates by way of the depot cost the way there, and leave the room of a full vehicle.
func TestByWay(t *testing.T) {
	m := load(t, in("subcvrp", `
	for k := range s.Candidates {
		score[k] = s.Way(k) + 10*s.Left(k) + 100*float32(len(s.Waiting))
	}`))
	sh := recordCVRP(t, byWay{problems.NearestNeighbour{}}, 9, 4)
	got, err := floats(m.ScoreShard(context.Background(), sh))
	if err != nil {
		t.Fatal(err)
	}
	ways := 0
	for s := range sh.States() {
		st := sh.State(s)
		inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
		served, _, load := replay(sh, s)
		for k, a := range st.Candidates {
			c, way, room := int(a), 0.0, float64(inst.Capacity-load)
			if c > sh.N {
				c -= sh.N
				way, room = inst.Dist(st.Current, 0)+inst.Dist(0, c), float64(inst.Capacity)
				ways++
			} else {
				way = inst.Dist(st.Current, c)
			}
			want := way + 10*(room-float64(inst.Demand[c]))/float64(inst.Capacity) + 100*float64(sh.N-1-len(served))
			if v := float64(got[int(sh.Offset[s])+k]); math.Abs(v-want) > 1e-6*(1+want) {
				t.Fatalf("state %d, candidate %d: score %v, want %v", s, a, v, want)
			}
		}
	}
	if ways == 0 {
		t.Error("no candidate leads by way of the depot")
	}
}

// TestSubgraph: the same rule gives the same scores on the whole instance and on the subgraph.
func TestSubgraph(t *testing.T) {
	const body = `
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		d1, d2 := s.NearestTwo(k)
		score[k] = -here[c] + 0.3*home[c] + d2 - d1 + s.DistTo(c, x, y) - s.GreedyChain(k, 3) +
			s.FollowUp(k, 0.5) + s.X[c] - s.Y[c] + s.Dist(s.First, c)
	}`
	sh := record(t, 12, 5)
	var scores [2][]float32
	for i, sdk := range []string{"tsp", "subtsp"} {
		var err error
		if scores[i], err = floats(load(t, in(sdk, body)).ScoreShard(context.Background(), sh)); err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range scores[0] {
		if math.Float32bits(v) != math.Float32bits(scores[1][i]) {
			t.Fatalf("score %d is %v on the instance and %v on the subgraph", i, v, scores[1][i])
		}
	}
}

// TestKinds: a program of one problem or kind of decision is refused on another, by shard and by instance.
func TestKinds(t *testing.T) {
	shards := map[string]*rollout.Shard{
		"tsp":     record(t, 6, 1),
		"cvrp":    recordCVRP(t, problems.NearestNeighbour{}, 6, 1),
		"subcvrp": recordCVRP(t, byWay{problems.NearestNeighbour{}}, 6, 1),
	}
	for _, sdk := range []string{"tsp", "cvrp", "subcvrp"} {
		m := load(t, in(sdk, "\tscore[0] = 1"))
		for of, sh := range shards {
			_, err := m.ScoreShard(context.Background(), sh)
			if (err == nil) != (of == sdk) || err != nil && !strings.Contains(err.Error(), "is written for") {
				t.Errorf("program for %s on a shard for %s: %v", sdk, of, err)
			}
		}
	}
	g := start(t, load(t, in("cvrp", "\tscore[0] = 1")))
	defer g.Close()
	if inst := tsp.Generate(5, 1, 1)[0]; g.SetInstance(&inst) == nil {
		t.Error("a CVRP program took a TSP instance")
	}
}

// TestSmokeViews: plain programs of every view pass. Programs that ignore a case of their view fail with the state.
func TestSmokeViews(t *testing.T) {
	for _, c := range []struct{ sdk, body, want string }{
		{"subtsp", nearest, ""},
		{"cvrp", nearest, ""},
		{"subcvrp", nearest, ""},
		{"cvrp", "\tscore[0] = s.Dist(s.Waiting[0], 0)", "0 waiting customers"},
		{"cvrp", "\tscore[0] = float32(1 / (s.K() - 1))", "trap"},
		{"cvrp", "\tscore[0] = 1 / s.Left(s.Candidates[0])", "nonfinite"},
		{"cvrp", "\tfor i := range s.Waiting {\n\t\ts.Waiting[i] = 7\n\t}", "Waiting"},
		{"cvrp", "\ts.Demand[0]++\n\tscore[0] = s.Demand[0]", ""},
		{"subcvrp", "\tscore[0] = s.Way(s.Straight())", "trap"},
		{"subtsp", "\tif s.K() > 1 {\n\t\ts.Row(0)[1]++\n\t}\n\tscore[0] = s.Row(0)[s.First]", ""},
	} {
		t.Run(fmt.Sprintf("%s %s", c.sdk, c.want), func(t *testing.T) {
			err := runtime.Smoke(t.Context(), load(t, in(c.sdk, c.body)))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
