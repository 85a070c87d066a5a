package compile

import (
	"fmt"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// weightReads returns the edits that make a program read its weights from the block of the guest.
func weightReads(c heuristic.Checked) (reads source.Edits) {
	for i, w := range c.Occurrences() {
		for _, use := range w.Uses {
			name := readSingle
			if use.Double {
				name = readDouble
			}
			reads = append(reads, c.Unit.Replace(use.Ident, fmt.Sprintf("%s(%d)", name, i)))
		}
	}
	return reads
}

// The functions that read a weight.
const (
	readSingle = heuristic.Reserved + "Weight"
	readDouble = heuristic.Reserved + "Weight64"
)

// weightsFile returns the source of the file that defines epbWeight and epbWeight64 in package name.
func weightsFile(name string) string {
	weights := heuristic.Reserved + "Weights"
	return fmt.Sprintf("package %s\n\nimport %s %q\n\n"+
		"func %s(i int) float32 { return %s.Single[i] }\n\nfunc %s(i int) float64 { return %s.Double[i] }\n",
		name, weights, module+"/guest/weights", readSingle, weights, readDouble, weights)
}

// weightCount returns the source of a file of the guest that says how many weights the program has.
func weightCount(n int) string {
	return fmt.Sprintf("package main\n\nimport %q\n\nfunc init() { weights.Count = %d }\n", module+"/guest/weights", n)
}
