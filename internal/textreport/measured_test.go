package textreport_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textreport"
)

// The means over all instances have the larger ones too, even where there are no others.
func TestMeansOverAllSizes(t *testing.T) {
	large := export.Measured{
		Name: "large", Nodes: 5000, Cost: 11, BestKnown: 10, Classics: []export.Classic{{Method: "savings", Cost: 12}},
	}
	small := large
	small.Nodes, small.Cost = 100, 13
	for want, all := range map[string][]export.Measured{
		"all           1           0.0   +10.00 %": {large},
		"all           2           0.0   +20.00 %": {small, large},
	} {
		var out bytes.Buffer
		if err := textreport.Measured(&out, routing.TSP, all); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v: %s; want a line with %q", err, out.String(), want)
		}
	}
}

// Each instance stands with the solver's excess over a classic method and over the best known solution. A class of
// sizes has its largest size in it, and its means are those of its instances.
func TestMeasuredBySize(t *testing.T) {
	of := func(nodes int, ms, cost, classic float64) export.Measured {
		return export.Measured{
			Name: "r", Nodes: nodes, Milliseconds: ms, Cost: cost, BestKnown: 10,
			Classics: []export.Classic{{Method: "savings", Cost: classic}},
		}
	}
	var out bytes.Buffer
	all := []export.Measured{of(101, 2, 11, 12), of(50, 4, 13, 12), of(102, 8, 11, 10)}
	if err := textreport.Measured(&out, routing.TSP, all); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"r 101 2.0 11 12 -8.33 % 10 +10.00 %", "r 50 4.0 13 12 +8.33 % 10 +30.00 %",
		"101 2 3.0 +20.00 % +20.00 %", "201 1 8.0 +10.00 % +0.00 %", "all 3 4.7 +16.67 % +13.33 %",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(got, "Below") {
		t.Errorf("something is below the best known cost:\n%s", out.String())
	}
	out.Reset()
	best := of(20, 1, math.Nextafter(10, 0), 12) // the best known tour, summed from another node
	if err := textreport.Measured(&out, routing.TSP, []export.Measured{best}); err != nil ||
		strings.Contains(out.String(), "Below") {
		t.Errorf("a tour is below itself (%v):\n%s", err, out.String())
	}
	out.Reset()
	if err := textreport.Measured(&out, routing.CVRP, append(all, of(20, 1, 11, 9.5))); err != nil {
		t.Fatal(err)
	}
	const below = "Below the best known cost, which may hold for the number of vehicles in the name only: " +
		"r (9.5 by savings).\n"
	if !strings.HasSuffix(out.String(), below) {
		t.Errorf("lacks %q:\n%s", below, out.String())
	}
}
