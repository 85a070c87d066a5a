package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Figure is a figure of a report.
type Figure struct {
	Name          string // of its files
	Plot          *plot.Plot
	Width, Height vg.Length
}

// wide and high are the size of a figure that fills a column of text.
const (
	wide = 14 * vg.Centimeter
	high = 8 * vg.Centimeter
)

// Plots returns the figures of a report, those without data left out.
func Plots(d report.Data) ([]Figure, error) {
	var all []Figure
	for _, make := range []func(report.Data) ([]Figure, error){curvePlots, heatPlot, deviationPlot, tourPlots} {
		figures, err := make(d)
		if err != nil {
			return nil, fmt.Errorf("draw figures: %w", err)
		}
		all = append(all, figures...)
	}
	return all, nil
}

// colours are those of Okabe and Ito, which readers with any kind of colour vision tell apart.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x80, 0x70, 0x10, 0xff},
}

// grey is what the other programs have.
var grey = color.RGBA{0x99, 0x99, 0x99, 0xff}

// curve is one line of a chart.
type curve struct {
	name string
	of   func(report.Epoch) float64
}

func curvePlots(d report.Data) ([]Figure, error) {
	if len(d.History) < 2 {
		return nil, nil
	}
	var all []Figure
	for _, c := range []struct {
		name, label string
		curves      []curve
	}{
		{"loss", "KL to the teacher, nats (Eq. 6)", []curve{
			{"training", func(e report.Epoch) float64 { return e.TrainLoss }},
			{"validation", func(e report.Epoch) float64 { return e.ValLoss }},
		}},
		{"agreement", "share of the validation states", []curve{
			{"top-1", func(e report.Epoch) float64 { return e.ValTop1 }},
			{"coverage", func(e report.Epoch) float64 { return e.Coverage }},
		}},
	} {
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = "epoch", c.label
		p.Legend.Top = c.name == "loss"
		low := math.Inf(1)
		for i, one := range c.curves {
			var points plotter.XYs
			for _, e := range d.History {
				if v := one.of(e); v > 0 {
					points = append(points, plotter.XY{X: float64(e.Epoch), Y: v})
					low = min(low, v)
				}
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(points)
			if err != nil {
				return nil, err
			}
			line.Color, line.Width = colours[i], vg.Points(1.2)
			p.Add(line)
			p.Legend.Add(one.name, line)
		}
		if err := mark(p, d.Events, low); err != nil {
			return nil, err
		}
		all = append(all, Figure{c.name, p, wide, high})
	}
	return all, nil
}

// grid is the heat map's data: programs from top to bottom, stages from left to right.
type grid struct{ rows []report.HeatRow }

func (g grid) Dims() (c, r int)   { return len(g.rows[0].Cells), len(g.rows) }
func (g grid) Z(c, r int) float64 { return g.rows[len(g.rows)-1-r].Cells[c].Weight }
func (g grid) X(c int) float64    { return float64(c) + 0.5 }
func (g grid) Y(r int) float64    { return float64(r) }

// blues go from white to a full blue.
type blues struct{}

func (blues) Colors() []color.Color {
	all := make([]color.Color, 64)
	for i := range all {
		t := float64(i) / 63
		mix := func(from, to float64) uint8 { return uint8(from + t*(to-from)) }
		all[i] = color.RGBA{mix(255, 8), mix(255, 69), mix(255, 148), 255}
	}
	return all
}

var _ palette.Palette = blues{}

func heatPlot(d report.Data) ([]Figure, error) {
	rows := report.StageMap(d, make([]string, len(d.Activation.Heuristics)))
	if len(rows) == 0 {
		return nil, nil
	}
	p := plot.New()
	heat := plotter.NewHeatMap(grid{rows}, blues{})
	heat.Min = 0
	p.Add(heat)
	p.X.Label.Text, p.Title.Text = "tenth of "+d.Stages().Way, "mean routing weight"
	name := stagesName
	if d.ByLead() {
		p.Title.Text, name = "share of the steps led", stagesLedName
	}
	p.Title.Text += "; the fullest colour is " + decimal.Percent(report.Fullest(rows))
	var names []string
	for _, r := range slices.Backward(rows) {
		names = append(names, bank.Label(r.Index)+" "+r.Name)
	}
	p.NominalY(names...)
	return []Figure{{name, p, wide, vg.Length(len(rows))*0.6*vg.Centimeter + 2*vg.Centimeter}}, nil
}

// mark marks the epochs after which the bank changed, at the height of the lowest point.
func mark(p *plot.Plot, events []report.Event, low float64) error {
	for _, of := range []struct {
		kind, name string
		shape      draw.GlyphDrawer
	}{
		{report.EditAccepted, "edit", draw.CircleGlyph{}}, {report.Added, "Add", draw.TriangleGlyph{}},
		{report.Dropped, "Drop", draw.CrossGlyph{}},
	} {
		var points plotter.XYs
		for _, e := range events {
			if e.Kind == of.kind {
				points = append(points, plotter.XY{X: float64(e.Epoch), Y: low})
			}
		}
		if len(points) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2.5), Shape: of.shape}
		p.Add(dots)
		p.Legend.Add(of.name, dots)
	}
	return nil
}

