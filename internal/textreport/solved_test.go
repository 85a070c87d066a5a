package textreport_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

// A line for each of the first instances, gaps where something is known, and the means of all.
func TestSolved(t *testing.T) {
	out := testset.Solved{
		Start: "Start at the leftmost node.", Student: distilled.Manifest{Problem: routing.CVRP},
		Policies: []testset.Policy{
			{Name: "student", Seconds: 0.5, KnownGap: &bootstrap.Summary{Mean: 10}}, {Name: "sweep"},
		},
		Notes: []string{"A note."},
	}
	for i := range 22 {
		f := testset.Instance{Name: fmt.Sprintf("r%d", i), Nodes: 4, Metric: instances.Euc2D}
		if i == 1 {
			f.BestKnown = 100
		}
		out.Files = append(out.Files, f)
		s, sweep := &out.Policies[0], &out.Policies[1]
		s.Rounded, s.Unrounded = append(s.Rounded, 110), append(s.Unrounded, 110.25)
		s.Tours, sweep.Rounded = append(s.Tours, []int32{1, 0, 2, 3, 0}), append(sweep.Rounded, 88)
		sweep.Tours = append(sweep.Tours, []int32{1, 2, 3, 0})
	}
	var text bytes.Buffer
	if err := textreport.Solved(&text, out); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(text.String()), " ")
	for _, want := range []string{
		"instance nodes metric student unrounded routes sweep student to sweep best known student to best known",
		"r0 4 EUC_2D 110 110.25 2 88 +25.00 % r1 4 EUC_2D 110 110.25 2 88 +25.00 % 100 +10.00 % r2",
		"88 +25.00 % … and 2 more: --json has all of them.",
		"Means of 22 instances, in the file's units: student 110, sweep 88 (student +25.00 %).",
		"The student's mean gap to the best known solutions: +10.00 %. Below the best known cost, which may hold for " +
			"the number of vehicles in the name only: r1 (88 by sweep with 1 vehicle). A note. Start at the " +
			"leftmost node. 0.500 s",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, text.String())
		}
	}
}
