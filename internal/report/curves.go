package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Geometry of a line chart in SVG units; the page scales it.
const (
	chartWidth, chartHeight                      = 250.0, 186.0
	chartLeft, chartRight, chartTop, chartBottom = 30.0, 6.0, 32.0, 26.0
	plotWidth                                    = chartWidth - chartLeft - chartRight
	plotHeight                                   = chartHeight - chartTop - chartBottom
)

// LineChart is a small chart over epochs.
type LineChart struct {
	Title, Caption string

	Series []series
	X, Y   []tick
	Marks  []mark
}

// Curve is a line of a LineChart.
type Curve struct {
	Label  string // at the end of the line; "" for none
	Class  string // in style.css: s0 and s1, or h0 to h7, with "dash" for a dashed line
	Y      []float64
	Lo, Hi []float64 // a band about the line, or nil
}

type series struct {
	Label, Class string
	Points       string // of a polyline
	Band         string // points of a polygon, "" without a band
	EndX, EndY   float64
	LabelY       float64 // of the label above or below the line's end
}

// mark is an event on the time axis, or above the events of the same epoch.
type mark struct {
	X, Y        float64
	Class, Note string
}

// markHeight is how far a mark stands above the one below it.
const markHeight = 6

// Frame returns left, right, top and bottom of the plotting area.
func (LineChart) Frame() map[string]float64 {
	return map[string]float64{
		"W": chartWidth, "H": chartHeight,
		"L": chartLeft, "R": chartWidth - chartRight, "T": chartTop, "B": chartHeight - chartBottom,
	}
}

// curves draws loss, top-1 accuracy and bank size over epochs, with the bank's changes marked.
func curves(history []Epoch, events []Event) []LineChart {
	if len(history) < 2 {
		return nil
	}
	x := make([]float64, len(history))
	train, val, top1, coverage, size := x0(x), x0(x), x0(x), x0(x), x0(x)
	covered := false
	for i, e := range history {
		x[i] = float64(e.Epoch)
		train[i], val[i] = e.TrainLoss, e.ValLoss
		top1[i], coverage[i], size[i] = 100*e.ValTop1, 100*e.Coverage, float64(e.BankSize)
		covered = covered || e.Coverage > 0
	}
	agreement := []Curve{{Label: "top-1", Class: "s0", Y: top1}}
	if covered {
		agreement = append(agreement, Curve{Label: "coverage", Class: "s1", Y: coverage})
	}
	charts := []LineChart{
		DrawLines("Loss", "KL to the teacher in nats, by epoch", x, false,
			Curve{Label: "training", Class: "s1", Y: train}, Curve{Label: "validation", Class: "s0", Y: val}),
		DrawLines("Agreement", "per cent of validation states, by epoch", x, false, agreement...),
		DrawLines("Bank size", "programs, by epoch", x, true, Curve{Class: "s0", Y: size}),
	}
	height := map[int]float64{} // by epoch
	for _, e := range events {
		class := map[string]string{EditAccepted: "edit", Added: "add", Dropped: "drop"}[e.Kind]
		if class == "" {
			continue
		}
		m := mark{
			across(float64(e.Epoch), x), chartHeight - chartBottom - height[e.Epoch], class,
			fmt.Sprintf("epoch %d: %s %s", e.Epoch, e.Heuristic, e.Kind),
		}
		height[e.Epoch] += markHeight
		for i := range charts {
			charts[i].Marks = append(charts[i].Marks, m)
		}
	}
	return charts
}

func x0(x []float64) []float64 { return make([]float64, len(x)) }

// DrawLines draws curves over the epochs x, which increase, and scales them to their common range. Values of a curve
// that are NaN are left out, and so are those that it lacks at its end. step draws a staircase, for counts.
func DrawLines(title, caption string, x []float64, step bool, lines ...Curve) LineChart {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range lines {
		for _, v := range slices.Concat(c.Y, c.Lo, c.Hi) {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		lo, hi = 0, 1 // there is no value
	}
	if step {
		lo = 0
	}
	if pad := (hi - lo) * 0.12; pad > 0 && step {
		hi += pad
	} else if pad > 0 {
		lo, hi = lo-1.3*pad, hi+pad
	} else {
		lo, hi = lo-1, hi+1
	}
	up := func(v float64) float64 { return round1(chartTop + plotHeight*(hi-v)/(hi-lo)) }
	c := LineChart{Title: title, Caption: caption}
	for _, line := range lines {
		var b strings.Builder
		s := series{Label: line.Label, Class: line.Class, Band: bandPoints(line, x, up)}
		for i, v := range line.Y {
			if math.IsNaN(v) {
				continue
			}
			px, py := across(x[i], x), up(v)
			if step && b.Len() > 0 {
				fmt.Fprintf(&b, "%g,%g ", px, s.EndY)
			}
			fmt.Fprintf(&b, "%g,%g ", px, py)
			s.EndX, s.EndY = px, py
		}
		s.Points = strings.TrimSpace(b.String())
		c.Series = append(c.Series, s)
	}
	placeLabels(c.Series)
	c.Y = valueTicks(lo, hi, step, up)
	every := epochsPerTick(x[len(x)-1] - x[0])
	for e := every * int(math.Ceil(x[0]/float64(every))); e <= int(x[len(x)-1]); e += every {
		c.X = append(c.X, tick{across(float64(e), x), strconv.Itoa(e)})
	}
	return c
}

// bandPoints returns the outline of a curve's band: its upper edge, and its lower edge backwards.
func bandPoints(c Curve, x []float64, up func(float64) float64) string {
	var points []string
	add := func(i int, v float64) {
		if !math.IsNaN(v) {
			points = append(points, fmt.Sprintf("%g,%g", across(x[i], x), up(v)))
		}
	}
	for i, v := range c.Hi {
		add(i, v)
	}
	for i, v := range slices.Backward(c.Lo) {
		add(i, v)
	}
	return strings.Join(points, " ")
}

// HTML returns the chart as an SVG element, for a page with the style of Style.
func (c LineChart) HTML() (template.HTML, error) {
	var b strings.Builder
	if err := pageTemplate.ExecuteTemplate(&b, "lines", c); err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return template.HTML(b.String()), nil
}

// placeLabels puts the label of the line that ends highest above it, and every other below its own.
func placeLabels(lines []series) {
	highest := 0
	for i := range lines {
		if lines[i].EndY < lines[highest].EndY {
			highest = i
		}
	}
	for i := range lines {
		lines[i].LabelY = round1(lines[i].EndY + 11)
	}
	lines[highest].LabelY = round1(lines[highest].EndY - 6)
}

// across returns the place of an epoch on the time axis x.
func across(epoch float64, x []float64) float64 {
	first, last := x[0], x[len(x)-1]
	at := chartLeft + plotWidth*(epoch-first)/math.Max(1, last-first)
	return round1(min(max(at, chartLeft), chartLeft+plotWidth))
}

func round1(v float64) float64 { return math.Round(10*v) / 10 }
