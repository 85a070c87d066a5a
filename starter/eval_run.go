package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

// evaluatePolicies runs epb eval.
func evaluatePolicies(ctx context.Context, f evalFlags, stdout, stderr io.Writer) error {
	in, err := readEvalInput(ctx, f, stderr)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	var built *evaluate.Student
	if in.student != nil {
		if built, err = buildStudent(ctx, f.student, *in.student, screen); err != nil {
			return err
		}
		defer built.Programs.Close()
	}
	var results []testset.Result
	for i, set := range in.sets {
		r, err := testset.Compare(ctx, set, in.teacher, built, f.options(in.modes, set, screen))
		if err != nil {
			return fmt.Errorf("--instances %s: %w", set.Path, err)
		}
		screen.Clear()
		if f.table == "paper" && !f.json {
			results = append(results, r)
			continue
		}
		if f.json {
			for _, mode := range in.modes {
				out, err := r.Outcome(mode, in.teacher.Info(), in.trained(), f.seed)
				if err == nil {
					err = json.NewEncoder(stdout).Encode(out)
				}
				if err != nil {
					return err
				}
			}
			continue
		}
		out, err := r.Outcome(in.mode(), in.teacher.Info(), in.trained(), f.seed)
		if err != nil {
			return err
		}
		if len(in.sets) > 1 {
			textreport.Heading(stdout, i == 0, set.Path)
		}
		if err := printText(stdout, func(w io.Writer) { textreport.Outcome(w, out, r.Comparison.Table) }); err != nil {
			return err
		}
	}
	if len(results) > 0 {
		return textreport.Paper(stdout, textreport.Evaluation{
			Teacher: in.teacher, Student: in.trained(), Modes: in.modes, Seed: f.seed, Baselines: f.baselines,
			Results: results,
		})
	}
	return nil
}

// options returns the options that the flags set. Progress is shown on the screen.
func (f evalFlags) options(modes []evaluate.Mode, set testset.Set, screen *terminal.Screen) testset.Options {
	name := filepath.Base(set.Path)
	return testset.Options{
		Modes: modes, Programs: !f.noPrograms, Baselines: f.baselines, Seed: f.seed, Limit: f.timeLimit,
		Recorded: func(done int) {
			screen.Status("%s: recording the teacher: %d of %d instances", name, done, len(set.Instances))
		},
		Progress: func(policy string, mode evaluate.Mode, done, total int) {
			screen.Status("%s: %s, %s: %d of %d instances", name, policy, mode.Words(), done, total)
		},
	}
}
