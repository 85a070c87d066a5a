package heuristic_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

const even = `package router

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const share = 0.5

// Weights trusts both programs in the same way.
func Weights(s *tsp.State, proposals [][]float32, weights []float32) {
	weights[0], weights[1] = share, share
}
`

// A router passes the gate that programs pass, with Weights in the place of Score, and has no weights to learn.
func TestCheckRouter(t *testing.T) {
	c, err := heuristic.CheckRouter(even)
	if err != nil {
		t.Fatal(err)
	}
	if c.SDK != "tsp" || len(c.Weights()) != 0 || c.Structure() != even {
		t.Errorf("SDK %q, weights %v, structure %q", c.SDK, c.Weights(), c.Structure())
	}
	for _, tt := range []struct{ old, new, want string }{
		{"const share = 0.5", "var share float32", "package variables are not allowed"},
		{"func Weights", "func Score", "there is no Weights: write func Weights(s *tsp.State, proposals"},
		{"proposals [][]float32", "proposals []float32", "Weights has another signature"},
		{"// Weights trusts both programs in the same way.\n", "", "which programs it trusts and when"},
		{"weights[0], weights[1]", "s.Step = 3\n\tweights[0], weights[1]", "belongs to the State"},
		{"import \"", "import \"os\"\nimport \"", "\"os\" is not allowed"},
	} {
		_, err := heuristic.CheckRouter(strings.Replace(even, tt.old, tt.new, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.new, err, tt.want)
		}
	}
	if _, err := heuristic.Check(even); err == nil || !strings.Contains(err.Error(), "there is no Score") {
		t.Errorf("a router as a program: error %v", err)
	}
}
