package contrast

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Routers that were fitted to one policy on four sets of instances stand for two policies with two fits each: next to
// nothing may be told of how those differ.
func TestFitsOfOnePolicyDoNotDiffer(t *testing.T) {
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	policy := programs.Singles(startrule.Rule("nearest-lower-right"))[0]
	in := Input{
		Policies: [2]routing.Policy{policy, policy}, Bank: programs, Starts: EachOwn, Doing: func(string) {},
		Fit: sketch.RouterConfig{Batch: 64, Memory: 1 << 28, Seed: 1},
	}
	p := problems.Must(routing.TSP)
	var fits [4]*student.Model
	for n := range fits {
		sets, err := in.ask(t.Context(), "training", p.Generate(10, 40, uint64(10+n)))
		if err != nil {
			t.Fatal(err)
		}
		routers, err := in.route(t.Context(), sets, b.TauH())
		if err != nil {
			t.Fatal(err)
		}
		fits[n] = routers[0]
	}
	test, err := in.ask(t.Context(), "test", p.Generate(10, 60, 3))
	if err != nil {
		t.Fatal(err)
	}
	set, _ := features.Of(b.Problem, b.View, sdk.ClassLocal)
	differences, shown, conditions, clear := 0, 0, 0, 0
	for _, order := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}} {
		d := &decisions{
			set: set, bank: b, data: test, tauH: b.TauH(), seed: 1,
			routers: [2]*student.Model{fits[order[0]], fits[order[2]]},
		}
		var out Contrast
		if err := d.decide(t.Context(), &out, [2]*student.Model{fits[order[1]], fits[order[3]]}); err != nil {
			t.Fatal(err)
		}
		if err := d.programs(&out); err != nil {
			t.Fatal(err)
		}
		if err := d.read(); err != nil {
			t.Fatal(err)
		}
		var all []Estimate
		for _, x := range out.Programs {
			all = append(append(all, x.Stages[:]...), x.More)
		}
		for _, x := range out.Categories {
			all = append(append(all, x.Stages[:]...), x.More, x.DeviatingMore)
		}
		for _, e := range all {
			if differences++; e.Shown() {
				shown++
			}
		}
		out.Conditions = d.conditions()
		conditions, clear = conditions+len(out.Conditions), clear+len(out.Clear())
	}
	if shown > differences/10 {
		t.Errorf("%d of %d differences between fits of one policy are shown, want a tenth at most", shown, differences)
	}
	if clear > conditions/5 {
		t.Errorf("%d of %d conditions that were chosen by fits of one policy are shown, want a fifth at most", clear,
			conditions)
	}
}
