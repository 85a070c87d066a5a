package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testset"
)

// readTask reads what epb rollout and bank check work on: the teacher that --teacher names and, from --instances, the
// first limit instances (0: all), which are of the teacher's problem.
func readTask(checkpoint, set string, capacity int32, limit int) (
	t teacher.Teacher, insts []routing.Instance, err error,
) {
	if t, err = input.LoadTeacher(checkpoint); err != nil {
		return t, nil, err
	}
	files, err := readSet(t, set, capacity, limit, 0)
	return t, files.Instances, err
}

// readSet reads the first limit instances (0: all) of a file, of those of at most so many nodes (0: of any size), for a
// teacher.
func readSet(t teacher.Teacher, path string, capacity int32, limit, nodes int) (testset.Set, error) {
	if limit < 0 {
		return testset.Set{}, fmt.Errorf("--limit %d: want a number of instances, or 0 for all", limit)
	}
	all, err := instances.Read(path, capacity)
	if err != nil {
		return testset.Set{}, err
	}
	set, err := testset.New(testset.SolverOf(t), path, all, limit, nodes)
	if err != nil {
		return set, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

// readSets reads several files of instances. A file without an instance that is small enough is left out, which the
// reader of w is told, unless no other is left.
func readSets(
	w io.Writer, paths []string, read func(path string) (testset.Set, error),
) (sets []testset.Set, err error) {
	var large []error
	for _, path := range paths {
		set, err := read(path)
		switch {
		case errors.Is(err, testset.ErrLarge):
			large = append(large, err)
		case err != nil:
			return nil, err
		default:
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		return nil, errors.Join(large...)
	}
	for _, err := range large {
		fmt.Fprintf(w, "Left out: %v.\n", err)
	}
	return sets, nil
}

// readShard reads the recorded states that --shard names.
func readShard(ctx context.Context, name string) (*rollout.Shard, error) {
	stored, err := locate.Of(name).States(ctx)
	if err != nil {
		return nil, fmt.Errorf("--shard: %w", err)
	}
	var parts []*rollout.Shard
	for _, data := range stored {
		sh, err := rollout.Unmarshal(data)
		if err == nil {
			err = sh.Validate()
		}
		if err != nil {
			return nil, fmt.Errorf("--shard %s: %w", name, err)
		}
		parts = append(parts, sh)
	}
	sh, err := rollout.Concat(parts...)
	if err != nil {
		return nil, fmt.Errorf("--shard %s: %w", name, err)
	}
	return sh, nil
}

// mostInstances is how many instances a command draws at most where it keeps every decision on them in memory.
const mostInstances = 100_000

// checkCount refuses a value of a flag that says how many instances to draw.
func checkCount(flag string, count, least, most int) error {
	if count < least || count > most {
		return fmt.Errorf("--%s %d: want %d to %d instances", flag, count, least, most)
	}
	return nil
}

// nodesFor returns the nodes of the instances that a teacher is to solve, a depot not counted: those of --nodes, or if
// that is 0 those that the teacher was trained on, or 20 if that is not known. The reader of w is told if --nodes names
// another size than that of the training.
func nodesFor(t teacher.Teacher, nodes int, w io.Writer) int {
	trained := t.TrainedNodes()
	if nodes != 0 && trained != 0 && nodes != trained {
		fmt.Fprintf(w, "%s was trained on %d nodes, as its args.json says, and --nodes is %d.\n", t.Name(), trained,
			nodes)
	}
	return cmp.Or(nodes, trained, 20)
}

// nodesUsage is the usage of --nodes where nodesFor reads it.
const nodesUsage = "nodes of an instance, a depot not counted (default: as the teacher was trained, by its " +
	"args.json, else 20)"

// checkNodes refuses a value of --nodes that a problem has no instances of; a depot is not counted.
func checkNodes(p routing.Definition, nodes int) error {
	least, most := p.Traits().LeastNodes-p.Traits().Depots(), routing.MaxNodes-p.Traits().Depots()
	if nodes < least || nodes > most {
		return fmt.Errorf("--nodes %d: want %d to %d", nodes, least, most)
	}
	return nil
}
