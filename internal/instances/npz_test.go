package instances

import (
	"archive/zip"
	"bytes"
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
)

// recordedCosts returns the costs that an archive of the shared folder has beside its instances. Their mean is known.
func recordedCosts(t *testing.T, path string, mean float64) []float32 {
	t.Helper()
	r, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var costs []float32
	if err := r.Read("am_greedy_cost.npy", &costs); err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, c := range costs {
		sum += float64(c)
	}
	if got := sum / float64(len(costs)); math.Abs(got-mean) > 5e-4 {
		t.Errorf("mean am_greedy_cost %v, want %v", got, mean)
	}
	return costs
}

// archive writes an npz of the given arrays, in one order.
func archive(t testing.TB, arrays map[string]any) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := npz.NewWriter(&buf)
	for name, v := range arrays {
		if err := w.Write(name, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestNPZRefuses(t *testing.T) {
	nan := float32(math.NaN())
	good := archive(t, map[string]any{"coords": [2][3][2]float32{{{0, 0}, {1, 0}, {0, 1}}, {{0, 0}, {1, 1}, {0, 1}}}})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nan": {archive(t, map[string]any{"coords": [2][3][2]float32{{{0, 0}, {1, 0}, {0, 1}},
			{{0, nan}, {1, 1}, {0, 1}}}}), "[1]: node 0 has coordinate NaN"},
		"duplicates": {archive(t, map[string]any{"coords": [1][3][2]float32{{{1, 2}, {1, 2}, {1, 2}}}}),
			"[0]: all 3 nodes are at the same place"},
		"small": {archive(t, map[string]any{"coords": [1][2][2]float32{{{1, 2}, {1, 3}}}}),
			"[0]: 2 nodes, want at least 3"},
		"flat": {archive(t, map[string]any{"coords": [4]float32{1, 2, 3, 4}}),
			"shape [4], want [instances, nodes, 2]"},
		"integers": {archive(t, map[string]any{"coords": [1][3][2]int32{}}), "array coords: want float32 or float64"},
		"no coords": {archive(t, map[string]any{"xy": [1][3][2]float32{}}),
			"want an array coords [instances, nodes, 2], found [xy]"},
		"cvrp": {archive(t, map[string]any{"depot": [1][2]float32{}}),
			"CVRP wants depot, locs, demand and capacity"},
		"truncated": {good[:len(good)-30], "truncated"},
		"text":      {[]byte("x y\n0 1\n"), "not an npz archive"},
		"empty":     {nil, "not an npz archive"},
	} {
		_, err := parseFile("set.npz", 0, c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "set.npz") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "absent.npz"), 0); err == nil {
		t.Error("a file that is absent was read")
	}
}

func TestNPZFloat64(t *testing.T) {
	data := archive(t, map[string]any{"coords": [1][3][2]float64{{{0, 0}, {0.25, 0}, {0, 1}}}, "cost": []float64{3.5},
		"seed": []int64{7}})
	files, err := parseFile("set.npz", 0, data)
	if err != nil {
		t.Fatal(err)
	}
	if x, _ := files[0].Instance.XY(1); x != 0.25 || len(files) != 1 {
		t.Errorf("x %v, %d instances", x, len(files))
	}
}

// FuzzNPZ wants an error or valid instances from any bytes, as an archive and as the header of an array.
func FuzzNPZ(f *testing.F) {
	good := archive(f, map[string]any{"coords": [1][3][2]float32{{{0, 0}, {1, 0}, {0, 1}}}})
	f.Add(good, []byte("\x93NUMPY\x01\x00\x10\x00{'descr': '<f4',"))
	f.Add(good[:60], []byte("\x93NUMPY\x01\x00\x00\x00"))
	f.Add([]byte{}, []byte("\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, "+
		"99999999999, 2), }  \n"))
	f.Fuzz(func(t *testing.T, whole, member []byte) {
		var wrapped bytes.Buffer
		w := zip.NewWriter(&wrapped)
		m, _ := w.Create("coords.npy")
		m.Write(member)
		w.Close()
		for _, data := range [][]byte{whole, wrapped.Bytes()} {
			files, err := parseFile("fuzz.npz", 0, data)
			if err != nil {
				continue
			}
			for i := range files {
				if err := problems.WellFormed(&files[i].Instance); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

func TestCVRPNPZ(t *testing.T) {
	path := testdata.Shared(t, "data/cvrp_uniform_50.npz")
	files, err := Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	insts, costs := Instances(files), recordedCosts(t, path, 10.959)
	if len(insts) != 500 || len(costs) != 500 || insts[0].N() != 51 || insts[0].Capacity != 40 {
		t.Fatalf("%d instances, the first of %d nodes with capacity %d", len(insts), insts[0].N(), insts[0].Capacity)
	}
	trs, err := routing.Solve(context.Background(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range insts {
		if cost, err := problems.Cost(&insts[i], trs[i][0].Actions); err != nil ||
			cost < float64(costs[i])*0.9 {
			t.Errorf("nearest neighbour on %s: %v, the attention model %v (%v)", insts[i].Name, cost, costs[i], err)
		}
	}
}

func TestCVRPNPZRefuses(t *testing.T) {
	locs, depot := [1][2][2]float32{{{0, 0}, {1, 0}}}, [1][2]float32{{0.5, 0.5}}
	for name, c := range map[string]struct {
		arrays map[string]any
		want   string
	}{
		"no capacity": {map[string]any{"depot": depot, "locs": locs, "demand": [1][2]int32{{1, 2}}},
			"array capacity is missing"},
		"no demand": {map[string]any{"depot": depot, "locs": locs, "capacity": []int32{5}},
			"array demand is missing"},
		"no depot": {map[string]any{"locs": locs, "demand": [1][2]int32{{1, 2}}, "capacity": []int32{5}},
			"array depot is missing"},
		"negative capacity": {map[string]any{"depot": depot, "locs": locs, "demand": [1][2]int32{{1, 2}},
			"capacity": []int32{-5}}, "array capacity: element 0 is -5"},
		"fractions": {map[string]any{"depot": depot, "locs": locs, "demand": [1][2]float32{{1, 0.5}},
			"capacity": []int32{5}}, "array demand: element 1 is 0.5"},
		"too much": {map[string]any{"depot": depot, "locs": locs, "demand": [1][2]float64{{1, 9}},
			"capacity": []int64{5}}, "node 2 has demand 9, above the capacity 5"},
		"shapes": {map[string]any{"depot": depot, "locs": locs, "demand": [1][3]int32{},
			"capacity": []int32{5}}, "array demand: shape [1 3], want [1 2]"},
	} {
		_, err := parseFile("set.npz", 0, archive(t, c.arrays))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
