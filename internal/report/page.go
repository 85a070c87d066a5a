package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

//go:embed page.tmpl figures.tmpl certificate.tmpl style.css
var files embed.FS

var pageTemplate = template.Must(
	template.New("page.tmpl").Funcs(Functions()).ParseFS(files, "page.tmpl", "figures.tmpl", "certificate.tmpl"),
)

// Functions are what templates of a report call to write numbers, for other pages that look like it.
func Functions() template.FuncMap {
	return template.FuncMap{
		"num":    number,
		"count":  count,
		"pct":    func(share float64) string { return number(100*share, 1) + "\u00a0%" },
		"signed": Signed,
		"weight": func(v float64) string {
			return strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "-", "−", 1)
		},
		"scale":     func(share float64) float64 { return 100 * share },
		"share":     func(percent float64) string { return strconv.FormatFloat(percent/100, 'f', 3, 64) },
		"percent":   percent,
		"code":      highlight,
		"short":     func(hash string) string { return hash[:min(8, len(hash))] },
		"modeName":  modeName,
		"label":     bank.Label,
		"findings":  findings,
		"prose":     prose,
		"breakable": breakable,
		"words":     func(names []string) string { return strings.Join(names, ", ") },
	}
}

// colours is the number of distinguishable colours in style.css; other heuristics share grey.
const colours = 8

// page is the input of the template: the data with its figures prepared.
type page struct {
	Data
	Style                             template.CSS
	TeacherRow, StudentRow, SingleRow *evaluate.Row // teacher, student, best single heuristic
	Curves                            []LineChart
	Rules                             []rule
	Results                           []resultRow
	Overlaps                          []overlapRow
	Heat                              []HeatRow
	Deviators                         *Deviators
	Programs                          []program
	Tours                             []tourPair
	Stepper                           *stepper
	ConfigLines                       []string
}

// program is one heuristic with its colour and figures.
type program struct {
	bank.Heuristic
	Index   int
	Colour  string
	Stages  Stages
	OneRule bool // decides each step
	Row     *evaluate.Row
	Use     *evaluate.HeuristicUse
	Spark   []sparkBar
	Ways    []WeightWay
}

