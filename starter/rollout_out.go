package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
)

// writeShard writes a shard, compressed if the name ends in .zst, and describes its content.
func writeShard(w *rollout.Writer, path, what string, stdout io.Writer) error {
	w.Note("epb_version", version.Commit())
	length, err := regular.WriteFile(path, func(file io.Writer) error {
		return w.Finish(file,
			strings.HasSuffix(path, ".zst"))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s, %.1f MB\n", path, what, float64(length)/1e6)
	return nil
}

func describe(s rollout.Size, problem routing.Problem, nodes int, teacher string) string {
	return fmt.Sprintf("%d %s instances of %d nodes, %d tours, %d states by %s", s.Instances, problem, nodes,
		s.Trajectories, s.States, terminal.Line(teacher))
}

// checkOut refuses an existing file, unless force is set, a folder that does not exist, and the name that epb solve has
// for standard output.
func checkOut(path string, force bool) error {
	if err := checkNamed(path); err != nil {
		return err
	}
	if err := checkParent(path); err != nil {
		return err
	}
	return checkFree(path, force)
}

// checkNamed refuses the name that epb solve has for standard output.
func checkNamed(path string) error {
	if path == standard {
		return fmt.Errorf("--out %s: want the name of a file, standard output is not written to", path)
	}
	return nil
}

// checkParent refuses a value of --out in a folder that does not exist.
func checkParent(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("--out %s: the folder %s does not exist", path, filepath.Dir(path))
	}
	return nil
}

// checkFree refuses an existing file, unless force is set.
func checkFree(path string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--out %s: not a regular file", path)
	case !force:
		return fmt.Errorf("--out %s exists: choose another name, or overwrite it with --force", path)
	}
	return nil
}

// checkNew refuses a folder that exists, named by a flag.
func checkNew(flag, dir string) error {
	switch _, err := os.Lstat(dir); {
	case err == nil:
		return fmt.Errorf("%s %s exists: name a new folder", flag, dir)
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// same reports whether two paths lead to one file that is there.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
