package contrast

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// Routes of both policies begin at the first customer of one of them, which the other would not choose.
func TestStartsOfOneOnRoutes(t *testing.T) {
	all, err := bank.Builtin("cvrp-local")
	if err != nil {
		t.Fatal(err)
	}
	two := *all
	two.Heuristics = all.Heuristics[:2]
	programs, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), &two, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	s := programs.Singles(startrule.None)
	in := Input{Policies: [2]routing.Policy{s[0], s[1]}, Bank: programs, Doing: func(string) {}}
	firsts := func(starts int) (a, b []int32) {
		in.Starts = starts
		sets, err := in.ask(t.Context(), "test", problems.Must(routing.CVRP).Generate(10, 5, 3))
		if err != nil {
			t.Fatal(err)
		}
		for r := 0; r < sets[0].Shard.Trajectories(); r += 2 {
			a, b = append(a, sets[0].Shard.Tour(r)[0]), append(b, sets[0].Shard.Tour(r + 1)[0])
		}
		return a, b
	}
	ownA, ownB := firsts(EachOwn)
	if slices.Equal(ownA, ownB) {
		t.Fatal("both programs begin at the same customers by themselves")
	}
	for starts, want := range [][]int32{ownA, ownB} {
		if a, b := firsts(starts); !slices.Equal(a, want) || !slices.Equal(b, want) {
			t.Errorf("starts of %d: solutions begin at %v and %v, want %v", starts, a, b, want)
		}
	}
}
