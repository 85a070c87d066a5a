package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/epb-nco/epb/internal/bankcheck"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
)

// printCheck prints a judgement and, with --against, what changed.
func printCheck(w io.Writer, r bankcheck.Report) {
	fmt.Fprintf(w, "%s\n\n", r.States)
	var table terminal.Table
	table.Row("program", "top-1", "KL, nats", "only it", "without it, nats", "τ_h", "class", "cost", "lines", "nodes",
		"a step")
	for _, p := range r.Programs() {
		n := r.Natures[p.Name] // empty for a program that only the old bank has
		table.Row(p.Name, decimal.Percent(p.Top1), fmt.Sprintf("%.3f", p.KL), fmt.Sprint(p.Unique),
			decimal.Signed(p.Without, 4), fmt.Sprintf("%.3g", p.TauH), string(n.Class), n.Cost,
			blankZero("%d", n.Lines), blankZero("%d", n.Nodes), blankZero("%.0f µs", 1e6*r.StepSeconds[p.Name]),
			strings.Join(p.Notes, "; "))
	}
	table.Fprint(w)
	fmt.Fprintln(w)
	printTotals(w, r)
}

// blankZero formats a number, and leaves out what is not known.
func blankZero[T int | float64](format string, v T) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

func printTotals(w io.Writer, r bankcheck.Report) {
	mixture := "mixed evenly"
	if r.Now.Routed {
		mixture = "mixed by the router"
	}
	var table terminal.Table
	share := func(name string, of func(evaluate.Judgement) float64) {
		cells := []string{name, fmt.Sprintf("%.2f %%", 100*of(*r.Now))}
		if r.Was != nil {
			cells = append(cells, fmt.Sprintf("was %.2f %%", 100*of(*r.Was)),
				decimal.Signed(100*(of(*r.Now)-of(*r.Was)), 2)+" points")
		}
		table.Row(cells...)
	}
	share("coverage", func(j evaluate.Judgement) float64 { return j.Coverage })
	share("top-1, "+mixture, func(j evaluate.Judgement) float64 { return j.Top1 })
	cells := []string{"loss, " + mixture, fmt.Sprintf("%.4f nats", r.Now.Loss)}
	if r.Was != nil {
		cells = append(cells, fmt.Sprintf("was %.4f nats", r.Was.Loss),
			decimal.Signed(r.Now.Loss-r.Was.Loss, 4)+" nats")
	}
	table.Row(cells...)
	table.Fprint(w)
}
