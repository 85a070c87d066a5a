package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
)

// rule is a line of the table that says which program decides, when, and how well.
type rule struct {
	Index        int
	Name, Colour string
	Leads        float64          // share of the steps
	When         string           // it mostly leads, "" where it is not known
	Parts        string           // share of the steps that it leads early, in the middle and late
	Certified    *certify.Program // nil without a certificate
	Formula      string           // of the score, "" where it has none
	Says         string           // in a few words
}

// rulesOf returns the programs by the share of the steps that they lead, none where that is not known. colour [M] is
// the class of each.
func rulesOf(d Data, colour []string) (rows []rule) {
	if len(d.Activation.Heuristics) != len(d.Bank) {
		return nil
	}
	for _, m := range byLead(d) {
		use := d.Activation.Heuristics[m]
		r := rule{
			Index: m, Name: d.Bank[m].Name, Colour: colour[m], Leads: use.Dominant,
			Formula: formulaOf(d.Bank[m]), Says: inShort(d.Bank[m]),
		}
		if d.HasLeads() && use.Dominant > 0 {
			r.When, r.Parts = when(d.Activation, use.LedByProgress)
		}
		r.Certified = certified(d.Certificate, r.Name)
		rows = append(rows, r)
	}
	return rows
}

// certified returns what a certificate says of a program, nil if it says nothing.
func certified(c *certify.Certificate, name string) *certify.Program {
	if c == nil {
		return nil
	}
	for m := range c.Programs {
		if c.Programs[m].Name == name {
			return &c.Programs[m]
		}
	}
	return nil
}

// byLead returns the indices of the programs, those that lead most first.
func byLead(d Data) []int {
	order := make([]int, len(d.Bank))
	for m := range order {
		order[m] = m
	}
	if len(d.Activation.Heuristics) == len(d.Bank) {
		slices.SortStableFunc(order, func(a, b int) int {
			x, y := d.Activation.Heuristics[a], d.Activation.Heuristics[b]
			return cmp.Or(cmp.Compare(y.Dominant, x.Dominant), cmp.Compare(y.MeanWeight, x.MeanWeight))
		})
	}
	return order
}

// The first stages that are the middle of a solution, and those that are late.
const (
	middle = 3
	late   = 7
)

// parts names the parts of a solution.
var parts = []string{"early", "middle", "late"}

// when says in which parts of the solution a program mostly leads, and the share of the steps that it leads in each. It
// mostly leads in a part where it leads at least half as often as in the part where it leads most.
func when(a evaluate.Activation, led [evaluate.ProgressBins]float64) (words, shares string) {
	sum, states := make([]float64, len(parts)), make([]float64, len(parts))
	for b, share := range led {
		part := 0
		switch {
		case b >= late:
			part = 2
		case b >= middle:
			part = 1
		}
		n := stageStates(a, b)
		sum[part], states[part] = sum[part]+n*share, states[part]+n
	}
	for part := range sum {
		sum[part] /= max(states[part], 1)
	}
	var mostly, all []string
	most, decimals := slices.Max(sum), 0
	if most < 0.1 {
		decimals = 1 // whole numbers would hide what the words go by
	}
	for part, share := range sum {
		all = append(all, number(100*share, decimals))
		if share >= most/2 {
			mostly = append(mostly, parts[part])
		}
	}
	words = strings.Join(mostly, ", ")
	if len(mostly) == len(parts) {
		words = "throughout"
	}
	return words, strings.Join(all, ", ") + "\u00a0%"
}

// stageStates returns how many states of a stage there are. Where an old report does not say it, all stages with states
// count alike.
func stageStates(a evaluate.Activation, stage int) float64 {
	if a.StageStates != [evaluate.ProgressBins]int{} {
		return float64(a.StageStates[stage])
	}
	return bootstrap.Indicator(seen(a, stage))
}

// seen reports whether there are states of a stage: some program leads each of them.
func seen(a evaluate.Activation, stage int) bool {
	for _, u := range a.Heuristics {
		if u.LedByProgress[stage] > 0 {
			return true
		}
	}
	return false
}

// short is as many letters as say what sets a program apart: "Score prefers near cities." does not.
const short = 60

// inShort returns what a program says in a few words: its description up to the end of a sentence.
func inShort(h bank.Heuristic) string {
	text := strings.Join(strings.Fields(h.Description), " ")
	if from := min(short, len(text)); strings.Contains(text[from:], ". ") {
		text = text[:from+strings.Index(text[from:], ". ")+1]
	}
	if rest, ok := strings.CutPrefix(text, "Score "); ok && rest != "" {
		first, size := utf8.DecodeRuneInString(rest)
		text = string(unicode.ToUpper(first)) + rest[size:]
	}
	return text
}

// OneRule reports whether the program of the largest weight decides each step alone.
func (d Data) OneRule() bool { return d.Config.Student.Routing == config.HardRouting }

// ByLead reports whether figures of the stages are of the steps led, not of weights: where one rule decides each step.
func (d Data) ByLead() bool { return d.OneRule() && d.HasLeads() }

// StageMap is the figure of the stages of a report: weightMap, or the same of the steps led, see ByLead.
func StageMap(d Data, colour []string) []HeatRow {
	if d.ByLead() {
		return leadMap(d.Activation, colour)
	}
	return weightMap(d.Activation, colour)
}

// HasLeads reports whether it is known who leads at which stage. Of old reports it is not.
func (d Data) HasLeads() bool {
	for stage := range evaluate.ProgressBins {
		if seen(d.Activation, stage) {
			return true
		}
	}
	return false
}

// Shift says by how much the share of the steps that a program leads differs between two stages, for the program of
// which it differs most. A report has no values of single instances, so there is neither an interval nor a cause. It is
// "" where no share differs by a tenth, or who leads when is not known.
func (p page) Shift() string {
	if !p.HasLeads() {
		return ""
	}
	most, low, high := -1, 0, 0
	var change float64
	for m, u := range p.Activation.Heuristics {
		l, h := extremes(p.Activation, u.LedByProgress)
		if d := u.LedByProgress[h] - u.LedByProgress[l]; d > change {
			most, low, high, change = m, l, h, d
		}
	}
	if change < 0.1 {
		return ""
	}
	led, states := p.Activation.Heuristics[most].LedByProgress, p.Activation.StageStates
	share := func(stage int) string {
		text := number(100*led[stage], 0) + "\u00a0%"
		if n := states[stage]; n > 0 {
			text += fmt.Sprintf(" of %s states", count(n))
		}
		return fmt.Sprintf("%s in tenth %d", text, stage+1)
	}
	return fmt.Sprintf("Of all programs and tenths of the %s, the share of the steps led differs most for %s: %s, %s. "+
		"That is the largest of many differences, and without an interval: how much of it is chance is not measured, "+
		"nor where it comes from. A program may lead at some stage only without looking at the stage, since the "+
		"router may look at it.", p.Stages().Whole, bank.Label(most), share(min(low, high)), share(max(low, high)))
}

// extremes returns the stages at which a program leads least and most.
func extremes(a evaluate.Activation, led [evaluate.ProgressBins]float64) (low, high int) {
	low, high = -1, -1
	for b, share := range led {
		if !seen(a, b) {
			continue
		}
		if low < 0 || share < led[low] {
			low = b
		}
		if high < 0 || share > led[high] {
			high = b
		}
	}
	return low, high
}

// StartWords says who chooses the first node where no rule does.
func (p page) StartWords() string {
	if p.Stages().Whole == "route" && p.Table.Start != "" {
		return "There is none. " + p.Table.Start
	}
	return "The teacher is given its first node, and so is the student."
}
