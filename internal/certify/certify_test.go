package certify_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// build returns a student of some programs of a bank that comes with EPB. Its router is not trained: with hard routing
// the first program leads everywhere, with equal weights.
func build(t *testing.T, from string, programs ...string) *evaluate.Student {
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
	ps, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ps.Close)
	cfg := student.Configured(
		config.Student{Router: config.NamedRouter, Routing: config.HardRouting}, b.Problem, b.View, len(b.Heuristics),
	)
	return &evaluate.Student{Model: student.New(cfg, 1), Programs: ps}
}

func certificate(
	t *testing.T, s *evaluate.Student, teacher routing.Policy, also ...certify.Other,
) *certify.Certificate {
	t.Helper()
	p := problems.Must(s.Programs.Bank.Problem)
	c, err := certify.Compute(t.Context(), certify.Input{
		Student: s, Teacher: teacher, Instances: p.Generate(12, 30, 5), Seed: 1, Also: also,
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
		s := build(t, c.bank, c.leader, c.other)
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
		if got.Programs[0].Top1.Of != 1 || got.Programs[0].Leads.Of != 1 || got.Programs[1].Leads.Of != 0 {
			t.Errorf("%s: programs %+v, want the first to lead and to be right", c.bank, got.Programs)
		}
		if got.Leader.Removed.Of < 0.05 || got.Leader.RemovedTop1.Of != 1-got.Leader.Removed.Of {
			t.Errorf("%s: without its leader %v of the decisions change, and %v are right", c.bank,
				got.Leader.Removed.Of, got.Leader.RemovedTop1.Of)
		}
		for _, x := range got.Changes {
			if x.Teacher.N == 0 || x.Both.N > 0 && x.Both.Of != 1 || x.Alone.Of != 0 || x.Both.N > 0 && x.Same.Of != 1 {
				t.Errorf("%s: %s: %+v, want the student to change as the teacher does", c.bank, x.What, x)
			}
		}
		warnings := strings.Join(got.Warnings, "\n")
		for _, want := range []string{"Nobody follows " + c.other, "no program can be said to lead"} {
			if !strings.Contains(warnings, want) {
				t.Errorf("%s: no warning says %q:\n%s", c.bank, want, warnings)
			}
		}
	}
}

// What explains badly is said to. The same students give the same certificate again.
func TestBadExplanation(t *testing.T) {
	s := build(t, "tsp-local", "outline_first", "settle_the_lonely")
	other := build(t, "tsp-local", "settle_the_lonely", "outline_first")
	got := certificate(t, s, problems.NearestNeighbour{}, certify.Other{Name: "the other", Student: other})
	warnings := strings.Join(got.Warnings, "\n")
	for _, want := range []string{
		"the nearest candidate is the teacher's choice in 100.0 %", "It agrees less often than nearest candidate",
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
