package contrast_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// build compiles some programs of a bank that comes with EPB.
func build(t *testing.T, from string, programs ...string) *evaluate.Programs {
	t.Helper()
	all, err := bank.Builtin(from)
	if err != nil {
		t.Fatal(err)
	}
	b := *all
	b.Heuristics = nil
	for _, name := range programs {
		i := slices.IndexFunc(all.Heuristics, func(h bank.Heuristic) bool { return h.Name == name })
		if i < 0 {
			t.Fatalf("bank %s has no program %s", from, name)
		}
		b.Heuristics = append(b.Heuristics, all.Heuristics[i])
	}
	ps, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ps.Close)
	return ps
}

// input contrasts two policies on small instances.
func input(ps *evaluate.Programs, policies [2]routing.Policy) contrast.Input {
	p := problems.Must(ps.Bank.Problem)
	return contrast.Input{
		Policies: policies, Names: [2]string{"first", "second"}, Bank: ps, Starts: contrast.EachOwn,
		Train: p.Generate(10, 40, 1), Again: p.Generate(10, 40, 2), Test: p.Generate(10, 90, 3),
		Fit: sketch.RouterConfig{Products: 10, Batch: 64, Memory: 1 << 28, Seed: 1},
	}
}

// first is the start rule of policies of a problem.
func first(p routing.Problem) startrule.Rule {
	if problems.Must(p).Traits().Depot {
		return startrule.None
	}
	return startrule.Rule("nearest-lower-right")
}

