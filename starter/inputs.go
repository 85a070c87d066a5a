package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
)

// readTask reads what epb rollout works on: the teacher that --teacher names and, from --instances, the first limit
// instances (0: all), which are of the teacher's problem.
func readTask(checkpoint, set string, limit int) (t teacher.Teacher, insts []routing.Instance, err error) {
	if t, err = loadTeacher(checkpoint); err != nil {
		return t, nil, err
	}
	files, err := readSet(t, set, limit, routing.MaxNodes+1)
	return t, instances.Instances(files), err
}

// readSet reads the first limit instances (0: all) of a file for a teacher. Those of more than most nodes are left out.
func readSet(t teacher.Teacher, set string, limit, most int) (files []instances.File, err error) {
	if limit < 0 {
		return nil, fmt.Errorf("--limit %d: want a number of instances, or 0 for all", limit)
	}
	all, err := instances.Read(set)
	if err != nil {
		return nil, err
	}
	if want, got := t.Info().Problem, all[0].Instance.Problem; got != want {
		return nil, fmt.Errorf("--instances %s: these are %s instances, and %s solves %s", set, got, t.Name(), want)
	}
	for i := range all {
		if all[i].Instance.N() <= most || most > routing.MaxNodes {
			files = append(files, all[i])
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--instances %s: all of its %d instances have more than %d nodes", set, len(all), most)
	}
	if limit > 0 {
		files = files[:min(limit, len(files))]
	}
	for i := range files {
		if err := problems.Validate(&files[i].Instance); err != nil {
			return nil, fmt.Errorf("--instances %s: %w", set, err)
		}
	}
	return files, nil
}

// readShard reads recorded states: a file of epb rollout, or the first validation shard of the run of run:ID.
func readShard(ctx context.Context, name string) (*rollout.Shard, error) {
	var data []byte
	var err error
	if id, ok := strings.CutPrefix(name, runBank); ok {
		data, err = runShard(ctx, id)
	} else {
		data, err = regular.ReadInput(name)
	}
	if err != nil {
		return nil, fmt.Errorf("--shard: %w", err)
	}
	sh, err := rollout.Unmarshal(data)
	if err == nil {
		err = sh.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("--shard %s: %w", name, err)
	}
	return sh, nil
}

// runShard returns the first validation shard of a finished run.
func runShard(ctx context.Context, id string) ([]byte, error) {
	r, err := findResult(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	return r.ValidationShard(ctx)
}

// loadTeacher loads the checkpoint at path, or the teacher that ships with EPB.
func loadTeacher(path string) (teacher.Teacher, error) {
	if strings.HasPrefix(path, builtinBank) {
		file, checkpoint, err := input.BuiltinTeacher(path)
		if err != nil {
			return teacher.Teacher{}, fmt.Errorf("--teacher %s: %w", path, err)
		}
		return teacher.Parse(file, checkpoint)
	}
	return teacher.Load(path)
}
