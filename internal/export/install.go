package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/solver"
)

// ProgramBytes returns the size of the program, with the module behind it.
func (f Folder) ProgramBytes() int { return len(solver.Append(f.Program, f.Wasm)) }

// Install writes the folder under a new name, which it gets once its program has solved a sample as wanted. times are
// the milliseconds that the program took for each instance. They are nil if the program is foreign, for another
// machine, and cannot run on this one. The error says which solution differs, or what cannot be written.
func (f Folder) Install(
	ctx context.Context, name string, sample []routing.Instance, want [][]int32, foreign bool,
) (times []float64, err error) {
	parent := filepath.Dir(filepath.Clean(name))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, ".solver-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := f.Write(dir); err != nil {
		return nil, err
	}
	times, err = compareProgram(ctx, filepath.Join(dir, Name), sample, want)
	if err != nil && !(foreign && errors.Is(err, syscall.ENOEXEC)) {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	return times, os.Rename(dir, name)
}

// compareProgram lets an exported program solve instances, and returns how many milliseconds each took.
func compareProgram(
	ctx context.Context, program string, sample []routing.Instance, want [][]int32,
) (times []float64, err error) {
	for from := 0; from < len(sample); {
		to := from + 1
		for to < len(sample) && sample[to].N() == sample[from].N() { // a file holds instances of one size
			to++
		}
		all, err := run(ctx, program, sample[from:to])
		if err != nil {
			return nil, fmt.Errorf("the program does not run on this machine: %w", err)
		}
		for i, got := range all {
			if !slices.Equal(got.Actions, want[from+i]) {
				return nil, fmt.Errorf("the program's solution of %s is not the student's: %v and %v",
					sample[from+i].Name, got.Actions, want[from+i])
			}
			times = append(times, got.Milliseconds)
		}
		from = to
	}
	return times, nil
}
