package ranker

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/routing"
)

func fitTree(t testing.TB, data *Table, c TreeConfig) *Tree {
	t.Helper()
	tree, err := FitTree(context.Background(), data, c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// The cuts of every split are the best of all, by a plain search over all features and cuts of the rows that reach it.
func TestTreeSplitsAsASlowSearchDoes(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		sh := record(t, problem, 8, 12, 1)
		r := rand.New(rand.NewPCG(1, 1))
		for s := 0; s < sh.States(); s += 3 { // choices by chance, so that no two leaves are enough
			choice := sh.State(s).Probs
			clear(choice)
			choice[r.IntN(len(choice))] = 1
		}
		data, c := table(t, sh), TreeConfig{Leaves: 9, Least: 4}
		tree := fitTree(t, data, c)
		if tree.Leaves() != c.Leaves {
			t.Errorf("%s: %d leaves, want %d", problem, tree.Leaves(), c.Leaves)
		}
		F := len(data.set.Node)
		var values [][]float32 // [C,D]
		var chosen []bool
		for s := range sh.States() {
			f, z := data.place(s)
			best := agreement.Argmax(sh.State(s).Probs)
			for k := range len(f) / F {
				values = append(values, slices.Concat(f[k*F:(k+1)*F], z))
				chosen = append(chosen, k == best)
			}
		}
		check := map[int32][]int{0: nil}
		for i := range values {
			check[0] = append(check[0], i)
		}
		for at, n := range tree.nodes {
			if n.left == 0 {
				continue
			}
			gain := func(j int, cut float32) float64 {
				var count, hits [2]float64
				for _, i := range check[int32(at)] {
					side := 0
					if values[i][j] > cut {
						side = 1
					}
					count[side]++
					if chosen[i] {
						hits[side]++
					}
				}
				if count[0] < float64(c.Least) || count[1] < float64(c.Least) {
					return 0
				}
				return hits[0]*hits[0]/count[0] + hits[1]*hits[1]/count[1]
			}
			got, best := gain(n.feature, n.cut), 0.0
			for j := range values[0] {
				for _, cut := range edges(data, j, sh.States()) {
					best = max(best, gain(j, cut))
				}
			}
			if got < best-1e-6 {
				t.Errorf("%s: node %d splits at %v, which gives %v, but %v is possible", problem, at, n, got, best)
			}
			for _, i := range check[int32(at)] {
				if to := n.left; values[i][n.feature] <= n.cut {
					check[to] = append(check[to], i)
				} else {
					check[n.right] = append(check[n.right], i)
				}
			}
		}
	}
}

// A tree learns what the nearest neighbour does. One leaf is enough, since the nearest candidate of a leaf comes first.
func TestTreeFollowsNearestNeighbour(t *testing.T) {
	sh, fresh := record(t, routing.TSP, 10, 60, 1), record(t, routing.TSP, 10, 30, 2)
	for _, leaves := range []int{1, 2, 8} {
		got, err := Measure(t.Context(), fitTree(t, table(t, sh), TreeConfig{Leaves: leaves, Least: 5}), fresh)
		if err != nil {
			t.Fatal(err)
		}
		if got.Top1 < 0.99 {
			t.Errorf("%d leaves: %+v, want top-1 of 0.99", leaves, got)
		}
	}
	sh, fresh = record(t, routing.CVRP, 10, 60, 1), record(t, routing.CVRP, 10, 30, 2)
	got, err := Measure(t.Context(), fitTree(t, table(t, sh), TreeConfig{Leaves: 16, Least: 5}), fresh)
	if err != nil {
		t.Fatal(err)
	}
	if got.Top1 < 0.9 {
		t.Errorf("CVRP: %+v, want top-1 of 0.9", got)
	}
}

func TestTreeIsTheSameOnOneCore(t *testing.T) {
	data, c := table(t, record(t, routing.TSP, 9, 60, 1)), TreeConfig{Leaves: 12, Least: 3}
	want := fitTree(t, data, c).nodes
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := fitTree(t, data, c).nodes; !slices.Equal(got, want) {
		t.Errorf("one core gives the tree %v, want %v", got, want)
	}
}

func TestFitTreeRefuses(t *testing.T) {
	data := table(t, record(t, routing.TSP, 6, 2, 1))
	for _, c := range []TreeConfig{{0, 1}, {1, 0}} {
		if _, err := FitTree(t.Context(), data, c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// BenchmarkFitTree counts the candidates.
func BenchmarkFitTree(b *testing.B) {
	sh := record(b, routing.TSP, 20, 200, 1)
	data := table(b, sh)
	for b.Loop() {
		fitTree(b, data, TreeConfig{Leaves: 64, Least: 20})
	}
	b.ReportMetric(float64(b.N*len(sh.Candidates))/b.Elapsed().Seconds(), "candidates/s")
}

var _ = []Ranker{(*Network)(nil), (*Tree)(nil)}
