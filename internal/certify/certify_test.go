package certify_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// build returns a student of some programs of a bank that comes with EPB. Its router is not trained: the programs have
// equal weights, and the first leads everywhere.
func build(t *testing.T, routing, from string, programs ...string) *evaluate.Student {
	t.Helper()
	all, err := bank.Builtin(from)
	if err != nil {
		t.Fatal(err)
	}
	b := *all
	b.Heuristics = nil
	for _, name := range programs {
		for _, h := range all.Heuristics {
			if h.Name == name {
				b.Heuristics = append(b.Heuristics, h)
			}
		}
	}
	if len(b.Heuristics) != len(programs) {
		t.Fatalf("bank %s lacks some of %v", from, programs)
	}
	return studentOf(t, student.Configured(
		config.Student{Router: config.NamedRouter, Routing: routing}, b.Problem, b.View, len(b.Heuristics),
	), &b)
}

// studentOf returns a student with an untrained router.
func studentOf(t *testing.T, c student.Config, b *bank.Bank) *evaluate.Student {
	t.Helper()
	ps, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ps.Close)
	return &evaluate.Student{Model: student.New(c, 1), Programs: ps}
}

// viaDepot is a program for the states of LEHD, whose decisions may go by way of the depot.
const viaDepot = `package NAME

import "github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"

// Score ranks customers by where they lie.
func Score(s *subcvrp.State, score []float32) {
	for k, c := range s.Candidates {
		dx, dy := s.X[c]-s.X[s.Current], s.Y[c]-s.Y[s.Current]
		score[k] = RULE
	}
}
`

