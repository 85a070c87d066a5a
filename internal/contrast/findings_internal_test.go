package contrast

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// estimated is an estimate that is shown to differ from 0 if it exceeds 0.01 on either side.
func estimated(v float64) Estimate {
	return Estimate{Mean: v, CI: bootstrap.Interval{Lo: v - 0.01, Hi: v + 0.01}, N: 100}
}

// The findings name the policy for which a weight is larger, the stage in which the policies differ most, and what
// differs most first.
func TestFindings(t *testing.T) {
	c := &Contrast{
		Names: [2]string{"am", "pomo"}, Same: estimated(0.9), SameIn: [2]Estimate{estimated(0.95), estimated(0.85)},
		Categories: []Category{
			{Name: sdk.Geometry, Deviating: [2]Estimate{estimated(0.6), estimated(0.595)},
				DeviatingMore: estimated(0.005)},
			{Name: sdk.Phase, Deviating: [2]Estimate{estimated(0.4), estimated(0.6)}, DeviatingMore: estimated(-0.2)},
		},
		Partings: []Parting{{When: "late", Parted: estimated(0.2), Terms: []Term{
			{A: "isolated cities", B: "crowds", More: estimated(0.8)}, {A: "far", B: "near", More: estimated(0.001)},
		}}},
		Conditions: []Condition{
			{Program: "near", High: "late in the tour", Low: "early in the tour", Above: estimated(0.3),
				Below: estimated(0.005), Change: estimated(0.295)},
			{Program: "late", High: "late", Low: "early", Above: estimated(0.008), Below: estimated(-0.008),
				Change: estimated(0.016)},
		},
	}
	for q := range c.Stages {
		c.Stages[q] = estimated([]float64{0.95, 0.8, 0.9, 0.97, 0.93}[q])
	}
	for i := range c.Routed {
		c.Routed[i] = Routed{
			Own: estimated(0.9), Other: estimated(0.8), PartedOwn: estimated(0.6), PartedOther: estimated(0.2),
		}
	}
	for name, more := range map[string]float64{"small": 0.02, "large": -0.1, "none": 0.001} {
		p := Program{Name: name, Category: sdk.Phase}
		p.Stages[4] = estimated(more)
		c.Programs = append(c.Programs, p)
	}
	want := []string{
		"am and pomo choose the same in 90.0 % of 100 decisions [89.0, 91.0]: in 95.0 % of those on the way of am, " +
			"in 85.0 % of those on the way of pomo; least at 20–40 % of the way, 80.0 %.",
		"The programs routed for am choose as am in 90.0 % of the decisions and as pomo in 80.0 %. Where the two " +
			"part, they follow am in 60.0 % and pomo in 20.0 %.",
		"The programs routed for pomo choose as pomo in 90.0 % of the decisions and as am in 80.0 %. Where the two " +
			"part, they follow pomo in 60.0 % and am in 20.0 %.",
		"Where a policy does not go to the nearest, " + string(sdk.Phase) + " programs have 20.0 points more of the " +
			"weight for pomo than for am (60.0 % and 40.0 %) [+19.0, +21.0].",
		"Where am and pomo do not go to the nearest, no difference is shown between what these programs weigh: " +
			string(sdk.Geometry) + " 60.0 % and 59.5 % (fitting again changes 0.0 points).",
		"In the last fifth of the way 2 of the 3 programs are shown to weigh more for one of the two, each looked at " +
			"by itself.",
		"In the last fifth `large`, a " + string(sdk.Phase) + " program, has 10.0 points more of the " +
			"weight for pomo than for am [+9.0, +11.0].",
		"In the last fifth `small`, a " + string(sdk.Phase) + " program, has 2.0 points more of the " +
			"weight for am than for pomo [+1.0, +3.0].",
		"Late they part in 20.0 % of the decisions. There, on average, am rather goes to isolated cities, pomo to " +
			"crowds (0.80 spreads apart).",
		"`near` has 30.0 points more of the weight for am than for pomo late in the tour, and no shown difference " +
			"(0.5 points) early in the tour.",
	}
	if got := strings.Join(c.findings(), "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// Of many programs that differ late, the findings name the largest differences, and say that these were picked.
func TestLateFindingsSayThatTheyWerePicked(t *testing.T) {
	c := &Contrast{Names: [2]string{"am", "pomo"}}
	for m, more := range []float64{0.02, -0.1, 0.001, 0.3, 0.05} {
		p := Program{Name: string(rune('a' + m)), Category: sdk.Phase}
		p.Stages[4] = estimated(more)
		c.Programs = append(c.Programs, p)
	}
	want := []string{
		"In the last fifth of the way 4 of the 5 programs are shown to weigh more for one of the two, each looked at " +
			"by itself; the 3 largest follow, which the same decisions picked, so that they are rather too large.",
		"In the last fifth `d`", "In the last fifth `b`", "In the last fifth `e`",
	}
	got := c.late()
	if len(got) != len(want) {
		t.Fatalf("got\n%s", strings.Join(got, "\n"))
	}
	for i, line := range got {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
}
