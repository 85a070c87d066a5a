package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// instancesFile writes uniform instances of 6 nodes.
func instancesFile(t *testing.T, count int) string {
	t.Helper()
	return writeInstances(t, tsp.Generate(6, count, 1))
}

// writeInstances writes an npz file.
func writeInstances(t *testing.T, insts []routing.Instance) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "set.npz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(instances.WriteNPZ(file, insts), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRolloutCommand(t *testing.T) {
	set := instancesFile(t, 4)
	for _, c := range []struct {
		out, starts string
		limit       int
		tours       int
	}{
		{"a.safetensors", "own", 0, 4},
		{"b.safetensors.zst", "all", 2, 12},
		{"c.safetensors", "3", 99, 12},
	} {
		f := rolloutFlags{teacher: config.BuiltinTeacher, instances: set, out: filepath.Join(t.TempDir(), c.out),
			starts: c.starts, limit: c.limit}
		var stdout, stderr bytes.Buffer
		if err := recordRollout(context.Background(), f, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(f.out)
		if err != nil {
			t.Fatal(err)
		}
		sh, err := rollout.Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if sh.Trajectories() != c.tours || sh.States() != 4*c.tours {
			t.Errorf("--starts %s: %d tours, %d states, want %d tours", c.starts, sh.Trajectories(), sh.States(),
				c.tours)
		}
		if err := recordRollout(context.Background(), f, &stdout, &stderr); err == nil ||
			!strings.Contains(err.Error(), "--force") {
			t.Errorf("a second run onto %s: %v", c.out, err)
		}
		f.force = true
		if err := recordRollout(context.Background(), f, &stdout, &stderr); err != nil {
			t.Errorf("with --force: %v", err)
		}
	}
}

func TestRolloutCommandRefuses(t *testing.T) {
	set := instancesFile(t, 4)
	dir := t.TempDir()
	good := rolloutFlags{teacher: config.BuiltinTeacher, instances: set, out: filepath.Join(dir, "x.safetensors"),
		starts: "own"}
	for want, spoil := range map[string]func(f *rolloutFlags){
		"--starts 7: want own, all, or a number of start nodes from 1 to 6": func(f *rolloutFlags) { f.starts = "7" },
		"--starts some":          func(f *rolloutFlags) { f.starts = "some" },
		"--limit -1":             func(f *rolloutFlags) { f.limit = -1 },
		"--out -: want the name": func(f *rolloutFlags) { f.out = "-" },
		"does not exist":         func(f *rolloutFlags) { f.out = filepath.Join(dir, "absent", "x") },
		"not a regular file":     func(f *rolloutFlags) { f.out = dir },
		"no such file":           func(f *rolloutFlags) { f.teacher = filepath.Join(dir, "absent.pt") },
		"neither a PyTorch":      func(f *rolloutFlags) { f.teacher = "rollout.go" },
		"rollout.go: line 1: no": func(f *rolloutFlags) { f.instances = "rollout.go" },
		"teacher builtin:pomo-tsp21: no such built-in teacher: there are " +
			config.BuiltinTeacher: func(f *rolloutFlags) { f.teacher = "builtin:pomo-tsp21" },
	} {
		f := good
		spoil(&f)
		if err := recordRollout(context.Background(), f, &bytes.Buffer{}, &bytes.Buffer{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("refused commands left %v behind", left)
	}
}
