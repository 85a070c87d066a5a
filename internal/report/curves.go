package report

import (
	"fmt"
	"math"
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

// lineChart is a small chart over epochs.
type lineChart struct {
	Title, Caption string
	Series         []series
	X, Y           []tick
	Marks          []mark
}

type series struct {
	Label, Class string
	Points       string // of a polyline
	EndX, EndY   float64
	LabelY       float64 // of the label above or below the line's end
}

// mark is an event on the time axis.
type mark struct {
	X           float64
	Class, Note string
}

// Frame returns left, right, top and bottom of the plotting area.
func (lineChart) Frame() map[string]float64 {
	return map[string]float64{
		"W": chartWidth, "H": chartHeight,
		"L": chartLeft, "R": chartWidth - chartRight, "T": chartTop, "B": chartHeight - chartBottom,
	}
}

// curves draws loss, top-1 accuracy and bank size over epochs, with the bank's changes marked.
func curves(history []Epoch, events []Event) []lineChart {
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
	agreement := []curve{{"top-1", "s0", top1}}
	if covered {
		agreement = append(agreement, curve{"coverage", "s1", coverage})
	}
	charts := []lineChart{
		draw("Loss", "KL to the teacher in nats, by epoch", x, false, curve{"training", "s1", train},
			curve{"validation", "s0", val}),
		draw("Agreement", "per cent of validation states, by epoch", x, false, agreement...),
		draw("Bank size", "programs, by epoch", x, true, curve{"", "s0", size}),
	}
	for _, e := range events {
		class := map[string]string{EditAccepted: "edit", Added: "add", Dropped: "drop"}[e.Kind]
		if class == "" {
			continue
		}
		m := mark{across(float64(e.Epoch), x), class, fmt.Sprintf("epoch %d: %s %s", e.Epoch, e.Heuristic, e.Kind)}
		for i := range charts {
			charts[i].Marks = append(charts[i].Marks, m)
		}
	}
	return charts
}

func x0(x []float64) []float64 { return make([]float64, len(x)) }

type curve struct {
	label, class string
	y            []float64
}

// draw scales the curves to their common range; step draws a staircase, for counts.
func draw(title, caption string, x []float64, step bool, lines ...curve) lineChart {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range lines {
		for _, v := range c.y {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
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
	c := lineChart{Title: title, Caption: caption}
	for _, line := range lines {
		var b strings.Builder
		s := series{Label: line.label, Class: line.class}
		for i, v := range line.y {
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
