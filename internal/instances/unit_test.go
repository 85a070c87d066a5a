package instances

import (
	"os"
	"strings"
	"testing"
)

// The coordinates of a file are left as they are for all of its instances or for none, in every format of sets. The
// second instance alone fills less than a quarter of the square, and alone it would be scaled.
func TestUnitSquareIsThatOfTheSet(t *testing.T) {
	arrays := func(coords [2][3][2]float64) []byte { return archive(t, map[string]any{"coords": coords}) }
	kool, err := os.ReadFile("testdata/kool_tsp_2.pkl")
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(kool), double(0.25)) // the last number of the first instance
	shrink := strings.NewReplacer(double(0.5), double(0.125), double(0.75), double(0.125), double(1), double(0.125))
	pickled := first + double(0.25) + shrink.Replace(second)
	const near = "0.1 0.1 0.2 0.1 0.1 0.2 output 1 3 2 1\n"
	for _, c := range []struct {
		name string
		data []byte
		kept bool
	}{
		{"a.npz", arrays([2][3][2]float64{{{0, 0}, {1, 0}, {0, 1}}, {{0.1, 0.1}, {0.2, 0.1}, {0.1, 0.2}}}), true},
		{"b.npz", arrays([2][3][2]float64{{{0, 0}, {1, 0}, {0, 1.5}}, {{0, 0}, {.5, 0}, {0, .5}}}), false},
		{"c.npz", arrays([2][3][2]float64{{{0, 0}, {.1, 0}, {0, .1}}, {{0, 0}, {.1, 0}, {0, .2}}}), false},
		{"kool.pkl", []byte(pickled), true},
		{"near.txt", []byte("0.1 0.2 0.5 0.5 0.9 0.1 output 1 3 2 1\n" + near), true},
		{"far.txt", []byte("0.1 0.2 0.5 0.5 9 0.1 output 1 3 2 1\n0.1 0.2 0.5 0.5 0.9 0.1 output 1 3 2 1\n"), false},
		{"alone.txt", []byte(near), false},
	} {
		files, err := parseFile(c.name, 0, c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, f := range files {
			if kept := f.Lo == [2]float64{} && f.Span == 1; kept != c.kept {
				t.Errorf("%s: instance %d is scaled by %v from %v, want it kept: %v", c.name, i, f.Span, f.Lo, c.kept)
			}
			for k, v := range f.Instance.Coords {
				if want := float32((f.Coords[k] - f.Lo[k%2]) / f.Span); v != want {
					t.Errorf("%s: instance %d, coordinate %d is %v, want %v", c.name, i, k, v, want)
				}
			}
		}
	}
}