// deviationPlot draws the paper's figure "Phase-aware vs geometry-aware": the programs that lead most, or have the
// largest weight, where the choice is not the nearest node, in the colours of their categories.
func deviationPlot(d report.Data) ([]Figure, error) {
	dev := report.DeviatorsOf(d.Activation, d.ByLead())
	if dev == nil {
		return nil, nil
	}
	p := plot.New()
	p.Y.Label.Text = fmt.Sprintf("mean routing weight on %d deviations", d.Activation.Deviations)
	if dev.ByLead {
		p.Y.Label.Text = fmt.Sprintf("share of %d deviations led", d.Activation.Deviations)
	}
	p.Y.Min, p.Legend.Top = 0, true
	var names []string
	for _, b := range dev.Bars {
		names = append(names, bank.Label(b.Index))
	}
	for i, category := range append(slices.Clone(sdk.Categories), "other") { // reports of old versions have none
		values, some := make(plotter.Values, len(dev.Bars)), false
		for k, b := range dev.Bars {
			if b.Class == report.CategoryClass(category) {
				values[k], some = b.Part, true
			}
		}
		if !some {
			continue
		}
		bars, err := plotter.NewBarChart(values, vg.Points(24))
		if err != nil {
			return nil, err
		}
		bars.Color, bars.LineStyle.Width = colours[i], 0
		p.Add(bars)
		p.Legend.Add(string(category), bars)
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max, p.Y.Max = -0.5, float64(len(names))-0.5, 1.2*p.Y.Max // room for whole bars and the legend
	return []Figure{{"deviations", p, wide, high}}, nil
}

// colourOf gives each program of the bank a colour, the same in all tours: its own for those that lead most steps of
// all tours, grey for the rest.
func colourOf(d report.Data) []color.Color {
	leads := make([]int, len(d.Bank))
	for _, pair := range d.Tours {
		for _, s := range pair.Student.Steps {
			if s.Leader >= 0 && s.Leader < len(leads) {
				leads[s.Leader]++
			}
		}
	}
	order := make([]int, len(leads))
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return leads[b] - leads[a] })
	colour := make([]color.Color, len(leads))
	for rank, m := range order {
		colour[m] = grey
		if rank < len(colours) && leads[m] > 0 {
			colour[m] = colours[rank]
		}
	}
	return colour
}

