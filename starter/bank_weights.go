package main

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// weightRows adds a row for each weight to a table: name, value, range and what its comment says.
func weightRows(table *terminal.Table, first []string, ws []heuristic.Weight) {
	for _, w := range ws {
		cells := append(first[:len(first):len(first)], w.Name, fmt.Sprint(w.Value),
			fmt.Sprintf("[%g, %g]", w.Min, w.Max), w.Says)
		table.Row(cells...)
	}
}

// printWeights prints the weights of a bank's programs, nothing where there are none.
func printWeights(w io.Writer, b *bank.Bank, weights map[string][]heuristic.Weight) {
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