func certificate(
	t *testing.T, s *evaluate.Student, teacher routing.Policy, also ...certify.Other,
) *certify.Certificate {
	t.Helper()
	p := problems.Must(s.Programs.Bank.Problem)
	states, err := rollout.Record(t.Context(), teacher, p.Generate(12, 30, 5), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := certify.Compute(t.Context(), certify.Input{
		Student: s, States: states, Data: "fresh instances", Teacher: teacher, Changes: 4, Seed: 1, Also: also,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A teacher that is the leading program itself is explained perfectly, and the certificate says so. It also says that
// nobody follows the other program, and that the router does not prefer the leader at all.
func TestTeacherThatIsAProgram(t *testing.T) {
	for _, c := range []struct{ bank, leader, other string }{
		{"tsp-local", "settle_the_lonely", "outline_first"},
		{"cvrp-local", "out_then_back", "savings_first"},
	} {
		s := build(t, config.HardRouting, c.bank, c.leader, c.other)
		first := startrule.None
		if !problems.Must(s.Programs.Bank.Problem).Traits().Depot {
			first = startrule.Rule("nearest-lower-right")
		}
		got := certificate(t, s, s.Programs.Singles(first)[0])
		if a := got.Agreement.Overall.Student; a.Of != 1 || a.N != got.Decisions || a.CI.Lo != 1 {
			t.Errorf("%s: the student agrees in %+v of %d decisions, want all", c.bank, a, got.Decisions)
		}
		if got.Leader.Alone.Of != 1 || got.Leader.Ties.Of != 1 {
			t.Errorf("%s: the leader decides alone in %v with ties in %v, want always", c.bank, got.Leader.Alone.Of,
				got.Leader.Ties.Of)
		}
		if p := got.Programs[0]; p.Changed != got.Leader.Removed || p.Right != got.Leader.RemovedTop1 ||
			p.LostCI.Lo <= 0 {
			t.Errorf("%s: without the first program, which always leads: %+v, want %+v", c.bank, p, got.Leader)
		}
		if got.Programs[0].Top1.Of != 1 || got.Programs[0].Leads.Of != 1 || got.Programs[1].Leads.Of != 0 {
			t.Errorf("%s: programs %+v, want the first to lead and to be right", c.bank, got.Programs)
		}
		if got.Tours[1].Role != certify.RoleDropped || got.Tours[2].Role != certify.RoleSwapped {
			t.Errorf("%s: solutions %+v, want those without leaders second and third", c.bank, got.Tours)
		}
		if n := len(got.Tours); n != 4 || got.Tours[0].Gap.Percent != 0 || got.Tours[1].Rise.Percent == 0 ||
			got.Tours[2].Rise.Percent != 0 || got.Tours[3].Rise != got.Tours[1].Rise {
			t.Errorf("%s: solutions %+v, want all to cost what the teacher's do but those without the leader, which "+
				"are the cheaper program's: with equal weights a swap changes nothing", c.bank, got.Tours)
		}
		if got.Leader.Removed.Of < 0.05 || got.Leader.RemovedTop1.Of != 1-got.Leader.Removed.Of {
			t.Errorf("%s: without its leader %v of the decisions change, and %v are right", c.bank,
				got.Leader.Removed.Of, got.Leader.RemovedTop1.Of)
		}
		for _, x := range got.Changes {
			if x.Teacher.N < 50 || x.Both.N > 0 && x.Both.Of != 1 || x.Alone.Of != 0 || x.Both.N > 0 && x.Same.Of != 1 {
				t.Errorf("%s: %s: %+v, want the student to change as the teacher does", c.bank, x.What, x)
			}
		}
		warnings := strings.Join(got.Warnings, "\n")
		for _, want := range []string{"The router almost never lets " + c.other, "no program can be said to lead",
			c.other + " harms: without it the loss of the mixture is lower",
			"is not shown to agree more often than its best single program by agreement, " + c.leader,
			"are not shown to be cheaper than those of its best single program by cost, ",
		} {
			if !strings.Contains(warnings, want) {
				t.Errorf("%s: no warning says %q:\n%s", c.bank, want, warnings)
			}
		}
	}
}

// Decisions by way of the depot are certified as others are. A student explains itself perfectly.
func TestViaDepot(t *testing.T) {
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.CVRP, View: routing.Subgraph}}
	for _, p := range [][2]string{{"near", "-(dx*dx + dy*dy)"}, {"turn", "dx - dy"}} {
		h, err := bank.New(p[0], strings.NewReplacer("NAME", p[0], "RULE", p[1]).Replace(viaDepot),
			bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		h.TauH = 0.1
		b.Heuristics = append(b.Heuristics, h)
	}
	s := studentOf(t, student.Config{
		Problem: routing.CVRP, Arch: student.LEHD, DecoderLayers: 1, D: 32, Layers: 1, Heads: 4, FF: 32,
		Routing: student.Hard,
	}, b)
	got := certificate(t, s, s)
	if a := got.Agreement.Overall.Student; a.Of != 1 || got.Tours[0].Gap.Percent != 0 || got.Tours[1].Gap.Percent == 0 {
		t.Errorf("the student agrees in %+v; solutions %+v", a, got.Tours)
	}
	for _, x := range got.Changes {
		if x.Teacher.N < 50 || x.Both.Of != 1 || x.Alone.Of != 0 {
			t.Errorf("%s: %+v, want the student to change as the teacher does", x.What, x)
		}
	}
}

// What explains badly is said to. The same students give the same certificate again.
func TestBadExplanation(t *testing.T) {
	s := build(t, config.HardRouting, "tsp-local", "outline_first", "settle_the_lonely")
	other := build(t, config.HardRouting, "tsp-local", "settle_the_lonely", "outline_first")
	got := certificate(t, s, problems.NearestNeighbour{}, certify.Other{Name: "the other", Student: other})
	warnings := strings.Join(got.Warnings, "\n")
	for _, want := range []string{
		"the nearest candidate is the teacher’s choice in 100.0 %", "The student agrees less often than the nearest",
	} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning says %q:\n%s", want, warnings)
		}
	}
	st := got.Stability[0]
	if len(st.Matches) != 2 || st.Matches[0][0]+st.Matches[0][1] != 1 {
		t.Errorf("programs matched %v, want each with itself, which has the other number", st.Matches)
	}
	if st.Leaders.Of != 0 || st.Chance != 0 {
		t.Errorf("leaders match in %v (by lot %v), want never: the first program leads in both", st.Leaders.Of,
			st.Chance)
	}
	var a, b bytes.Buffer
	again := certificate(t, s, problems.NearestNeighbour{}, certify.Other{Name: "the other", Student: other})
	for w, c := range map[*bytes.Buffer]*certify.Certificate{&a: got, &b: again} {
		for _, line := range append(c.Good, c.Warnings...) {
			w.WriteString(line + "\n")
		}
	}
	if a.String() != b.String() {
		t.Errorf("the second certificate says\n%s\nthe first\n%s", &b, &a)
	}
}

// Where a mixture decides, its leader alone is another policy. A program that occurs twice is named as one.
func TestSoftStudent(t *testing.T) {
	s := build(t, config.SoftRouting, "tsp-local", "outline_first", "settle_the_lonely", "settle_the_lonely")
	got := certificate(t, s, problems.NearestNeighbour{})
	warnings := strings.Join(got.Warnings, "\n")
	for _, want := range []string{
		"Hard and soft decisions differ",
		"Of settle_the_lonely and settle_the_lonely, each chooses the same as another in 100.0 %",
	} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning says %q:\n%s", want, warnings)
		}
	}
	if len(got.Twins) != 1 || got.Twins[0].Leads.Of != 0 {
		t.Errorf("twins %+v, want one group that never leads", got.Twins)
	}
	var who []string
	for _, x := range got.Tours {
		who = append(who, x.What)
	}
	if !slices.Contains(who, "the leader of each step decides alone") {
		t.Errorf("solutions of %q, want some of the leaders alone", who)
	}
}

