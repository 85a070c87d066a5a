package instances

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// TestBinarySets reads the sets of testdata/generate.py, the same two instances in every form.
func TestBinarySets(t *testing.T) {
	for _, name := range []string{"kool_tsp_2.pkl", "kool_tsp_3.pkl", "kool_tsp_4.pkl", "kool_tsp_5.pkl"} {
		files, err := Read("testdata/"+name, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := []float32{0, 0.5, 1, 0, 0.5, 0.75}; len(files) != 2 ||
			!slices.Equal(files[1].Instance.Coords, want) {
			t.Errorf("%s: %d instances, the second at %v", name, len(files), files[1].Instance.Coords)
		}
	}
	for _, name := range []string{"kool_cvrp_2.pkl", "kool_cvrp_3.pkl", "kool_cvrp_4.pkl", "kool_cvrp_5.pkl",
		"dict.pkl", "pomo_cvrp.pt"} {
		files, err := Read("testdata/"+name, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		in := files[1].Instance
		if want := []float32{0.25, 0.5, 0, 0, 1, 0.75, 0.5, 0.25}; len(files) != 2 || !slices.Equal(in.Coords, want) {
			t.Errorf("%s: %d instances, the second at %v", name, len(files), in.Coords)
		}
		if !slices.Equal(in.Demand, []int32{0, 1, 2, 7}) || in.Capacity != 30 {
			t.Errorf("%s: demands %v, capacity %d", name, in.Demand, in.Capacity)
		}
		if in.Name != name+"[1]" || files[1].Source != "testdata/"+name+"[1]" {
			t.Errorf("%s: the second instance is %s from %s", name, in.Name, files[1].Source)
		}
	}
	for name, want := range map[string]string{
		"code_2.pkl": "the pickle names posix.system",
		"code_4.pkl": "opcode 0x93 is refused",
		"absent.pkl": "no such file",
	} {
		if _, err := Read("testdata/"+name, 0); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
}

// TestTruncatedBinary cuts every binary set everywhere.
func TestTruncatedBinary(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.p*")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%v: %v", paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".py") {
			continue
		}
		for n := range data {
			if files, err := parseFile(path, 0, data[:n]); err == nil || files != nil {
				t.Errorf("%s cut to %d of %d bytes: %d instances, error %v", path, n, len(data), len(files), err)
			}
		}
	}
}

// TestFractions wants the demands behind fractions of the vehicle.
func TestFractions(t *testing.T) {
	fraction := func(capacity float32, demands ...float32) []float64 {
		var out []float64
		for _, d := range demands {
			out = append(out, float64(d/capacity))
		}
		return out
	}
	for _, c := range []struct {
		demand, capacity []float64
		want             []float64
		wantCapacity     float64
		fault            string
	}{
		{demand: fraction(30, 9, 1, 7, 2), want: []float64{9, 1, 7, 2}, wantCapacity: 30},
		{demand: fraction(40, 8, 1, 6, 2), want: []float64{8, 1, 6, 2}, wantCapacity: 40},
		{demand: fraction(40, 8, 4, 6, 2), want: []float64{4, 2, 3, 1}, wantCapacity: 20},
		{demand: fraction(250, 8, 4, 6, 3), want: []float64{8, 4, 6, 3}, wantCapacity: 250},
		{demand: fraction(40, 8, 4, 6, 2), capacity: []float64{40, 40}, want: []float64{8, 4, 6, 2}, wantCapacity: 40},
		{demand: fraction(40, 8, 4, 6, 2), capacity: []float64{1, 1}, want: []float64{4, 2, 3, 1}, wantCapacity: 20},
		{demand: []float64{3, 1, 2, 9}, capacity: []float64{20, 20}, want: []float64{3, 1, 2, 9}, wantCapacity: 20},
		{demand: fraction(8000, 7999, 4000, 6001, 3), capacity: []float64{8000, 8000},
			want: []float64{7999, 4000, 6001, 3}, wantCapacity: 8000},
		{demand: []float64{1e-4, 1.5e-4, 0, 0}, fault: "fractions of no whole capacity up to 1000"},
		{demand: []float64{0.1234567, 0.7654321, 0.3141592, 0.2718281},
			fault: "fractions of no whole capacity up to 1000"},
		{demand: []float64{0.5, 0.25, 0.33, 1}, capacity: []float64{20, 20},
			fault: "element 2 is 0.33, no whole number of units of a capacity of 20"},
		{demand: []float64{0.5, 0.25, 0.33, 1}, capacity: []float64{20}, fault: "array capacity: shape [1]"},
	} {
		d := array{Type: floatArray, Shape: []int{2, 2}, Values: c.demand}
		var q array
		if c.capacity != nil {
			q = array{Type: floatArray, Shape: []int{len(c.capacity)}, Values: c.capacity}
		}
		units, capacity, err := wholeDemands(d, q)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%v: error %v, want one with %q", c.demand, err, c.fault)
			}
			continue
		}
		if err != nil || !slices.Equal(units.Values, c.want) || capacity.Values[1] != c.wantCapacity {
			t.Errorf("%v of %v: %v of %v, want %v of %v (%v)", c.demand, c.capacity, units.Values, capacity.Values,
				c.want, c.wantCapacity, err)
		}
	}
}

func TestNPZRoundTrip(t *testing.T) {
	for _, insts := range [][]routing.Instance{tsp.Generate(7, 3, 1), cvrp.Generate(6, 3, 1)} {
		var buf bytes.Buffer
		if err := WriteNPZ(&buf, insts); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "set.npz")
		if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files, err := Read(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, back := range Instances(files) {
			in := insts[i]
			if !slices.Equal(in.Coords, back.Coords) || !slices.Equal(in.Demand, back.Demand) ||
				in.Capacity != back.Capacity {
				t.Errorf("%s came back different: %+v", in.Name, back)
			}
		}
	}
	for want, insts := range map[string][]routing.Instance{
		"no instances":              nil,
		"an archive holds one size": append(tsp.Generate(5, 1, 1), tsp.Generate(6, 1, 1)...),
		"want at least 3":           {{Problem: routing.TSP}},
	} {
		if err := WriteNPZ(&bytes.Buffer{}, insts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
