package main

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// weightRows adds a row for each weight to a table: name, value, range and what its comment says.
func weightRows(table *terminal.Table, first []string, ws []compile.Weight) {
	for _, w := range ws {
		cells := append(first[:len(first):len(first)], w.Name, fmt.Sprint(w.Value),
			fmt.Sprintf("[%g, %g]", w.Min, w.Max), w.Says)
		table.Row(cells...)
	}
}

// printWeights prints the weights of a bank's programs, nothing where there are none.
func printWeights(w io.Writer, b *bank.Bank, weights map[string][]compile.Weight) {
	if len(weights) == 0 {
		return
	}
	var table terminal.Table
	table.Row("program", "weight", "value", "range", "")
	for _, h := range b.Heuristics {
		weightRows(&table, []string{h.Name}, weights[h.Name])
	}
	table.Fprint(w)
	fmt.Fprintln(w)
}

// weightedHeuristic is a heuristic with its weights, its formula and its nature, for JSON.
type weightedHeuristic struct {
	bank.Heuristic
	Weights []compile.Weight `json:"weights,omitempty"`
	Formula string           `json:"formula,omitempty"`
	Nature  bank.Nature      `json:"nature"`
}

// bankJSON writes a bank as JSON: as it is stored, each program with its weights, its formula and its nature, and the
// router that goes with it.
func bankJSON(
	w io.Writer, b *bank.Bank, weights map[string][]compile.Weight, natures map[string]bank.Nature,
	formulas map[string]string, router shownRouter,
) error {
	out := struct {
		bank.Setting
		Teacher    string              `json:"teacher,omitempty"`
		Heuristics []weightedHeuristic `json:"heuristics"`
		shownRouter
	}{Setting: b.Setting, Teacher: b.Teacher, shownRouter: router}
	for _, h := range b.Heuristics {
		with := weightedHeuristic{h, weights[h.Name], formulas[h.Name], natures[h.Name]}
		out.Heuristics = append(out.Heuristics, with)
	}
	return printJSON(w, out)
}
