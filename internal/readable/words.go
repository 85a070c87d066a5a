package readable

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/student"
)

// Term is one thing that a router attends to.
type Term struct {
	Says   string  `json:"says"`   // one sentence
	Weight float64 `json:"weight"` // by how much it moves a logit, for one standard deviation of each feature
}

// Size returns the absolute weight: the sentence says the sign.
func (t Term) Size() float64 { return math.Abs(t.Weight) }

// Description is a router in words. The heaviest terms come first.
type Description struct {
	Count    int    `json:"count"`    // products of the router, of which First leaves some out
	Products []Term `json:"products"` // whom it trusts by what they propose
	// Share is the share that Products have in the sum of all squared weights of products. It is 0 in descriptions
	// from before it was known.
	Share float64 `json:"share,omitempty"`

	ProgramCount int    `json:"program_count,omitempty"` // terms of Programs, of which First leaves some out
	Programs     []Term `json:"programs"`                // whom it trusts whatever they propose
}

// First returns the description with at most n terms of either kind.
func (d Description) First(n int) Description {
	before := squares(d.Products)
	d.Products, d.Programs = d.Products[:min(n, len(d.Products))], d.Programs[:min(n, len(d.Programs))]
	if before > 0 {
		d.Share *= squares(d.Products) / before
	}
	return d
}

// HasSource reports whether the router is short enough for Source to write it as Go.
func (d Description) HasSource() bool { return d.Count <= MostProducts }

// squares returns the sum of the squared weights of terms.
func squares(terms []Term) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += t.Weight * t.Weight
	}
	return sum
}

// Of describes the router of a model for a bank. It is nil if the model has no named router, or one for another
// number of programs.
func Of(m *student.Model, b *bank.Bank) *Description {
	r, set, ok := routerOf(m, b)
	if !ok {
		return nil
	}
	d := Describe(r, set, b.Names())
	return &d
}

// routerOf returns the named router of a model, and its features. ok is false if the model has none, or one for another
// number of programs than the bank's.
func routerOf(m *student.Model, b *bank.Bank) (r student.NamedRouter, set *features.Set, ok bool) {
	r, named := m.Named()
	set, known := features.Of(b.Problem, b.View, m.Config.Features())
	return r, set, named && known && r.Programs == len(b.Heuristics)
}

// Describe puts a named router into words. Where a sentence names a condition, the opposite holds under the opposite
// condition. programs are the names of the programs, in the order of the bank.
func Describe(r student.NamedRouter, set *features.Set, programs []string) Description {
	var d Description
	for p, w := range r.Products {
		if w != 0 {
			d.Products = append(d.Products, Term{productSays(set, p/r.Columns(), p%r.Columns(), w), float64(w)})
		}
	}
	M := len(programs)
	for p, w := range centred(r.Bias, M) {
		if w != 0 {
			d.Programs = append(d.Programs, Term{programSays(set, p/M, programs[p%M], w), float64(w)})
		}
	}
	for _, terms := range [][]Term{d.Products, d.Programs} {
		slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(b.Size(), a.Size()) })
	}
	d.Count, d.ProgramCount = len(d.Products), len(d.Programs)
	if d.Count > 0 {
		d.Share = 1
	}
	return d
}

// centred returns biases [1+Z,M] with each row less its mean, but for rows in which a term was pruned. What all
// programs have alike moves no weight, and is no reason to trust one of them.
func centred(bias []float32, M int) []float32 {
	out := slices.Clone(bias)
	for i := 0; i < len(out); i += M {
		row := out[i : i+M]
		if i > 0 && slices.Contains(row, 0) {
			continue
		}
		mean := 0.0
		for _, v := range row {
			mean += float64(v) / float64(M)
		}
		for m := range row {
			row[m] -= float32(mean)
		}
	}
	return out
}

// productSays says what a weight w of the product of z_i and f_j means. i = 0 is no condition, the last j confidence.
func productSays(set *features.Set, i, j int, w float32) string { return wantSays(set, i, j, true, w) }

// wantSays says that more of f_j is wanted by w where z_i is high, or low. i = 0 is no condition, the last j
// confidence.
func wantSays(set *features.Set, i, j int, high bool, w float32) string {
	says := "who is sure of its choice"
	if w < 0 {
		says = "who is unsure of its choice"
	}
	if j < len(set.Node) {
		if says = "who proposes " + set.Node[j].High; w < 0 {
			says = "who proposes " + set.Node[j].Low
		}
	}
	if i == 0 {
		return "Trust " + says + "."
	}
	return capital(condition(set, i, high)) + ", trust " + says + "."
}

// condition says that z_i, i ≥ 1, is high or low.
func condition(set *features.Set, i int, high bool) string {
	if high {
		return set.State[i-1].High
	}
	return set.State[i-1].Low
}

// programSays says what a weight w of z_i in a program's bias means. For i = 0 it is the constant, compared with those
// of the other programs.
func programSays(set *features.Set, i int, program string, w float32) string {
	switch {
	case i == 0 && w > 0:
		return "`" + program + "` is trusted more than others."
	case i == 0:
		return "`" + program + "` is trusted less than others."
	}
	return "`" + program + "` is trusted " + condition(set, i, w > 0) + "."
}

// trustSays says that a program is trusted more by w, or less, in states like this one, where z_i is high or low.
func trustSays(set *features.Set, i int, program string, high bool, w float32) string {
	more := "more"
	if w < 0 {
		more = "less"
	}
	return "`" + program + "` is trusted " + more + " " + condition(set, i, high) + "."
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
