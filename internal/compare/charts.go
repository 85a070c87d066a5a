package compare

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/report"
)

// chart is the curves of several groups of runs over each other.
type chart struct {
	SVG    template.HTML
	Title  string
	Legend []legend
}

// legend is one curve of a chart.
type legend struct {
	Class string // of the line
	Dash  bool
	Name  string
	Note  string // which parts of the method the group has; "" where all groups have the same
}

// colours is the number of distinguishable colours of lines; others share the last one.
const colours = 8

// charts draws validation top-1, validation loss and bank size of every group with a history. Runs with keys that do
// not depend on the state are dashed, as in the paper's ablation figure. They have a chart of their own, beside the
// same configuration without them.
func charts(groups []Group) ([]chart, error) {
	var learning, static []drawn
	for _, g := range groups {
		if g.Longest() < 2 {
			continue
		}
		c := drawn{Group: g, static: g.Runs[0].Config.Student.StaticKeys}
		c.class = fmt.Sprintf("h%d", min(len(learning)+len(static), colours-1))
		if c.static {
			static = append(static, c)
		} else {
			learning = append(learning, c)
		}
	}
	var out []chart
	add := func(title, caption string, step bool, of []drawn, value func(report.Epoch) float64) error {
		if len(of) == 0 {
			return nil
		}
		c, err := draw(title, caption, step, of, value)
		if err == nil {
			out = append(out, c)
		}
		return err
	}
	top1 := func(e report.Epoch) float64 { return 100 * e.ValTop1 }
	shown := learning
	if len(learning) == 0 {
		shown = static
	}
	if err := add("Agreement", "top-1 in per cent of validation states, by epoch", false, shown, top1); err != nil {
		return nil, err
	}
	if len(learning) > 0 && len(static) > 0 {
		pairs, err := counterparts(static, learning)
		if err != nil {
			return nil, err
		}
		if err := add("Routing", "top-1, keys by state (solid) or static (dashed)", false, pairs, top1); err != nil {
			return nil, err
		}
	}
	every := append(append([]drawn(nil), learning...), static...)
	loss := func(e report.Epoch) float64 { return e.ValLoss }
	if err := add("Loss", "validation KL to the teacher in nats, by epoch", false, every, loss); err != nil {
		return nil, err
	}
	size := func(e report.Epoch) float64 { return float64(e.BankSize) }
	err := add("Bank size", "programs, by epoch", true, every, size)
	return out, err
}

// drawn is a group in a chart.
type drawn struct {
	Group
	class  string
	static bool
}

// counterparts returns the groups with static keys, and those of others that differ from one of them in that alone.
func counterparts(static, others []drawn) (all []drawn, err error) {
	same := func(a, b drawn) (bool, error) {
		x, y := a.Runs[0].Config, b.Runs[0].Config
		for _, c := range []*config.Distill{&x, &y} {
			c.Student.StaticKeys, c.Seed, c.Name = false, 0, ""
		}
		p, err := json.Marshal(x)
		if err != nil {
			return false, err
		}
		q, err := json.Marshal(y)
		return string(p) == string(q), err
	}
	for _, o := range others {
		for _, s := range static {
			alike, err := same(o, s)
			if err != nil {
				return nil, err
			}
			if alike {
				all = append(all, o)
				break
			}
		}
	}
	return append(all, static...), nil
}

// draw draws one value of every epoch: the mean over a group's seeds, with a band of one standard deviation. A
// run that has ended keeps its last value until the longest of its group ends.
func draw(title, caption string, step bool, of []drawn, value func(report.Epoch) float64) (chart, error) {
	longest := 0
	for _, g := range of {
		longest = max(longest, g.Longest())
	}
	x := make([]float64, longest)
	for e := range x {
		x[e] = float64(e + 1)
	}
	c := chart{Title: title}
	var curves []report.Curve
	for _, g := range of {
		curve := report.Curve{Class: g.class, Y: make([]float64, longest)}
		if g.static {
			curve.Class += " dash"
		}
		for e := range x {
			values := g.At(e, value)
			mean, spread := math.NaN(), math.NaN()
			if len(values) > 0 {
				mean = stat.Mean(values, nil)
			}
			if len(values) > 1 {
				spread = stat.StdDev(values, nil)
			}
			curve.Y[e] = mean
			curve.Lo, curve.Hi = append(curve.Lo, mean-spread), append(curve.Hi, mean+spread)
		}
		curves = append(curves, curve)
		c.Legend = append(c.Legend, legend{Class: g.class, Dash: g.static, Name: g.Name,
			Note: variant(g.Runs[0].Config)})
	}
	if !slices.ContainsFunc(c.Legend, func(l legend) bool { return l.Note != c.Legend[0].Note }) {
		for i := range c.Legend {
			c.Legend[i].Note = "" // all have the same parts
		}
	}
	var err error
	c.SVG, err = report.DrawLines(title, caption, x, step, curves...).HTML()
	return c, err
}

// variant says which parts of the method a configuration has: "numbers alone", "text alone" or both, a bank that keeps
// its size, static keys.
func variant(c config.Distill) string {
	words := ""
	add := func(what string) {
		if words != "" {
			words += ", "
		}
		words += what
	}
	switch {
	case c.TextGrad.Off && c.Train.Off:
		add("neither numbers nor text")
	case c.TextGrad.Off:
		add("numbers alone")
	case c.Train.Off:
		add("text alone")
	default:
		add("numbers and text")
	}
	if c.Add.Off && c.Drop.Off {
		add("bank of fixed size")
	}
	if c.Student.StaticKeys {
		add("static keys")
	}
	return words
}
