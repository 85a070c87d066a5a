package figures

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
)

// Table is a table of a report.
type Table struct {
	Name    string // of its files
	Caption string // for LaTeX
	Columns []string
	Rows    [][]string // as long as Columns; the first cell names the row
}

// Tables returns the tables of a report, those without rows left out.
func Tables(d report.Data) []Table {
	var all []Table
	for _, t := range append([]Table{
		resultTable(d), overlapTable(d), fidelityTable(d), programTable(d), stageTable(d), leadTable(d), routerTable(d),
		curveTable(d), spendTable(d),
	}, certificateTables(d.Certificate)...) {
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func resultTable(d report.Data) Table {
	t := Table{
		Name:    "results",
		Caption: "Mean costs of n instances and gaps to the teacher with 95\u00a0% intervals",
		Columns: []string{"policy", "top-1"},
	}
	modes := d.Table.Modes()
	for _, m := range modes {
		name := string(m)
		for _, what := range []string{"n", "cost", "std", "gap %", "gap from", "gap to"} {
			t.Columns = append(t.Columns, name+" "+what)
		}
	}
	for _, r := range d.Table.Rows {
		row := []string{r.Name, ""}
		if r.Top1 != nil {
			row[1] = decimal.Fixed(*r.Top1, 4)
		}
		for _, m := range modes {
			cells := make([]string, 6)
			if s := r.Costing(m); s != nil {
				cells[0] = strconv.Itoa(s.Cost.N)
				cells[1], cells[2] = decimal.Fixed(s.Cost.Mean, 4), decimal.Fixed(s.Cost.Std, 4)
				if r.Kind != evaluate.KindTeacher {
					copy(cells[3:], gap(s.Gap))
				}
			}
			row = append(row, cells...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// overlapTable is the paper's table of edges that solutions of teacher and student have in common.
func overlapTable(d report.Data) Table {
	t := Table{
		Name: "overlap", Caption: "Per cent of edges in common with the teacher's solutions, with 95\u00a0% intervals",
		Columns: []string{"decoding", "mean", "std", "from", "to", "identical solutions"},
	}
	for _, m := range d.Table.Modes() {
		if o, ok := d.Overlap[m]; ok {
			t.Rows = append(t.Rows, []string{
				m.Words(), decimal.Fixed(100*o.Mean, 2), decimal.Fixed(100*o.Std, 2),
				decimal.Fixed(100*o.CI.Lo, 2), decimal.Fixed(100*o.CI.Hi, 2), decimal.Fixed(100*o.Identical, 2),
			})
		}
	}
	return t
}

func fidelityTable(d report.Data) Table {
	t := Table{
		Name: "fidelity", Caption: fmt.Sprintf("Agreement with the teacher on %d states", d.Fidelity.States),
		Columns: []string{"measure", "value"},
	}
	if d.Fidelity.States == 0 {
		return t
	}
	for _, row := range []struct {
		name  string
		value float64
		known bool // reports of early versions do not have all
	}{
		{"top-1", d.Fidelity.Top1, true}, {"top-2", d.Fidelity.Top2, true}, {"coverage", d.Fidelity.Coverage, true},
		{"top-1, rules mixed", d.MixedTop1(), d.MixedTop1() > 0},
		{"top-1, one rule a step", d.Fidelity.Hard, d.Fidelity.Hard > 0},
		{"weight of the leader", d.Fidelity.Leader, d.Fidelity.Leader > 0},
		{"its lead", d.Fidelity.Margin, d.Fidelity.Margin > 0}, {"KL, nats", d.Fidelity.Loss, true},
	} {
		if !row.known {
			continue
		}
		t.Rows = append(t.Rows, []string{row.name, decimal.Fixed(row.value, 4)})
	}
	return t
}

func programTable(d report.Data) Table {
	t := Table{
		Name: "programs", Caption: "The bank",
		Columns: []string{
			"program", "class", "cost", "unfolded lines", "unfolded nodes", "tau_h", "mean weight", "leads",
			"category", "description",
		},
	}
	for m, h := range d.Bank {
		row := []string{
			bank.Label(m) + " " + h.Name, "", "", "", "", decimal.Fixed(h.TauH, 4), "", "", "", h.Description,
		}
		if n, err := h.Nature(); err == nil {
			row[1], row[2] = string(n.Class), n.Cost
			row[3], row[4] = strconv.Itoa(n.Lines), strconv.Itoa(n.Nodes)
		}
		if m < len(d.Activation.Heuristics) {
			u := d.Activation.Heuristics[m]
			row[6], row[7], row[8] = decimal.Fixed(u.MeanWeight, 4), decimal.Fixed(u.Dominant, 4), string(u.Category)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// The names of what each program has at each stage: its mean weight, or the share of the steps that it leads.
const (
	stagesName    = "stages"
	stagesLedName = "stages-led"
)

func stageTable(d report.Data) Table {
	return byStage(d, stagesName, "Mean routing weight by tenth of "+d.Stages().Way,
		func(u evaluate.HeuristicUse) [evaluate.ProgressBins]float64 { return u.ByProgress })
}

// leadTable has no rows of an old report, which does not say who leads at which stage.
func leadTable(d report.Data) Table {
	if !d.HasLeads() {
		return Table{}
	}
	return byStage(d, stagesLedName, "Share of the steps led by tenth of "+d.Stages().Way,
		func(u evaluate.HeuristicUse) [evaluate.ProgressBins]float64 { return u.LedByProgress })
}

// byStage is a table of something that each program has at each stage.
func byStage(
	d report.Data, name, caption string, of func(evaluate.HeuristicUse) [evaluate.ProgressBins]float64,
) Table {
	t := Table{Name: name, Caption: caption, Columns: []string{"program"}}
	for b := range evaluate.ProgressBins {
		t.Columns = append(t.Columns, strconv.Itoa(b+1))
	}
	for m, u := range d.Activation.Heuristics {
		row := []string{bank.Label(m) + " " + u.Name}
		for _, w := range of(u) {
			row = append(row, decimal.Fixed(w, 4))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// routerTable has no rows with a router that has no words.
func routerTable(d report.Data) Table {
	t := Table{
		Name: "router", Caption: "What the router attends to: its heaviest terms",
		Columns: []string{"term", "weight", "description"},
	}
	if d.Router == nil {
		return t
	}
	for _, kind := range []struct {
		name  string
		terms []readable.Term
	}{{"by what is proposed", d.Router.Products}, {"by program", d.Router.Programs}} {
		for _, term := range kind.terms {
			t.Rows = append(t.Rows, []string{
				kind.name, decimal.Fixed(term.Size(), 4), strings.ReplaceAll(term.Says, "`", ""),
			})
		}
	}
	return t
}

func curveTable(d report.Data) Table {
	t := Table{
		Name: "curves", Caption: "Training",
		Columns: []string{"epoch", "pass", "training loss", "validation loss", "validation top-1", "coverage", "bank"},
	}
	for _, e := range d.History {
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(e.Epoch), strconv.Itoa(e.Pass), decimal.Fixed(e.TrainLoss, 5), decimal.Fixed(e.ValLoss, 5),
			decimal.Fixed(e.ValTop1, 5), decimal.Fixed(e.Coverage, 5), strconv.Itoa(e.BankSize),
		})
	}
	return t
}

func spendTable(d report.Data) Table {
	t := Table{
		Name: "spend", Caption: "What the language model was asked, by role",
		Columns: []string{
			"role", "model", "replies", "unusable", "calls", "tokens in", "tokens out", "USD", "edits kept",
		},
	}
	for _, r := range d.LLM.Roles {
		t.Rows = append(t.Rows, []string{
			r.Role, r.Model, strconv.Itoa(r.Replies), strconv.Itoa(r.Unusable), strconv.Itoa(r.Calls),
			strconv.Itoa(r.InputTokens), strconv.Itoa(r.OutputTokens), decimal.Fixed(r.CostUSD, 4),
			strconv.Itoa(r.Kept),
		})
	}
	return t
}

// CSV writes the table with a line of names.
func (t Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.WriteAll(append([][]string{t.Columns}, t.Rows...)); err != nil {
		return err
	}
	return out.Error()
}

// LaTeX writes the table for the package booktabs.
func (t Table) LaTeX(w io.Writer) error {
	line := func(cells []string) string {
		out := make([]string, len(cells))
		for i, c := range cells {
			out[i] = escape.Replace(strings.Join(strings.Fields(c), " "))
		}
		return strings.Join(out, " & ") + ` \\`
	}
	var b strings.Builder
	columns := "l" + strings.Repeat("r", len(t.Columns)-1)
	if last := t.Columns[len(t.Columns)-1]; last == "description" {
		columns = columns[:len(columns)-1] + `p{0.4\textwidth}`
	}
	fmt.Fprintf(&b, "\\begin{table}\n\\caption{%s}\n\\begin{tabular}{%s}\n\\toprule\n%s\n\\midrule\n",
		escape.Replace(t.Caption), columns, line(t.Columns))
	for _, r := range t.Rows {
		b.WriteString(line(r) + "\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// escape writes text as LaTeX.
var escape = strings.NewReplacer(
	`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "\u00a0", "~", "–", "--", "’", "'", "±", `$\pm$`, "−", "$-$",
	"τ", `$\tau$`, "≤", `$\le$`, "≥", `$\ge$`, "×", `$\times$`, "²", `$^2$`, "·", `$\cdot$`,
)
