package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// readStudent reads an exported student from a folder, or from the store where no folder has that name.
func readStudent(ctx context.Context, name string) (evaluate.StudentFiles, error) {
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		return evaluate.ReadStudent(name)
	}
	if strings.HasPrefix(name, builtinBank) {
		return evaluate.StudentFiles{}, errors.New("that is no student: epb sketch and epb report write folders of " +
			"students")
	}
	r, err := findResult(ctx, []string{name})
	if err != nil {
		return evaluate.StudentFiles{}, fmt.Errorf("there is no such folder of a student (epb sketch and epb report "+
			"write them), and no run is found: %w", err)
	}
	dir, err := os.MkdirTemp("", "epb-student-*")
	if err != nil {
		return evaluate.StudentFiles{}, err
	}
	defer os.RemoveAll(dir)
	if _, err := r.Save(ctx, dir); err != nil {
		return evaluate.StudentFiles{}, err
	}
	return evaluate.ReadStudent(dir)
}

// buildStudent compiles the programs of a student, which the user called name. Close its programs after use.
func buildStudent(ctx context.Context, name string, files evaluate.StudentFiles, screen *terminal.Screen) (
	*evaluate.Student, error) {
	tools, err := compile.Find()
	if err != nil {
		return nil, err
	}
	s, err := files.Build(ctx, tools, func(program string) { screen.Status("compiling %s", program) })
	if err != nil {
		return nil, fmt.Errorf("student %s: %w", name, err)
	}
	screen.Clear()
	return s, nil
}