// Every share of a certificate has an interval around it.
func TestIntervalsEverywhere(t *testing.T) {
	s := build(t, config.SoftRouting, "cvrp-local", "out_then_back", "savings_first")
	got := certificate(t, s, problems.NearestNeighbour{}, certify.Other{Name: "itself", Student: s})
	shares := 0
	var walk func(at string, v reflect.Value)
	walk = func(at string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			walk(at, v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", at, i), v.Index(i))
			}
		case reflect.Struct:
			if x, ok := v.Interface().(certify.Share); ok && x.N > 0 {
				if shares++; x.CI.Lo > x.Of || x.CI.Hi < x.Of || x.CI.Lo == x.CI.Hi && x.Of > 0 && x.Of < 1 && x.N > 1 {
					t.Errorf("%s: %+v", at, x)
				}
				return
			}
			for i := range v.NumField() {
				walk(at+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
	walk("certificate", reflect.ValueOf(got))
	if shares < 40 || len(got.Agreement.Candidates) < 3 {
		t.Errorf("%d shares, of them %d by K", shares, len(got.Agreement.Candidates))
	}
	for _, p := range got.Programs {
		if p.HasScale != (p.FitsCI.Lo < p.FitsCI.Hi) || p.HasScale && (p.FitsCI.Lo > p.Fits || p.FitsCI.Hi < p.Fits) {
			t.Errorf("τ_h of %s: %v %v, with a scale: %v", p.Name, p.Fits, p.FitsCI, p.HasScale)
		}
	}
	if got.KLCI.Lo >= got.KL || got.KLCI.Hi <= got.KL || got.Leader.ConsensusCI.Lo >= got.Leader.Consensus {
		t.Errorf("KL %v %v, consensus %v %v", got.KL, got.KLCI, got.Leader.Consensus, got.Leader.ConsensusCI)
	}
}

// Who disagrees already may have chosen what the teacher comes to: it is not asked about changes.
func TestChangesAreAskedWhereBothAgree(t *testing.T) {
	far, err := bank.New("far", `package far

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers far cities.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = s.Dist(s.Current, c)
	}
}
`, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	far.TauH = 0.1
	b := &bank.Bank{
		Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: []bank.Heuristic{far},
	}
	s := studentOf(t, student.Configured(config.Student{Router: config.NamedRouter}, b.Problem, b.View, 1), b)
	for _, x := range certificate(t, s, problems.NearestNeighbour{}).Changes {
		if x.Teacher.N != 0 {
			t.Errorf("%s: %d cases of a student that never agrees, want none", x.What, x.Teacher.N)
		}
	}
}

// Without a teacher to ask, nothing is said of changed instances.
func TestTeacherThatCannotBeAsked(t *testing.T) {
	s := build(t, config.SoftRouting, "tsp-local", "outline_first")
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, tsp.Generate(8, 10, 1), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := certify.Compute(t.Context(), certify.Input{Student: s, States: sh, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got.Changes != nil || got.Agreement.Hard == nil || len(got.Tours) != 1 {
		t.Errorf("changes %v, solutions %v of one program", got.Changes, got.Tours)
	}
}