// HTML writes the report as one self-contained page. Parts without data are left out.
func HTML(w io.Writer, d Data) error {
	d.Version = Version
	css, err := Style()
	if err != nil {
		return err
	}
	config, err := configLines(d.Config)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p := page{Data: d, Style: css, ConfigLines: config, Curves: curves(d.History, d.Events)}
	if r, ok := d.Table.Find(evaluate.KindTeacher); ok && r.Greedy != nil {
		p.TeacherRow = &r
	}
	if r, ok := d.Table.Find(evaluate.KindStudent); ok && r.Greedy != nil {
		p.StudentRow = &r
	}
	if r, ok := d.Table.BestHeuristic(); ok {
		p.SingleRow = &r
	}
	colour := colourOf(d)
	p.Rules, p.Results, p.Overlaps = rulesOf(d, colour), results(d), overlaps(d)
	p.Heat, p.Deviators = StageMap(d, colour), DeviatorsOf(d.Activation, d.ByLead())
	p.Programs = p.programs(colour)
	for _, pair := range d.Tours {
		p.Tours = append(p.Tours, drawTours(pair, d.Bank, colour))
	}
	if p.Stepper, err = stepperOf(d, colour); err != nil {
		return err
	}
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// Style returns the style sheet of a report's page, for other pages that look like it.
func Style() (template.CSS, error) {
	css, err := files.ReadFile("style.css")
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return template.CSS(css), nil
}

// colourOf gives each heuristic of the bank a CSS class: its own colour for those that lead most, grey for the rest.
func colourOf(d Data) []string {
	class := make([]string, len(d.Bank))
	for rank, m := range byLead(d) {
		class[m] = "other"
		if rank < colours {
			class[m] = "h" + strconv.Itoa(rank)
		}
	}
	return class
}

// programs returns the bank, the programs that lead most first.
func (p page) programs(colour []string) (all []program) {
	for _, m := range byLead(p.Data) {
		h := p.Bank[m]
		one := program{Heuristic: h, Index: m, Colour: colour[m], Stages: p.Stages(), OneRule: p.OneRule(),
			Ways: p.waysOf(h.Name)}
		for i := range p.Table.Rows {
			if r := &p.Table.Rows[i]; r.Kind == evaluate.KindHeuristic && r.Name == h.Name {
				one.Row = r
			}
		}
		for i := range p.Activation.Heuristics {
			u := &p.Activation.Heuristics[i]
			switch {
			case u.Name != h.Name:
			case p.ByLead():
				one.Use, one.Spark = u, sparkline(u.LedByProgress[:])
			default:
				one.Use, one.Spark = u, sparkline(u.ByProgress[:])
			}
		}
		all = append(all, one)
	}
	return all
}

// Nature returns the class, cost and unfolded size of the program, nil where its code cannot be read.
func (p program) Nature() *bank.Nature {
	n, err := p.Heuristic.Nature()
	if err != nil {
		return nil
	}
	return &n
}

// Formula returns the program's score as a formula, "" where it is none and where the code cannot be read.
func (p program) Formula() string { return formulaOf(p.Heuristic) }

// formulaOf returns the score of a program as a formula, "" where it is none and where the code cannot be read.
func formulaOf(h bank.Heuristic) string {
	formula, err := h.Formula()
	if err != nil {
		return ""
	}
	return formula
}

// Origin returns a sentence on the origin of the program.
func (p program) Origin() string {
	l := p.Lineage
	by := ""
	if l.LLM != "" {
		by = " by " + l.LLM
	}
	switch l.Origin {
	case bank.OriginStarter:
		return "From the starting bank."
	case bank.OriginGallery:
		return "Written anew for EPB after one sentence of the paper’s gallery."
	case bank.OriginTextGrad:
		return fmt.Sprintf("Rewritten%s in a TextGrad step of pass %d; validation loss fell by %s.", by, l.Pass+1,
			number(l.Gain, 4))
	case bank.OriginAdd:
		return fmt.Sprintf("Added%s in pass %d; coverage rose by %s points.", by, l.Pass+1, number(100*l.Gain, 1))
	case bank.OriginHand:
		return "Written by hand."
	case bank.OriginSketch:
		return "Fitted to the teacher’s decisions as a weighted sum of named features. Its name lists the two that " +
			"weighed most then, beside the distance; low_ stands for a negative weight."
	}
	return ""
}

// Paragraphs returns the description, cut at its blank lines.
func (p program) Paragraphs() []string {
	return strings.Split(strings.TrimSpace(p.Description), "\n\n")
}

// Answers reports whether the teacher is there to be asked. Of others only recorded solutions are known.
func (p page) Answers() bool { return p.Data.Teacher.Arch != ByRollouts }

// Titled names what was distilled as the paper does, "AM TSP-20", or else the teacher or the run.
func (p page) Titled() string {
	switch {
	case p.Data.Teacher.Arch != "" && p.Answers() && p.Config.Nodes > 0:
		return fmt.Sprintf("%s %s-%d", strings.ToUpper(p.Data.Teacher.Arch), strings.ToUpper(string(p.Config.Problem)),
			p.Config.Nodes)
	case p.Data.Teacher.Name != "":
		return p.Data.Teacher.Name
	}
	return p.Run.ID
}

// Stages names the stages of evaluate.HeuristicUse.ByProgress, what a step goes to, and what a solution is.
type Stages struct{ Begin, End, Whole, By, Way, Node, Solution string }

// Stages returns the words for the run's problem.
func (d Data) Stages() Stages { return stagesOf(d.Config.Problem) }

func stagesOf(name routing.Problem) Stages {
	if p, err := problems.Of(name); err == nil && p.Traits().Load {
		return Stages{"route begins", "vehicle full", "route", "how much of the vehicle’s room is used up",
			p.Traits().Way(), "customer", "solution"}
	}
	return Stages{"tour begins", "tour ends", "tour", "the stage of the tour", routing.Traits{}.Way(), "node", "tour"}
}

// Categories describes how a program's code determines its category.
func (p page) Categories() []categorySigns {
	var all []categorySigns
	for _, c := range sdk.Categories {
		all = append(all, categorySigns{c, CategoryClass(c), asks[c], c.Signs()})
	}
	return all
}

// categorySigns is a category with the condition for a program to be in it.
type categorySigns struct {
	Name        sdk.Category
	Class, Asks string
	Signs       []string
}

// HardeningCost says what one rule a step costs, "" where the table has one routing only.
func (p page) HardeningCost() string {
	if points, ok := p.Table.Hardening(); ok {
		return Signed(points, 2)
	}
	return ""
}

// SingleIsCheaper reports whether the student costs more than its best program.
func (p page) SingleIsCheaper() bool {
	return p.StudentRow != nil && p.SingleRow != nil && p.SingleRow.Greedy.Cost.Mean < p.StudentRow.Greedy.Cost.Mean
}

// HasFormulas reports whether a score in the table of rules is a formula.
func (p page) HasFormulas() bool {
	return slices.ContainsFunc(p.Rules, func(r rule) bool { return r.Formula != "" })
}

// FullestCell is the value of the fullest colour of the stage map.
func (p page) FullestCell() float64 { return Fullest(p.Heat) }

// Classics says how much the classic constructions cost and agree, "" where none was measured.
func (p page) Classics() string {
	var all []string
	for _, r := range p.Table.Rows {
		if r.Greedy == nil || p.Table.RoleOf(r) != evaluate.RoleClassic {
			continue
		}
		gap := r.Greedy.Gap
		one := fmt.Sprintf("%s has a gap of %s [%s, %s]", r.Name, percent(gap.Percent),
			Signed(gap.CI.Lo, 2), Signed(gap.CI.Hi, 2))
		if r.Top1 != nil {
			one += " and agrees in " + number(100**r.Top1, 1) + "\u00a0%"
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

// number prints v with the given decimals and a true minus sign, which zero has not. A value that is no number is a
// dash.
func number(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return strings.Replace(decimal.Fixed(v, decimals), "-", "−", 1)
}

// percent prints v with two decimals, a sign and the unit.
func percent(v float64) string { return Signed(v, 2) + "\u00a0%" }

// Signed prints v as number does, with a plus before what is larger than 0 as it is printed.
func Signed(v float64, decimals int) string {
	s := number(v, decimals)
	if strings.HasPrefix(s, "−") || strings.Trim(s, "0.–") == "" {
		return s
	}
	return "+" + s
}

// count prints an integer with thin spaces between thousands.
func count(v int) string {
	s := strconv.Itoa(v)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}
