package readable

import (
	"cmp"
	"fmt"
	"go/format"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// MostProducts is the largest number of products with which Source writes a router as Go: nobody would read a longer
// file.
const MostProducts = 200

// Source writes the named router of a model as Go that heuristic.CheckRouter accepts, for a bank with these programs.
// ok is false where the model has no named router, or one with more than MostProducts products.
//
// Numbers have six digits, so that the weights differ from the model's by less than 1e-4.
func Source(m *student.Model, b *bank.Bank) (src string, ok bool, err error) {
	r, named := m.Named()
	set, known := features.Of(b.Problem, b.View, m.Config.Features())
	if !named || !known {
		return "", false, nil
	}
	if products, _ := m.Products(); products > MostProducts {
		return "", false, nil
	}
	pkg, err := b.Package()
	if err != nil {
		return "", false, fmt.Errorf("write router as Go: %w", err)
	}
	w := writer{router: r, set: set, used: map[int]bool{}, programs: b.Names()}
	if len(w.programs) != r.Programs {
		return "", false, fmt.Errorf("write router as Go: it is for %d programs, the bank has %d", r.Programs,
			len(w.programs))
	}
	formatted, err := format.Source([]byte(w.file(pkg.Name, pkg.Path())))
	if err != nil {
		return "", false, fmt.Errorf("write router as Go: %w", err)
	}
	if _, err := heuristic.CheckRouter(string(formatted)); err != nil {
		return "", false, fmt.Errorf("write router as Go: %w", err)
	}
	return string(formatted), true, nil
}

// writer writes one router.
type writer struct {
	router   student.NamedRouter
	set      *features.Set
	programs []string
	used     map[int]bool // features of the state that are used, from 1
}

// file returns the source, not yet formatted.
func (w *writer) file(pkg, path string) string {
	wants := w.wants() // wants and trust note what state has to declare
	trust := w.trust()
	return fmt.Sprintf(`package router

import (
	"math"

	%[1]q
)

// Weights says how far each program is trusted in a state. A program is trusted as far as it proposes what the router
// wants in this state. Some are also trusted more in some states, whatever they propose.
//
// Features of the state count as spreads above their mean over the states of training, and features of a candidate as
// spreads among the candidates of a state. Where a comment names a condition, the opposite holds in the opposite case.
func Weights(s *%[2]s.State, proposals [][]float32, weights []float32) {
%[3]s
%[4]s
	// What each program's proposal is worth: the mean of what is wanted over its candidates.
	for m, proposal := range proposals {
		most := float32(0)
		for k, share := range proposal {
			weights[m] += share * wanted[k]
			most = max(most, share)
		}
		weights[m] += sure * most
	}

	// All weights are positive and add up to 1.
	top := weights[0]
	for _, w := range weights[1:] {
		top = max(top, w)
	}
	sum := float32(0)
	for m, w := range weights {
		weights[m] = float32(math.Exp(float64(w - top)))
		sum += weights[m]
	}
	for m := range weights {
		weights[m] /= sum
	}
}
`, path, pkg, w.state(), wants+trust)
}

// state declares the features of the state that are used.
func (w *writer) state() string {
	var b strings.Builder
	nearest := [2]string{"_", "_"}
	for i, f := range w.set.State {
		if !w.used[1+i] {
			continue
		}
		for k := range nearest {
			if name := fmt.Sprintf("k%d", 1+k); strings.Contains(f.Call, name) {
				nearest[k] = name
			}
		}
		mean, spread := w.router.Mean[i], w.router.Spread[i]
		comment(&b, capital(f.Says)+".")
		fmt.Fprintf(&b, "\t%s := (%s%s) / %s\n", f.GoName(), f.Call, signed(-mean), number(spread))
	}
	if b.Len() == 0 {
		return ""
	}
	head := ""
	if nearest != [2]string{"_", "_"} {
		head += fmt.Sprintf("\t%s, %s := s.Nearest() // the nearest and the second-nearest candidate\n",
			nearest[0], nearest[1])
	}
	return head + b.String()
}

// want is what the router wants of one feature of a candidate: a sum over features of the state.
type want struct {
	column int
	terms  []term
}

// term is one summand: a weight times feature i of the state, from 1; 0 is the constant.
type term struct {
	i      int
	weight float32
}

func (t want) size() (sum float64) {
	for _, x := range t.terms {
		sum += math.Abs(float64(x.weight))
	}
	return sum
}

// columns returns the wants of all features of a candidate, the heaviest first, and last that of confidence.
func (w *writer) columns() []want {
	F1 := w.router.Columns()
	all := make([]want, F1)
	for p, v := range w.router.Products {
		if v != 0 {
			all[p%F1].terms = append(all[p%F1].terms, term{p / F1, v})
			w.used[p/F1] = true
		}
	}
	for j := range all {
		all[j].column = j
		slices.SortStableFunc(all[j].terms, func(a, b term) int {
			return cmp.Compare(math.Abs(float64(b.weight)), math.Abs(float64(a.weight)))
		})
	}
	confidence := all[F1-1]
	some := slices.DeleteFunc(all[:F1-1], func(x want) bool { return len(x.terms) == 0 })
	slices.SortStableFunc(some, func(a, b want) int { return cmp.Compare(b.size(), a.size()) })
	return append(some, confidence)
}

// wants declares what the router wants of each feature, and how much it wants each candidate.
func (w *writer) wants() string {
	columns := w.columns()
	nodes, confidence := columns[:len(columns)-1], columns[len(columns)-1]
	var b, sum strings.Builder
	b.WriteString("\n\t// What the router wants of a candidate, feature by feature.\n\n")
	for _, c := range nodes {
		f := w.set.Node[c.column]
		name := "want" + capital(f.GoName())
		w.say(&b, c)
		fmt.Fprintf(&b, "\t%s := %s\n\n", name, w.sum(c.terms))
		if sum.Len() > 0 {
			sum.WriteString(" +\n\t\t\t")
		}
		fmt.Fprintf(&sum, "%s*%s/%s", name, f.Call, number(w.router.Scale[c.column]))
	}
	w.say(&b, confidence)
	fmt.Fprintf(&b, "\tsure := %s\n", w.sum(scaled(confidence.terms, student.ConfidenceScale)))
	if sum.Len() == 0 {
		sum.WriteString("0")
	}
	fmt.Fprintf(&b, `
	wanted := make([]float32, len(s.Candidates))
	for k := range wanted {
		wanted[k] = %s
	}
`, sum.String())
	return b.String()
}

func scaled(terms []term, by float32) []term {
	out := slices.Clone(terms)
	for i := range out {
		out[i].weight *= by
	}
	return out
}

// say writes the terms in words, as comments.
func (w *writer) say(b *strings.Builder, c want) {
	for _, t := range c.terms {
		comment(b, productSays(w.set, t.i, c.column, t.weight))
	}
}

// comment writes a comment in lines of at most 100 columns.
func comment(b *strings.Builder, text string) {
	line := "\t//"
	for word := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 97 { // the tab counts as four
			b.WriteString(line + "\n")
			line = "\t//  "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// trust sets the weights to what each program has whatever it proposes.
func (w *writer) trust() string {
	var b strings.Builder
	b.WriteString("\n\t// Whom the router trusts whatever they propose.\n\n")
	M := len(w.programs)
	for m, program := range w.programs {
		var terms []term
		for i := range len(w.router.Bias) / M {
			if v := w.router.Bias[i*M+m]; v != 0 {
				terms = append(terms, term{i, v})
				w.used[i] = true
			}
		}
		comment(&b, fmt.Sprintf("Program %d is `%s`.", m, program))
		for _, t := range terms {
			if t.i > 0 {
				comment(&b, programSays(w.set, t.i, program, t.weight))
			}
		}
		fmt.Fprintf(&b, "\tweights[%d] = %s\n\n", m, w.sum(terms))
	}
	return b.String()
}

// sum writes a sum of weighted features of the state, a float32.
func (w *writer) sum(terms []term) string {
	var b strings.Builder
	for n, t := range terms {
		if n > 0 && n%4 == 0 {
			b.WriteString(" +\n\t\t")
		}
		switch text := number(t.weight); {
		case n == 0 || n%4 == 0:
			b.WriteString(text)
		default:
			b.WriteString(signed(t.weight))
		}
		if t.i > 0 {
			b.WriteString("*" + w.set.State[t.i-1].GoName())
		}
	}
	if onlyConstant := !slices.ContainsFunc(terms, func(t term) bool { return t.i > 0 }); onlyConstant {
		if len(terms) == 0 {
			b.WriteString("0")
		}
		return "float32(" + b.String() + ")"
	}
	return b.String()
}

// number writes a number with six digits.
func number(v float32) string { return strconv.FormatFloat(float64(v), 'g', 6, 32) }

// signed writes a number as a further summand.
func signed(v float32) string {
	if v < 0 {
		return " - " + number(-v)
	}
	return " + " + number(v)
}
