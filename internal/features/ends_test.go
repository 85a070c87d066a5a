package features_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems/tsp"
)

// Every feature has a phrase for where it is high and another for where it is low, which fit into a sentence: "late in
// the tour, trust who proposes isolated cities".
func TestEnds(t *testing.T) {
	for _, s := range settings(t) {
		for what, list := range map[string][]features.Feature{"node": s.set.Node, "state": s.set.State} {
			type ends struct{ high, low string }
			seen := map[ends]string{}
			for _, f := range list {
				if other := seen[ends{f.High, f.Low}]; other != "" {
					t.Errorf("%s: %s and %s of a %s have the same phrases", s.problem, other, f.Name, what)
				}
				seen[ends{f.High, f.Low}] = f.Name
				for _, text := range []string{f.High, f.Low} {
					stops := strings.ContainsAny(text, ".;:,0123456789") && !strings.HasSuffix(text, ", the more)")
					if text == "" || strings.TrimSpace(text) != text || stops {
						t.Errorf("%s: %s of a %s: %q is no part of a sentence", s.problem, f.Name, what, text)
					}
				}
				if f.High == f.Low {
					t.Errorf("%s: high and low %s of a %s are both %q", s.problem, f.Name, what, f.High)
				}
			}
		}
	}
}

// A feature that is 0 for every customer and not negative for the depot is low for customers: it speaks against the
// depot, and not for it in the opposite case.
func TestLowOfTheDepotIsCustomers(t *testing.T) {
	of := settings(t)[1]
	r, F, some := of.set.NewReader(), len(of.set.Node), 0
	least, most := make([]float32, F), make([]float32, F) // of the depot
	customers := make([]bool, F)                          // some customer has another value than 0
	for _, inst := range of.instances() {
		r.Open(&inst)
		for _, at := range of.decisions(t, &inst, 1) {
			f, z := make([]float32, len(at.Candidates)*F), make([]float32, len(of.set.State))
			r.Read(at, f, z)
			for i, v := range f {
				if j := i % F; at.Candidates[i/F] != 0 {
					customers[j] = customers[j] || v != 0
				} else {
					least[j], most[j] = min(least[j], v), max(most[j], v)
				}
			}
		}
	}
	for j, f := range of.set.Node {
		if customers[j] || least[j] < -1e-5 || most[j] == 0 { // a detour may be rounded to less than 0
			continue
		}
		if some++; !strings.HasPrefix(f.High, "the depot") || !strings.HasPrefix(f.Low, "customers") {
			t.Errorf("%s is high for %q and low for %q, want the depot and customers", f.Name, f.High, f.Low)
		}
	}
	if some < 13 {
		t.Errorf("%d features of the depot alone, want 13", some)
	}
}

// A feature of the state is high or low against its mean over the states of a policy. Where that is not 0, as of one
// whose tours run counterclockwise from a corner, its phrases do not name the side of 0.
func TestSidesAgainstTheMean(t *testing.T) {
	set := settings(t)[0].set
	r, values := set.NewReader(), make([][]float64, len(set.State))
	for _, in := range tsp.Generate(20, 60, 7) {
		tour, area, corner := tsp.FarthestInsertion(&in), float32(0), 0
		for i, c := range tour {
			x, y := in.XY(int(c))
			toX, toY := in.XY(int(tour[(i+1)%len(tour)]))
			area += x*toY - y*toX
		}
		if area < 0 {
			slices.Reverse(tour)
		}
		for i, c := range tour {
			if in.Coords[2*c]+in.Coords[2*c+1] < in.Coords[2*tour[corner]]+in.Coords[2*tour[corner]+1] {
				corner = i
			}
		}
		tour = slices.Concat(tour[corner:], tour[:corner])
		r.Open(&in)
		for step := 1; step < len(tour)-1; step++ {
			at := features.Decision{Step: int32(step), First: tour[0], Current: tour[step-1]}
			for _, c := range slices.Sorted(slices.Values(tour[step:])) {
				at.Candidates = append(at.Candidates, uint16(c))
			}
			f, z := make([]float32, len(at.Candidates)*len(set.Node)), make([]float32, len(set.State))
			r.Read(at, f, z)
			for i, v := range z {
				values[i] = append(values[i], float64(v))
			}
		}
	}
	for i, f := range set.State {
		mean, other, n := 0.0, 0, len(values[i])
		for _, v := range values[i] {
			mean += v / float64(n)
		}
		for _, v := range values[i] {
			if v*(v-mean) < 0 && slices.Min(values[i]) < -0.01 {
				other++
			}
		}
		usual := strings.Contains(f.High, "than usual") && strings.Contains(f.Low, "than usual")
		if !usual && other > n/8 {
			t.Errorf("%s is said to be %q or %q, and is not in %d of %d states", f.Name, f.High, f.Low, other, n)
		}
	}
}
