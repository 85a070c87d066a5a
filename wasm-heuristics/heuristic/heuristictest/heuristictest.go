// Package heuristictest makes and checks small programs for tests.
package heuristictest

import (
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Weighed returns a program with these constants at the top, and this body of its Score.
func Weighed(top, body string) string {
	return `package weighed

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

` + top + `

// Score prefers whatever the case says.
func Score(s *tsp.State, score []float32) {
` + body + `
}
`
}

// MustCheck returns a program that passes the gate.
func MustCheck(t testing.TB, src string) heuristic.Checked {
	t.Helper()
	c, err := heuristic.Check(src)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return c
}
