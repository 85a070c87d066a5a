package activities

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// A worker on another machine, which never built a program, finds it in the store, and needs no compiler for it.
func TestProgramsAreShared(t *testing.T) {
	b := newBench(t)
	elsewhere, err := compile.Find()
	if err != nil {
		t.Fatal(err)
	}
	h, err := bank.New("near", near, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	b.Compiler.Cache, elsewhere.Cache = t.TempDir(), t.TempDir()
	b.Compiler.Shared, elsewhere.Shared = ProgramCache(b.Store), ProgramCache(b.Store)
	elsewhere.TinyGo = "/nowhere/tinygo"
	other := New(b.Store, nil, elsewhere, nil, 1<<20)
	if _, _, err := other.program(t.Context(), h); err == nil {
		t.Fatal("a program came from nowhere")
	}
	built, giveBack, err := b.program(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	found, giveBack, err := other.program(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	if built.hash != found.hash {
		t.Errorf("built %s, found %s", built.hash, found.hash)
	}
}
