package instances

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nlpodyssey/gopickle/types"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// cvrpArrays are those of a sound set of two instances, under RL4CO's names.
func cvrpArrays() map[string]array {
	return map[string]array{
		"depot":    {Type: floatArray, Shape: []int{2, 2}, Values: []float64{0.5, 0.5, 0.25, 0.5}},
		"locs":     {Type: floatArray, Shape: []int{2, 2, 2}, Values: []float64{0, 0, 1, 0.25, 0, 0, 1, 0.75}},
		"demand":   {Type: intArray, Shape: []int{2, 2}, Values: []float64{3, 9, 1, 2}},
		"capacity": {Type: intArray, Shape: []int{2, 1}, Values: []float64{30, 20}},
	}
}

// packed is an npz archive of arrays.
func packed(t *testing.T, arrays map[string]array) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for name, a := range arrays {
		if err := writeArray(z, name, "<f8", a.Values, a.Shape...); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestFaultyArrays spoils an npz set in one place each.
func TestFaultyArrays(t *testing.T) {
	set := func(name string, values ...float64) func(a map[string]array) {
		return func(a map[string]array) {
			array := a[name]
			array.Values = values
			a[name] = array
		}
	}
	without := func(name string) func(a map[string]array) {
		return func(a map[string]array) { delete(a, name) }
	}
	for _, c := range []struct {
		want  string
		spoil func(a map[string]array)
	}{
		{"", func(map[string]array) {}},
		{"", set("demand", 0.1, 0.3, 0.05, 0.1)},
		{"instance set.npz[1]: node 2 has demand 21, above the capacity 20", set("demand", 3, 9, 1, 21)},
		{"array demand: element 0 is 1.5, want whole numbers throughout or fractions of the capacity, up to 1",
			set("demand", 1.5, 0.3, 0.05, 0.1)},
		{"instance set.npz[0]: node 1 has demand -3", set("demand", -3, 9, 1, 2)},
		{"array demand: element 0 is 3, want whole numbers throughout", set("demand", 3, 9, 1, 2.5)},
		{"array demand: element 0 is NaN", set("demand", math.NaN(), 9, 1, 2)},
		{"array capacity: element 1 is -20, want a positive number", set("capacity", 30, -20)},
		{"array capacity: element 0 is 0, want a positive number", set("capacity", 0, 20)},
		{"array capacity: element 0 is -1, want a positive number", func(a map[string]array) {
			set("capacity", -1, -1)(a)
			set("demand", 0.5, 0.25, 0.1, 0.2)(a)
		}},
		{"array capacity: element 0 is 30.5, want a whole number", set("capacity", 30.5, 20)},
		{"array capacity is missing", without("capacity")},
		{"array capacity is missing", func(a map[string]array) {
			without("capacity")(a)
			set("demand", 1, 0, 1, 1)(a)
		}},
		{"array demand is missing", without("demand")},
		{"array depot is missing", without("depot")},
		{"CVRP wants depot, locs, demand and capacity", without("locs")},
		{"array depot: shape [1 4], want [2 2]", func(a map[string]array) {
			a["depot"] = array{Type: floatArray, Shape: []int{1, 4}, Values: a["depot"].Values}
		}},
		{"arrays loc and locs both give locs", func(a map[string]array) { a["loc"] = a["locs"] }},
		{"instance set.npz[0]: node 0 has coordinate NaN", set("depot", math.NaN(), 0.5, 0.25, 0.5)},
	} {
		arrays := cvrpArrays()
		c.spoil(arrays)
		data := packed(t, arrays)
		files, err := parseFile("set.npz", 0, data)
		if c.want == "" {
			if err != nil || len(files) != 2 {
				t.Errorf("%d instances of a sound set: %v", len(files), err)
			}
			continue
		}
		text := errorText(err)
		if files != nil || !strings.HasPrefix(text, "read set.npz: ") || !strings.Contains(text, c.want) {
			t.Errorf("%d instances, error %v, want one with %q", len(files), err, c.want)
		}
	}
	for _, insts := range [][]routing.Instance{tsp.Generate(7, 3, 1), cvrp.Generate(6, 3, 1)} {
		var buf bytes.Buffer
		if err := WriteNPZ(&buf, insts); err != nil {
			t.Fatal(err)
		}
		for n := range buf.Len() {
			if files, err := parseFile("set.npz", 0, buf.Bytes()[:n]); err == nil || files != nil {
				t.Errorf("%s cut to %d of %d bytes: %d instances, error %v", insts[0].Problem, n, buf.Len(), len(files),
					err)
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// double is a float as pickles have it.
func double(v float64) string {
	return "G" + string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
}

// single is a float as PyTorch's storages have it.
func single(v float32) string {
	return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

// TestFaultyPickles spoils the sets of testdata in one place each: the pickles of Kool et al., RL4CO's dict and POMO's
// .pt.
func TestFaultyPickles(t *testing.T) {
	const negative = "J\xff\xff\xff\xff" // the integer -1
	for _, c := range []struct{ file, old, with, want string }{
		{"kool_cvrp_2.pkl", "K\x09", "K\x63",
			"instance 0: instance kool_cvrp_2.pkl[0]: node 2 has demand 99, above the capacity 30"},
		{"kool_cvrp_2.pkl", "K\x07", negative, "instance 1: instance kool_cvrp_2.pkl[0]: node 3 has demand -1"},
		{"kool_cvrp_2.pkl", double(30), double(-30),
			"instance 0: array capacity: element 0 is -30, want a positive number"},
		{"kool_cvrp_2.pkl", double(30), double(0),
			"instance 0: array capacity: element 0 is 0, want a positive number"},
		{"kool_cvrp_2.pkl", double(30), double(7.5), "instance 0: array capacity: element 0 is 7.5"},
		{"kool_cvrp_2.pkl", double(30), "N", "instance 0: capacity: element 0 is None, want a number"},
		{"kool_cvrp_2.pkl", double(30), "",
			"instance 0: a tuple that is neither (depot, locations, demands, capacity) nor"},
		{"kool_cvrp_2.pkl", "K\x09", "", "instance 0: array demand: shape [1 2], want [1 3]"},
		{"kool_cvrp_2.pkl", double(0.75), double(math.Inf(1)),
			"instance 0: instance kool_cvrp_2.pkl[0]: node 3 has coordinate +Inf"},
		{"kool_tsp_2.pkl", double(0.25), "", "instance 0: coords: lists of different lengths"},
		{"kool_tsp_2.pkl", double(0.75), double(math.NaN()),
			"instance 1: instance kool_tsp_2.pkl[0]: node 2 has coordinate NaN"},
		{"kool_cvrp_2.pkl", double(30), "}", "instance 0: capacity: element 0 is a dict, want a number"},
		{"kool_cvrp_2.pkl", "K\x09", "X\x01\x00\x00\x009", "instance 0: demand: element 1 is a text, want a number"},
		{"kool_cvrp_2.pkl", "K\x09", "]", "instance 0: demand: element 1 is a list, want a number"},
		{"kool_tsp_2.pkl", double(0.5) + double(0.25), "", "instance 0: coords: lists of different lengths"},
		{"dict.pkl", "capacity", "capacitx", "array capacity is missing"},
		{"dict.pkl", "demand", "demanx", "array demand is missing"},
		{"dict.pkl", "K\x09", "K\x63", "instance dict.pkl[0]: node 2 has demand 99, above the capacity 30"},
		{"dict.pkl", double(30), double(-30), "array capacity: element 0 is -30, want a positive number"},
		{"pomo_cvrp.pt", "node_demand", "node_demanx", "array demand is missing"},
		{"pomo_cvrp.pt", "depot_xy", "depot_xx", "array depot is missing"},
		{"pomo_cvrp.pt", single(0.3), single(1.3), "array demand: element 1 is 1.29"},
		{"pomo_cvrp.pt", single(0.3), single(-0.3), "instance pomo_cvrp.pt[0]: node 2 has demand -9"},
		{"pomo_cvrp.pt", single(0.3), single(float32(math.NaN())), "array demand: element 1 is NaN"},
		{"pomo_cvrp.pt", single(0.25) + single(0.5), single(0.25) + single(float32(math.Inf(-1))), "coordinate -Inf"},
	} {
		data, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		spoil := func(data []byte) []byte { return bytes.Replace(data, []byte(c.old), []byte(c.with), 1) }
		spoilt := spoil(data)
		if strings.HasSuffix(c.file, ".pt") {
			spoilt = rezip(t, data, spoil)
		}
		if bytes.Equal(spoilt, data) {
			t.Fatalf("%s does not hold %q", c.file, c.old)
		}
		files, err := parseFile("dir/"+c.file, 0, spoilt)
		if files != nil || !strings.HasPrefix(errorText(err), "read dir/"+c.file+": ") ||
			!strings.Contains(errorText(err), c.want) {
			t.Errorf("%s, %q: %d instances, error %v, want one with %q", c.file, c.with, len(files), err, c.want)
		}
	}
}

// rezip changes the members of an archive, which carry checksums.
func rezip(t *testing.T, data []byte, change func([]byte) []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(change(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestTruncatedLines cuts LEHD's sets everywhere: only whole lines are read.
func TestTruncatedLines(t *testing.T) {
	for _, text := range []string{lehdTSP, lehdCVRP, lehdLibrary, lehdVRPLib} {
		whole, err := parseFile("set.txt", 0, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for n := range text {
			files, err := parseFile("set.txt", 0, []byte(text[:n]))
			if err != nil {
				continue
			}
			lines := strings.Count(strings.TrimSpace(text[:n]), "\n") + 1
			last, want := files[len(files)-1], whole[lines-1]
			if len(files) != lines || !slices.Equal(last.Coords, want.Coords) ||
				!slices.Equal(last.Reference, want.Reference) || last.BestKnown != want.BestKnown {
				t.Errorf("%.20q cut to %d of %d bytes was read as %d instances", text, n, len(text), len(files))
			}
		}
	}
}

// TestNestedNamesTheFault: what is wrong with the lists of a pickle is said in Python's terms.
func TestNestedNamesTheFault(t *testing.T) {
	list := func(items ...any) any { l := types.List(items); return &l }
	for _, c := range []struct {
		value any
		want  string
	}{
		{list(), "an empty list"},
		{list(list(), list(1)), "an empty list"},
		{list(list(list(list(1)))), "lists nested more than three deep, want [instances, nodes, 2]"},
		{list(list(1, 2), list(3, 4), nil), "None in place of a list, after 4 numbers"},
		{list(list(1, 2), list(3, 4), list(5)), "lists of different lengths"},
		{list(1, types.NewDict()), "element 1 is a dict, want a number"},
		{list(1, true), "element 1 is a truth value, want a number"},
		{list(1, 2, 3), "the lists hold more numbers than the file has bytes"},
	} {
		left := 9
		if strings.Contains(c.want, "bytes") {
			left = 2
		}
		if _, err := nested(c.value, &left); !strings.Contains(errorText(err), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	left := 9
	if _, err := koolInstance(types.NewDict(), &left); !strings.HasSuffix(errorText(err), "found a dict") {
		t.Errorf("a dict in place of an instance: %v", err)
	}
}
