package instances

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// FuzzParse wants an error or sound instances, whose cost can be computed, from any bytes.
func FuzzParse(f *testing.F) {
	for _, text := range []string{burma14, fullMatrix, vrp, vrpSolution, lehdTSP, lehdCVRP, lehdLibrary, lehdVRPLib} {
		f.Add([]byte(text))
	}
	for _, c := range immodest(f) {
		f.Add(c.data)
	}
	paths, err := filepath.Glob("testdata/*.p[kt]*")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%v: %v", paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := parseFile("fuzz", 0, data)
		if err != nil {
			if files != nil {
				t.Fatal("instances beside an error")
			}
			return
		}
		if len(files) == 0 {
			t.Fatal("neither an instance nor an error")
		}
		for i := range files {
			in := &files[i].Instance
			if err := problems.WellFormed(in); err != nil {
				t.Fatal(err)
			}
			var actions []int32
			for a := range int32(in.N()) {
				actions = append(actions, a)
				if in.Problem == routing.CVRP {
					actions = append(actions, 0)
				}
			}
			if _, _, err := files[i].Cost(actions); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzSolution wants an error or customers that appear once from any text.
func FuzzSolution(f *testing.F) {
	f.Add([]byte(vrpSolution))
	f.Add([]byte("NAME : t\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1 3\n2\n-1\nEOF\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		actions, cost, err := ParseSolution("fuzz", data)
		if err == nil && (cost <= 0 || len(actions) == 0) {
			t.Errorf("%v costs %v", actions, cost)
		}
		tour, err := ParseTour("fuzz", data)
		seen := map[int32]bool{}
		for _, a := range tour {
			if a < 0 || seen[a] || err != nil {
				t.Fatalf("tour %v (%v)", tour, err)
			}
			seen[a] = true
		}
	})
}