// tourPlots draws the paper's case study: the teacher's and the student's solutions of each pair, the student's steps
// in the colours of the programs that led them. Where a step does not go to the nearest node, a ring is about the node,
// with the label of the leader.
func tourPlots(d report.Data) ([]Figure, error) {
	var all []Figure
	colour := colourOf(d)
	for i, pair := range d.Tours {
		for name, tour := range map[string]report.Tour{"teacher": pair.Teacher, "student": pair.Student} {
			p, err := drawTour(pair, tour, colour, d)
			if err != nil {
				return nil, err
			}
			all = append(all, Figure{fmt.Sprintf("tour-%d-%s", i+1, name), p, 9 * vg.Centimeter, 10 * vg.Centimeter})
		}
	}
	slices.SortFunc(all, func(a, b Figure) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all, nil
}

func drawTour(pair report.TourPair, tour report.Tour, colour []color.Color, d report.Data) (*plot.Plot, error) {
	p := plot.New()
	p.HideAxes()
	p.Title.Text = fmt.Sprintf("%s, cost %.3f", pair.Instance, tour.Cost)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	at := func(node int32) plotter.XY {
		return plotter.XY{X: float64(pair.Coords[2*node]), Y: float64(pair.Coords[2*node+1])}
	}
	leaders := map[int]int{} // by step
	for _, s := range tour.Steps {
		leaders[s.Step] = s.Leader
	}
	shown := map[int]*plotter.Line{}
	add := func(from, to int32, step int) error {
		line, err := plotter.NewLine(plotter.XYs{at(from), at(to)})
		if err != nil {
			return err
		}
		line.Color, line.Width = grey, vg.Points(1)
		if leader, ok := leaders[step]; ok && leader >= 0 && leader < len(colour) {
			line.Color, line.Width = colour[leader], vg.Points(1.6)
			if colour[leader] != color.Color(grey) && shown[leader] == nil {
				shown[leader] = line
			}
		}
		p.Add(line)
		return nil
	}
	last := tour.Actions[len(tour.Actions)-1] // the depot, where there is one: its solutions end there
	for step, node := range tour.Actions {
		if err := add(last, node, step); err != nil {
			return nil, err
		}
		last = node
	}
	for m := range d.Bank {
		if line := shown[m]; line != nil {
			p.Legend.Add(bank.Label(m), line)
		}
	}
	var nodes plotter.XYs
	for i := range len(pair.Coords) / 2 {
		nodes = append(nodes, at(int32(i)))
	}
	dots, err := plotter.NewScatter(nodes)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(1.5), Shape: draw.CircleGlyph{}}
	p.Add(dots)
	if len(shown) > 0 {
		p.X.Max = 1.2 // room for the legend
	}
	return p, ring(p, tour.Steps, at)
}

// deviating returns the decisions that did not go to the nearest. A decision by way of the depot is two steps, and the
// second one goes where it is about.
func deviating(steps []evaluate.StepExplanation) (all []evaluate.StepExplanation) {
	for i, s := range steps {
		first := i+1 < len(steps) && steps[i+1].Via
		if !s.Nearest && !s.Forced && !first && s.Leader >= 0 {
			all = append(all, s)
		}
	}
	return all
}

// ring marks the nodes of the decisions that did not go to the nearest.
func ring(p *plot.Plot, steps []evaluate.StepExplanation, at func(node int32) plotter.XY) error {
	var marks plotter.XYLabels
	for _, s := range deviating(steps) {
		marks.XYs, marks.Labels = append(marks.XYs, at(s.Action)), append(marks.Labels, bank.Label(s.Leader))
	}
	if len(marks.XYs) == 0 {
		return nil
	}
	rings, err := plotter.NewScatter(marks.XYs)
	if err != nil {
		return err
	}
	rings.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: vg.Points(4), Shape: draw.RingGlyph{}}
	labels, err := plotter.NewLabels(marks)
	if err != nil {
		return err
	}
	labels.Offset = vg.Point{X: vg.Points(5), Y: vg.Points(3)}
	for i := range labels.TextStyle {
		labels.TextStyle[i].Font.Size = vg.Points(6)
	}
	p.Add(rings, labels)
	return nil
}
