package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testset"
)

// evalInput is the input that the flags name, read and checked.
type evalInput struct {
	modes   []evaluate.Mode // the last is the one to show
	teacher teacher.Teacher
	sets    []testset.Set
	student *distilled.Files // nil without one
}

// trained is the student's own metadata; nil without a student.
func (in evalInput) trained() *distilled.Manifest {
	if in.student == nil {
		return nil
	}
	return &in.student.Manifest
}

func (in evalInput) mode() evaluate.Mode { return in.modes[len(in.modes)-1] }

// readEvalInput reads the input and refuses faults before anything is computed.
func readEvalInput(ctx context.Context, f evalFlags, stderr io.Writer) (in evalInput, err error) {
	var mode evaluate.Mode
	if err := mode.UnmarshalText([]byte(f.decode)); err != nil {
		return in, fmt.Errorf("--decode: %w", err)
	}
	switch {
	case f.table != "" && f.table != "paper":
		return in, fmt.Errorf("--table %s: want paper", f.table)
	case f.timeLimit < 0:
		return in, fmt.Errorf("--time-limit %s: want a positive time, or 0 for none", f.timeLimit)
	case f.timeLimit > 0 && mode == evaluate.Greedy && f.table == "":
		return in, errors.New("--time-limit bounds a search, and --decode greedy is none: name another, such as aug8")
	case f.noPrograms && f.student == "":
		return in, errors.New("--no-programs leaves a student's programs out: name one by --student")
	case f.maxNodes < 0:
		return in, fmt.Errorf("--max-nodes %d: want a number of nodes, or 0", f.maxNodes)
	}
	if in.teacher, err = input.LoadTeacher(f.teacher); err != nil {
		return in, err
	}
	if in.sets, err = readSets(stderr, f.instances, func(path string) (testset.Set, error) {
		return readSet(in.teacher, path, f.capacity, f.limit, f.maxNodes)
	}); err != nil {
		return in, err
	}
	in.modes = []evaluate.Mode{mode}
	if f.table == "paper" {
		if mode == evaluate.Greedy {
			mode = paper.Search(in.teacher.Info().Arch)
		}
		in.modes = []evaluate.Mode{evaluate.Greedy, mode}
	}
	if f.student == "" {
		return in, nil
	}
	files, err := locate.Of(f.student).Student(ctx)
	if err != nil {
		return in, fmt.Errorf("--student %s: %w", f.student, err)
	}
	if want, got := in.teacher.Info().Problem, files.Manifest.Problem; got != want {
		return in, fmt.Errorf("--student %s: it solves %s, and --teacher %s solves %s", f.student, got,
			in.teacher.Name(), want)
	}
	in.student = &files
	return in, nil
}
