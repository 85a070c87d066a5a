package banks_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// oriented names the programs that score a moved instance differently, and how it was moved. They go round in one
// direction, or break a tie by a side, so that the mirror image is another instance to them.
var oriented = map[string][]string{
	"h19_arm_and_fresh_start":   {"mirrored"}, // begins behind a gap, so beside it on one side
	"h28_pairs_and_gaps":        {"mirrored"}, // the same
	"h20_forward_window_ladder": {"mirrored"}, // its window opens counter-clockwise
	"h05_tangential_sweep":      {"mirrored"}, // sweeps counter-clockwise from the start of a tour
	"h09_adaptive_sweep":        {"mirrored"}, // counter-clockwise where nobody fits any more
	"h18_corridor_and_sparse":   {"mirrored"}, // sweeps clockwise
	"sweep_plan":                {"mirrored"}, // drafts a sweep counter-clockwise
}

// TestBanksAreSymmetric: no sentence of the paper's gallery refers to north or an origin, and no other bank begins with
// a habit that a teacher may not have. So a program scores every state as before when the instance is turned by a right
// angle, shifted or mirrored, except for those that are named above.
func TestBanksAreSymmetric(t *testing.T) {
	moves := []struct {
		name string
		to   func(x, y float32) (float32, float32)
	}{
		{"turned", func(x, y float32) (float32, float32) { return 1 - y, x }},
		{"shifted", func(x, y float32) (float32, float32) { return x + 0.5, y - 0.25 }},
		{"mirrored", func(x, y float32) (float32, float32) { return 1 - x, y }},
	}
	for _, name := range bank.BuiltinNames() {
		b := open(t, name)
		sh := onGrid(t, b.SDK())
		for _, h := range b.Heuristics {
			score := scorer(b.SDK(), h.Name)
			want := score(sh)
			for _, m := range moves {
				moved := *sh
				coords := slices.Clone(dense.Open[float32](sh.Coords))
				for i := 0; i < len(coords); i += 2 {
					coords[i], coords[i+1] = m.to(coords[i], coords[i+1])
				}
				moved.Coords = dense.Of(coords, sh.Instances(), sh.N, 2)
				differ := scoredApart(sh, score(&moved), want)
				if expected := slices.Contains(oriented[h.Name], m.name); expected != (differ > 0) {
					t.Errorf("%s: heuristic %s scores %d of %d states of %s instances differently, expected so: %v",
						name, h.Name, differ, sh.States(), m.name, expected)
				}
			}
		}
	}
}

// scoredApart counts the states with a candidate that was scored differently.
func scoredApart(sh *rollout.Shard, a, b []float32) int {
	const tolerance = 1e-4 // angles and centroids are rounded anew where the instance was moved
	n := 0
	for s := range sh.States() {
		for i := sh.Offset[s]; i < sh.Offset[s+1]; i++ {
			if math.Abs(float64(a[i]-b[i])) > tolerance*(1+math.Abs(float64(a[i]))) {
				n++
				break
			}
		}
	}
	return n
}

// onGrid returns states whose coordinates are multiples of 1/4096, which stay exact where they are turned, mirrored
// and shifted.
func onGrid(t *testing.T, sdk string) *rollout.Shard {
	t.Helper()
	const n, count, seed, grid = 50, 6, 3, 4096
	snap := func(insts []routing.Instance) []routing.Instance {
		for _, in := range insts {
			for i, v := range in.Coords {
				in.Coords[i] = float32(math.Round(float64(v)*grid) / grid)
			}
		}
		return insts
	}
	own := routing.Run{Start: routing.OwnStart}
	switch sdk {
	case "cvrp":
		return recordCVRP(t, problems.NearestNeighbour{}, snap(cvrp.Generate(n, count, seed)), own)
	case "subcvrp":
		return recordCVRP(t, byWay{problems.NearestNeighbour{}}, snap(cvrp.Generate(n, count, seed)), own)
	default:
		return recordCVRP(t, problems.NearestNeighbour{}, snap(tsp.Generate(n, count, seed)), routing.Run{Start: 1})
	}
}

// scorer returns how a program compiled by Go scores a shard.
func scorer(sdk, name string) func(*rollout.Shard) []float32 {
	switch sdk {
	case "cvrp":
		return func(sh *rollout.Shard) []float32 { return scoreNativeCVRP(sh, nativeCVRP[name]) }
	case "subcvrp":
		return func(sh *rollout.Shard) []float32 { return scoreStates(sh, remainder(nativeSubCVRP[name])) }
	default:
		return func(sh *rollout.Shard) []float32 { return scoreNative(sh, native[name]) }
	}
}