// Two policies that are the two programs of the bank: each router trusts its own program, at every stage, and where the
// policies part it follows its own. The same input gives the same bytes.
func TestPoliciesThatArePrograms(t *testing.T) {
	for _, c := range []struct{ bank, a, b string }{
		{"tsp-local", "settle_the_lonely", "outline_first"},
		{"cvrp-local", "out_then_back", "savings_first"},
	} {
		ps := build(t, c.bank, c.a, c.b)
		singles := ps.Singles(first(ps.Bank.Problem))
		in := input(ps, [2]routing.Policy{singles[0], singles[1]})
		got, err := contrast.Compute(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got.Same.Mean > 0.95 || got.Same.N != got.Decisions {
			t.Errorf("%s: the policies choose the same in %+v of %d decisions", c.bank, got.Same, got.Decisions)
		}
		for i, r := range got.Routed {
			if r.PartedOwn.Mean < 0.75 || r.PartedOther.Mean > 0.25 {
				t.Errorf("%s: where the policies part, router %d follows its own in %v and the other in %v", c.bank, i,
					r.PartedOwn.Mean, r.PartedOther.Mean)
			}
		}
		a, b := got.Programs[0], got.Programs[1]
		if a.Name != c.a || !a.More.Shown() || a.More.Mean < 0.2 || math.Abs(a.More.Mean+b.More.Mean) > 1e-6 {
			t.Errorf("%s: %s weighs %+v more for the policy that it is, and %s %+v", c.bank, a.Name, a.More, b.Name,
				b.More)
		}
		for q, e := range a.Stages {
			if e.Shown() && e.Mean < 0 {
				t.Errorf("%s: at %s its own program weighs less: %+v", c.bank, habits.Stretch(q), e)
			}
		}
		all := strings.Join(got.Findings, "\n")
		for _, want := range []string{
			"first and second choose the same in ", "The programs routed for second choose as second in ",
			"points more of the weight for ", " they part in ",
		} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no finding says %q:\n%s", c.bank, want, all)
			}
		}
		total := [2]float64{}
		for _, x := range got.Categories {
			for i := range total {
				total[i] += x.Deviating[i].Mean
			}
		}
		if math.Abs(total[0]-1) > 1e-6 || math.Abs(total[1]-1) > 1e-6 {
			t.Errorf("%s: the weights of the categories add up to %v, want 1", c.bank, total)
		}
		again, err := contrast.Compute(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := text(t, got), text(t, again); x != y {
			t.Errorf("%s: the same input gives\n%s\nand\n%s", c.bank, x, y)
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A policy does not differ from itself: A and B are treated alike, so that what is computed of one is, to the last bit,
// what is computed of the other.
func TestOnePolicyTwice(t *testing.T) {
	ps := build(t, "tsp-local", "settle_the_lonely", "outline_first")
	p := ps.Singles(first(routing.TSP))[0]
	got, err := contrast.Compute(t.Context(), input(ps, [2]routing.Policy{p, p}))
	if err != nil {
		t.Fatal(err)
	}
	if got.Same.Mean != 1 || got.LeftOut != 0 || len(got.Examples) != 0 {
		t.Errorf("same %v, %d left out, %d examples", got.Same.Mean, got.LeftOut, len(got.Examples))
	}
	for _, x := range got.Programs {
		if x.More.Mean != 0 || x.Weight[0] != x.Weight[1] || x.Leads[0] != x.Leads[1] {
			t.Errorf("%s: weights %v, leads %v, %+v more for a policy than for the same policy", x.Name, x.Weight,
				x.Leads, x.More)
		}
	}
}

// Both policies begin where the one that chooses its start begins.
func TestStartsOfOne(t *testing.T) {
	ps := build(t, "tsp-local", "settle_the_lonely", "outline_first")
	in := input(ps, [2]routing.Policy{
		ps.Singles(startrule.Rule("nearest-lower-right"))[0], ps.Singles(startrule.Rule("nearest-upper-left"))[1],
	})
	for starts, want := range map[int]bool{1: true, contrast.EachOwn: false} {
		in.Starts = starts
		got, err := contrast.Compute(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range got.Examples {
			rule := startrule.Rule("nearest-upper-left")
			inst := routing.Instance{Problem: routing.TSP, Coords: e.Coords}
			if same := int(e.Path[0]) == rule.Start(&inst); want && !same {
				t.Errorf("starts of %d: example %d begins at node %d, want %d", starts, e.Instance, e.Path[0],
					rule.Start(&inst))
			}
		}
		for _, e := range got.Examples {
			inst := routing.Instance{Problem: routing.TSP, Coords: e.Coords}
			here := int(e.Path[len(e.Path)-1])
			for i, choice := range e.Choice {
				rank := 1
				for j := range inst.N() {
					if !slices.Contains(e.Path, int32(j)) && inst.Dist(here, j) < inst.Dist(here, int(choice)) {
						rank++
					}
				}
				if e.Rank[i] != rank {
					t.Errorf("instance %d: choice %d has rank %d, want %d", e.Instance, choice, e.Rank[i], rank)
				}
			}
		}
		if len(got.Examples) == 0 {
			t.Errorf("starts of %d: no example", starts)
		}
	}
}

// Students of the same programs in another order are matched program by program, whatever their names.
func TestLineUp(t *testing.T) {
	entrant := func(name string, programs ...string) contrast.Entrant {
		ps := build(t, "tsp-local", programs...)
		cfg := student.Configured(
			config.Student{Router: config.NamedRouter, Routing: config.HardRouting}, routing.TSP, routing.Full,
			len(programs),
		)
		return contrast.Entrant{
			Name: name, Student: &evaluate.Student{Model: student.New(cfg, 1), Programs: ps}, Programs: programs,
		}
	}
	all := []contrast.Entrant{
		entrant("one", "settle_the_lonely", "outline_first", "cheap_next_step"),
		entrant("other", "outline_first", "settle_the_lonely"),
	}
	insts := problems.Must(routing.TSP).Generate(10, 20, 3)
	line, err := contrast.LineUp(t.Context(), all, insts, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(line.Pairs) != 1 || line.Whose != "the students themselves" || line.States != 2*20*(10-2) {
		t.Fatalf("%d pairs of %s in %d states, want 1 of the students in the states of both", len(line.Pairs),
			line.Whose, line.States)
	}
	pair := line.Pairs[0]
	for _, m := range pair.Matches {
		if m.Same != 1 || all[0].Programs[m.A] != all[1].Programs[m.B] {
			t.Errorf("%s is matched with %s, which chooses the same in %v", all[0].Programs[m.A],
				all[1].Programs[m.B], m.Same)
		}
	}
	if len(pair.Matches) != 2 {
		t.Errorf("%d matches of banks of three and two", len(pair.Matches))
	}
	for _, p := range line.Portraits {
		if p.Fidelity.Top1 != 1 {
			t.Errorf("%s agrees with itself in %v", p.Name, p.Fidelity.Top1)
		}
	}
	if pair.Leaders.Mean != 0 {
		t.Errorf("leaders match in %v, want never: the first program leads in both", pair.Leaders.Mean)
	}
}
