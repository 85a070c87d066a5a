package standin

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// setting is one problem and view with a program to improve. The prompts are package textgrad's own, so that neither
// side can change its headings alone.
type setting struct {
	sdk      string
	ctx      textgrad.PromptContext
	nearest  bank.Heuristic
	failures func(n int) []textgrad.Failure
}

func set(problem routing.Problem, view routing.View, failures func(n int) []textgrad.Failure) setting {
	sdk := bank.Setting{Problem: problem, View: view}.SDK()
	return setting{
		sdk: sdk,
		ctx: textgrad.PromptContext{
			Setting: bank.Setting{Problem: problem, View: view}, N: 20, TauH: 0.05, Temperature: new(1.0),
			Sharpness: agreement.Sharpness{Top1: 0.9, Top2: 0.08},
		},
		nearest: bank.Heuristic{
			Name: "nearest", TauH: 0.05, Description: "Score prefers the nearest place.", Source: nearestSource(sdk),
		},
		failures: failures,
	}
}

var (
	tours = set(routing.TSP, routing.Full, func(n int) []textgrad.Failure {
		return tourFailures(n, routing.Full)
	})
	rests = set(routing.TSP, routing.Subgraph, func(n int) []textgrad.Failure {
		return tourFailures(n, routing.Subgraph)
	})
	routes = set(routing.CVRP, routing.Full, func(n int) []textgrad.Failure {
		return routeFailures(n, false)
	})
	legs = set(routing.CVRP, routing.Subgraph, func(n int) []textgrad.Failure {
		return routeFailures(n, true)
	})
	settings = []setting{tours, rests, routes, legs}
)

// nearestSource is the plainest program.
func nearestSource(sdk string) string {
	body := `	fromHere := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -sharp * fromHere[c]
	}`
	if sdk == "subcvrp" {
		body = `	for k := range s.Candidates {
		score[k] = -sharp * s.Way(k)
	}`
	}
	return `package nearest

import "github.com/epb-nco/epb/wasm-heuristics/sdk/` + sdk + `"

// Score prefers the nearest place.
func Score(s *` + sdk + `.State, score []float32) {
	const sharp = 1.0 // weight of the step
` + body + `
}
`
}

// tourFailures are random states in which the program and the teacher differ.
func tourFailures(n int, view routing.View) []textgrad.Failure {
	const N = 12
	rng := rand.New(rand.NewPCG(3, 4))
	return differ(n, rng, view, func() *rollout.Shard {
		sh := &rollout.Shard{
			Problem: routing.TSP, N: N, InstanceOf: []int32{0}, Traj: []int32{0}, Step: []int32{3},
			Offset: []int64{0, N - 3},
		}
		var coords []float32
		for i := range N {
			coords = append(coords, rng.Float32(), rng.Float32())
			sh.Actions = append(sh.Actions, int32(i))
			if i >= 3 {
				sh.Candidates = append(sh.Candidates, uint16(i))
			}
		}
		sh.Coords = dense.Of(coords, 1, N, 2)
		return sh
	})
}

// routeFailures are random states after three customers, or after three and the depot, of vehicles that carry 20. The
// depot is a candidate, or the way by it to every customer.
func routeFailures(n int, viaDepot bool) []textgrad.Failure {
	const N = 12
	rng := rand.New(rand.NewPCG(3, 4))
	view := routing.Full
	if viaDepot {
		view = routing.Subgraph
	}
	return differ(n, rng, view, func() *rollout.Shard {
		sh := &rollout.Shard{
			Problem: routing.CVRP, N: N, Capacity: []int32{20}, InstanceOf: []int32{0}, Traj: []int32{0},
			ViaDepot: viaDepot, Step: []int32{3}, Remaining: []int32{8}, Actions: []int32{1, 2, 3},
		}
		home := rng.IntN(3) == 0
		switch {
		case home:
			sh.Actions, sh.Step[0], sh.Remaining[0] = append(sh.Actions, 0), 4, 20
		case !viaDepot:
			sh.Candidates = []uint16{0}
		}
		var coords []float32
		var demand []int32
		for c := range uint16(N) {
			coords = append(coords, rng.Float32(), rng.Float32())
			d := int32(min(c, 1)) * (1 + rng.Int32N(8))
			if 1 <= c && c <= 3 { // what the vehicle carries already
				d = 4
			}
			demand = append(demand, d)
			if c > 3 {
				sh.Candidates = append(sh.Candidates, c)
			}
		}
		sh.Coords, sh.Demand = dense.Of(coords, 1, N, 2), dense.Of(demand, 1, N)
		if viaDepot && !home {
			for c := range uint16(N - 4) {
				sh.Candidates = append(sh.Candidates, N+4+c)
			}
		}
		sh.Actions = append(sh.Actions, 4) // where the solution goes on
		sh.Offset, sh.ActionOffset = []int64{0, int64(len(sh.Candidates))}, []int64{0, int64(len(sh.Actions))}
		return sh
	})
}

// differ gives the candidates of states probabilities of which the program's and the teacher's largest are not the
// same. Those of a view that has named features show them.
func differ(n int, rng *rand.Rand, view routing.View, state func() *rollout.Shard) []textgrad.Failure {
	var found []textgrad.Failure
	for len(found) < n {
		sh := state()
		K := len(sh.Candidates)
		wrong, right := rng.IntN(K), rng.IntN(K)
		if wrong == right {
			continue
		}
		Vm, Pi := make([]float32, K), make([]float32, K)
		for k := range Vm {
			Vm[k], Pi[k] = 0.01, 0.01
		}
		Vm[wrong], Pi[right] = 0.9, 0.9
		sh.Probs = dense.Vector(Pi)
		f := textgrad.NewFailure(sh, 0, Vm)
		if set, ok := features.Of(sh.Problem, view, sdk.ClassLocal); ok {
			var err error
			if f, err = f.WithFeatures(set, sh, 0, Vm); err != nil {
				panic(err)
			}
		}
		found = append(found, f)
	}
	return found
}

// typecheck compiles a program as far as types go, natively.
func typecheck(src string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", src, 0)
	if err != nil {
		return err
	}
	_, err = (&types.Config{Importer: sources}).Check("x", fset, []*ast.File{file}, nil)
	return err
}

var sources = importer.ForCompiler(token.NewFileSet(), "source", nil)

func answer(t *testing.T, req llm.Request) string {
	t.Helper()
	text, err := Answer(req.System, req.User)
	if err != nil {
		t.Fatalf("%v\n%s", err, req.User)
	}
	return text
}
