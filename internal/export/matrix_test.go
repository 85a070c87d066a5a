package export

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Everything that counts as needing distances only has the same bits on a state without coordinates, whose distances
// are then written as a matrix.
func TestByDistances(t *testing.T) {
	has := map[string]bool{}
	for seed := range uint64(30) {
		n, rng := 20+int(seed), rand.New(rand.NewPCG(1, seed))
		x, y := make([]float32, n), make([]float32, n)
		demand, nowhere := make([]int32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = rng.Float32(), rng.Float32()
			if i > 0 {
				demand[i] = 1 + rng.Int32N(9)
			}
		}
		cities, measured := tsp.NewState(x, y), tsp.NewState(nowhere, nowhere)
		nodes, bare := cvrp.NewState(x, y, demand, 20), cvrp.NewState(nowhere, nowhere, demand, 20)
		for i := range n {
			copy(measured.Row(uint16(i)), cities.Row(uint16(i)))
			copy(bare.Row(uint16(i)), nodes.Row(uint16(i)))
		}
		room, fitting, waiting := 3+rng.Int32N(15), []uint16{0}, []uint16(nil)
		for i := 3 + int(seed)%10; i < n; i++ {
			if waiting = append(waiting, uint16(i)); demand[i] <= room {
				fitting = append(fitting, uint16(i))
			}
		}
		cities.Set(n-len(waiting), 0, 1, waiting)
		measured.Set(n-len(waiting), 0, 1, waiting)
		nodes.Set(1, 2, room, fitting, waiting)
		bare.Set(1, 2, room, fitting, waiting)
		K := len(fitting) - 1 // all States have as many candidates
		for _, pair := range [][2]any{{cities, measured}, {nodes, bare}} {
			for _, name := range byDistances {
				a, b := member(pair[0], name, K), member(pair[1], name, K)
				if has[name] = has[name] || a != nil; !reflect.DeepEqual(a, b) {
					t.Errorf("%T, %d nodes: %s is %v, and %v without coordinates", pair[0], n, name, a, b)
				}
			}
		}
	}
	for _, name := range byDistances {
		if !has[name] {
			t.Errorf("no State has %s", name)
		}
	}
}

// member returns the values of a field, or of a method for every candidate; nil where the State has none of that name.
func member(state any, name string, K int) (values []any) {
	v := reflect.ValueOf(state)
	if f := v.Elem().FieldByName(name); f.IsValid() {
		return []any{f.Interface()}
	}
	m := v.MethodByName(name)
	if !m.IsValid() {
		return nil
	}
	arguments := func(k int) (in []reflect.Value) {
		for i := range m.Type().NumIn() {
			in = append(in, reflect.ValueOf(k+i).Convert(m.Type().In(i)))
		}
		return in
	}
	for k := range K {
		if m.Type().NumIn() > 1 && k+1 == K {
			break
		}
		for _, out := range m.Call(arguments(k)) {
			values = append(values, out.Interface())
		}
	}
	return values
}

// A student is refused by the name of the first thing that needs coordinates.
func TestNeedsCoordinates(t *testing.T) {
	const near = `// Goes to the nearest city.
package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score counts the distance.
func Score(s *tsp.State, score []float32) {
	for k := range score {
		score[k] = -s.Distance(k)
	}
}
`
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	files := func(products ...int) distilled.Files {
		own := *b
		own.Heuristics = slices.Clone(b.Heuristics[:1])
		own.Heuristics[0].Name, own.Heuristics[0].Source = "near", near
		m := student.New(student.Config{Problem: routing.TSP, Router: student.Named, Programs: 1}, 1)
		r, _ := m.Named()
		for _, j := range products {
			r.Products[j] = 1
		}
		return distilled.Files{Bank: &own, Model: m}
	}
	ten := student.New(student.Config{
		Problem: routing.TSP, Router: student.Named, Programs: len(b.Heuristics),
	}, 1)
	distance, place := column(t, "distance"), column(t, "place_x")
	for _, tt := range []struct {
		files distilled.Files
		start startrule.Rule
		want  string
	}{
		{files(distance), "", ""},
		{files(distance), "first-listed", ""},
		{files(distance), "leftmost", "the start rule leftmost"},
		{files(distance, place), "", "the router (by PlaceX)"},
		{distilled.Files{Bank: b, Model: ten}, "", "program "},
	} {
		tt.files.Manifest.Start = tt.start
		got, err := needsCoordinates(tt.files)
		if err != nil || !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%q, %v; want %q", got, err, tt.want)
		}
	}
}

// column returns the column of a feature of a candidate.
func column(t *testing.T, name string) int {
	t.Helper()
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLookahead)
	i := slices.IndexFunc(set.Node, func(f features.Feature) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no feature %s", name)
	}
	return i
}
