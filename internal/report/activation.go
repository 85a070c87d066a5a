package report

import (
	"cmp"
	"slices"

	"github.com/epb-nco/epb/internal/evaluate"
)

// heatRow is one heuristic's mean weight per stage of the tour.
type heatRow struct {
	Index        int
	Name, Colour string
	Mean         float64
	Cells        []heatCell
}

type heatCell struct {
	Weight float64
	Shade  float64 // [0,100], relative to the strongest cell
}

// heatmap orders heuristics by when they matter: by the centre of gravity of their weight over the tour.
func heatmap(a evaluate.Activation, colour []string) []heatRow {
	if len(a.Heuristics) != len(colour) || a.States == 0 {
		return nil
	}
	strongest := 1e-9
	for _, u := range a.Heuristics {
		strongest = max(strongest, slices.Max(u.ByProgress[:]))
	}
	rows := make([]heatRow, len(a.Heuristics))
	centre := make([]float64, len(rows))
	for m, u := range a.Heuristics {
		rows[m] = heatRow{Index: m, Name: u.Name, Colour: colour[m], Mean: u.MeanWeight}
		var total float64
		for b, w := range u.ByProgress {
			rows[m].Cells = append(rows[m].Cells, heatCell{w, round1(100 * w / strongest)})
			centre[m] += float64(b) * w
			total += w
		}
		centre[m] /= max(total, 1e-9)
	}
	slices.SortStableFunc(rows, func(a, b heatRow) int { return cmp.Compare(centre[a.Index], centre[b.Index]) })
	return rows
}

// bar is one heuristic's share of the deviations from the nearest neighbour.
type bar struct {
	Index          int
	Name, Colour   string
	Count, Solved  int
	Share          float64
	Length, Inside float64 // per cent of the longest bar: all, and those its own choice repeats
}

// deviations ranks heuristics by the deviations they dominate.
func deviations(a evaluate.Activation, colour []string) []bar {
	if len(a.Heuristics) != len(colour) || a.Deviations == 0 {
		return nil
	}
	var bars []bar
	for m, u := range a.Heuristics {
		if u.Deviations > 0 {
			bars = append(bars, bar{Index: m, Name: u.Name, Colour: colour[m], Count: u.Deviations, Solved: u.DeviationsSolved,
				Share: float64(u.Deviations) / float64(a.Deviations)})
		}
	}
	slices.SortStableFunc(bars, func(a, b bar) int { return cmp.Compare(b.Count, a.Count) })
	for i := range bars {
		bars[i].Length = round1(100 * float64(bars[i].Count) / float64(bars[0].Count))
		bars[i].Inside = round1(100 * float64(bars[i].Solved) / float64(bars[0].Count))
	}
	return bars
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
