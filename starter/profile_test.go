package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// profile runs epb profile and returns what it prints.
func profile(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := root()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SetArgs(append([]string{"profile"}, args...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

// The profile of a teacher is that of its recorded rollouts on the same instances.
func TestProfileCommand(t *testing.T) {
	set := instancesFile(t, 8) // the instances of --nodes 6 --count 8 --seed 1
	shard := filepath.Join(t.TempDir(), "shard.safetensors")
	f := rolloutFlags{teacher: config.BuiltinTeacher, instances: set, out: shard, starts: "own"}
	if err := recordRollout(t.Context(), f, &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	var profiles [2]habits.Profile
	for i, args := range [][]string{
		{"--teacher", config.BuiltinTeacher, "--nodes", "6", "--count", "8", "--json"},
		{"--shard", shard, "--json"},
	} {
		out, err := profile(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &profiles[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(profiles[0], profiles[1]) || profiles[0].Solutions != 8 {
		t.Errorf("of the teacher %+v, of its rollouts %+v", profiles[0], profiles[1])
	}
}

// Without --nodes, instances have the size that the teacher was trained on. Another size is told.
func TestTrainedNodes(t *testing.T) {
	compiletest.Toolchain(t)
	am := testdata.Shared(t, "teachers/am/tsp_50")
	const mismatch = "am-tsp:tsp_50 was trained on 50 nodes, as its args.json says, and --nodes is 8.\n"
	sketch := []string{"sketch", "--train", "5", "--test", "2", "--programs", "2", "--terms", "1", "--products", "5",
		"--no-rankers", "--no-programs"}
	for _, c := range []struct {
		args        []string
		out, stderr string
	}{
		{[]string{"profile", "--count", "2", "--teacher", am}, "tsp of 50 nodes", ""},
		{[]string{"profile", "--count", "2", "--teacher", am, "--nodes", "8"}, "tsp of 8 nodes", mismatch},
		{[]string{"profile", "--count", "2", "--teacher", config.BuiltinTeacher}, "tsp of 20 nodes", ""},
		{append(sketch, "--teacher", am), "2 instances of 50 nodes", ""},
		{append(sketch, "--teacher", am, "--nodes", "8"), "2 instances of 8 nodes", mismatch},
	} {
		out, stderr, err := command(t, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, c.out) || !strings.HasPrefix(stderr, c.stderr) ||
			c.stderr == "" && strings.Contains(stderr, "trained") {
			t.Errorf("epb %v: want %q, and %q in\n%s%s", c.args, c.out, c.stderr, out, stderr)
		}
	}
}

func TestProfileRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "want --teacher or --shard"},
		{[]string{"--teacher", config.BuiltinTeacher, "--nodes", "2"}, "--nodes 2: want 3 to 1024"},
		{[]string{"--teacher", config.BuiltinTeacher, "--count", "0"}, "--count 0: want 1 to 100000 instances"},
		{[]string{"--teacher", config.BuiltinTeacher, "--gap", "-1"}, "--gap -1: want a number of solutions, or 0"},
		{[]string{"--shard", "x", "--gap", "-1"}, "--gap -1"},
		{[]string{"--shard", "x", "--seed", "2"}, "--shard and --seed exclude each other"},
	} {
		if _, err := profile(t, tt.args...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}
