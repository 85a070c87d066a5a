package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// HeatRow is one heuristic's mean weight per stage of the tour, or the share of the steps that it leads.
type HeatRow struct {
	Index        int
	Name, Colour string
	Mean         float64
	Cells        []HeatCell
}

// HeatCell is a stage of a HeatRow.
type HeatCell struct {
	Weight float64
	Shade  float64 // [0,100], relative to the strongest cell
}

// stagesOfUse are a heuristic's values over all stages and in each.
type stagesOfUse func(u evaluate.HeuristicUse) (mean float64, by [evaluate.ProgressBins]float64)

// weightMap orders heuristics by when they matter: by the centre of gravity of their weight over the tour. colour [M]
// is the class of each.
func weightMap(a evaluate.Activation, colour []string) []HeatRow {
	return heatMap(a, colour, func(u evaluate.HeuristicUse) (float64, [evaluate.ProgressBins]float64) {
		return u.MeanWeight, u.ByProgress
	})
}

// leadMap is weightMap of the steps that each heuristic leads.
func leadMap(a evaluate.Activation, colour []string) []HeatRow {
	return heatMap(a, colour, func(u evaluate.HeuristicUse) (float64, [evaluate.ProgressBins]float64) {
		return u.Dominant, u.LedByProgress
	})
}

// Fullest returns the largest value of a stage map, which has the fullest colour.
func Fullest(rows []HeatRow) float64 {
	most := 0.0
	for _, r := range rows {
		for _, c := range r.Cells {
			most = max(most, c.Weight)
		}
	}
	return most
}

func heatMap(a evaluate.Activation, colour []string, stages stagesOfUse) []HeatRow {
	if len(a.Heuristics) != len(colour) || a.States == 0 {
		return nil
	}
	strongest := 1e-9
	for _, u := range a.Heuristics {
		_, by := stages(u)
		strongest = max(strongest, slices.Max(by[:]))
	}
	rows := make([]HeatRow, len(a.Heuristics))
	centre := make([]float64, len(rows))
	for m, u := range a.Heuristics {
		mean, by := stages(u)
		rows[m] = HeatRow{Index: m, Name: u.Name, Colour: colour[m], Mean: mean}
		var total float64
		for b, w := range by {
			rows[m].Cells = append(rows[m].Cells, HeatCell{w, round1(100 * w / strongest)})
			centre[m] += float64(b) * w
			total += w
		}
		centre[m] /= max(total, 1e-9)
	}
	slices.SortStableFunc(rows, func(a, b HeatRow) int { return cmp.Compare(centre[a.Index], centre[b.Index]) })
	return rows
}

// shownDeviators is how many programs the figure of the deviations shows, as the paper's does.
const shownDeviators = 5

// Deviators is the figure of the programs that decide where the choice is not the nearest node (paper, figure
// "Phase-aware vs geometry-aware").
type Deviators struct {
	ByLead bool  // Part is the share of the deviations that is led, else the mean routing weight there
	Bars   []bar // by Part, the largest first
	Rest   *rest // programs that are not among them, nil if there are none
	Kinds  []kind
}

// rest adds up the programs without a bar.
type rest struct {
	Programs, Count, Solved int
	Weight                  float64
}

// bar is one heuristic's part in the deviations from the nearest neighbour.
type bar struct {
	Index, Count, Solved int
	Name, Class          string
	Weight, Part, Length float64 // mean routing weight; see Deviators; per cent of the longest bar
}

// kind is the part of a category in the deviations.
type kind struct {
	Name           sdk.Category
	Class          string
	Programs       int
	Weight         float64 // mean routing weight of all its programs together
	Leads          float64 // share of the deviations
	Part           float64 // see Deviators
	Offset, Length float64 // in the bar of all, in per cent
}

// DeviatorsOf ranks heuristics by the share of the deviations that they lead, or by their weight there, and adds up the
// categories.
func DeviatorsOf(a evaluate.Activation, byLead bool) *Deviators {
	if a.Deviations == 0 {
		return nil
	}
	out := Deviators{ByLead: byLead}
	part := func(weight, leads float64) float64 {
		if byLead {
			return leads
		}
		return weight
	}
	share := func(u evaluate.HeuristicUse) float64 { return float64(u.Deviations) / float64(a.Deviations) }
	for m, u := range a.Heuristics {
		out.Bars = append(out.Bars, bar{Index: m, Name: u.Name, Class: CategoryClass(u.Category),
			Weight: u.DeviationWeight, Part: part(u.DeviationWeight, share(u)), Count: u.Deviations,
			Solved: u.DeviationsSolved})
	}
	slices.SortStableFunc(out.Bars, func(a, b bar) int { return cmp.Compare(b.Part, a.Part) })
	if others := out.Bars[min(shownDeviators, len(out.Bars)):]; len(others) > 0 {
		out.Rest = &rest{Programs: len(others)}
		for _, b := range others {
			out.Rest.Weight += b.Weight
			out.Rest.Count += b.Count
			out.Rest.Solved += b.Solved
		}
		out.Bars = out.Bars[:shownDeviators]
	}
	for i := range out.Bars {
		out.Bars[i].Length = round1(100 * out.Bars[i].Part / max(out.Bars[0].Part, 1e-9))
	}
	at := 0.0
	for _, category := range sdk.Categories {
		k := kind{Name: category, Class: CategoryClass(category), Offset: at}
		for _, u := range a.Heuristics {
			if u.Category == category {
				k.Programs++
				k.Weight += u.DeviationWeight
				k.Leads += share(u)
			}
		}
		k.Part = part(k.Weight, k.Leads)
		k.Length = round1(100 * k.Part)
		at += k.Length
		if k.Programs > 0 {
			out.Kinds = append(out.Kinds, k)
		}
	}
	return &out
}

// CategoryClass returns the CSS class of a category: its colour.
func CategoryClass(c sdk.Category) string {
	if !slices.Contains(sdk.Categories, c) {
		return "other"
	}
	word, _, _ := strings.Cut(string(c), "-")
	return word
}

// asks describes the signals that a category's programs read from a state.
var asks = map[sdk.Category]string{
	sdk.Phase: "how far the solution has come", sdk.Lookahead: "what follows the next step",
	sdk.Capacity: "the room left in the vehicle", sdk.Geometry: "places and distances alone",
}

// Summary says in words what the programs of the bank look at, counted from their code and their use (the paper's table
// of high-level behavior).
func (d Deviators) Summary(node string) string {
	var counts, leads []string
	programs := 0
	for _, k := range d.Kinds {
		programs += k.Programs
		counts = append(counts, fmt.Sprintf("%d %s (%s)", k.Programs, k.Name, asks[k.Name]))
		leads = append(leads, fmt.Sprintf("%s programs in %s\u00a0%%", k.Name, number(100*k.Leads, 0)))
	}
	return fmt.Sprintf("The %d programs by what they ask of a state: %s. Where the teacher does not go to the nearest "+
		"%s, the lead is with %s of the decisions.",
		programs, strings.Join(counts, ", "), node, strings.Join(leads, ", "))
}

// sparkBar is one stage of a program's weight over the tour, in a 60 × 16 drawing.
type sparkBar struct{ X, Y, H float64 }

func sparkline(values []float64) []sparkBar {
	top := max(slices.Max(values), 1e-9)
	bars := make([]sparkBar, len(values))
	for i, v := range values {
		h := max(0.5, round1(16*v/top))
		bars[i] = sparkBar{X: round1(60 * float64(i) / float64(len(values))), Y: 16 - h, H: h}
	}
	return bars
}
