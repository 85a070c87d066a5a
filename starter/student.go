package main

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// buildStudent compiles the programs of a student, which the user called name. Close its programs after use.
func buildStudent(ctx context.Context, name string, files distilled.Files, screen *terminal.Screen) (
	*evaluate.Student, error) {
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	s, err := files.Build(ctx, tools, compiling(screen))
	if err != nil {
		return nil, fmt.Errorf("student %s: %w", name, err)
	}
	screen.Clear()
	return s, nil
}

// sameStudent reports whether two names stand for one student: for one run, or for one folder.
func sameStudent(a, b string) bool { return locate.Of(a).ID() == locate.Of(b).ID() || same(a, b) }
