package preflight

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

// TestArgsWords: the dry run says how it is known what an attention model solves.
func TestArgsWords(t *testing.T) {
	for _, c := range []struct {
		name     string
		withArgs bool
		nodes    int
		want     string
	}{
		{"cvrp_20", true, 20, "trained for CVRP on 20 nodes, as its args.json says"},
		{"cvrp_20", false, 20, "no args.json beside it"},
		{"tsp_50", true, 50, "trained for TSP on 50 nodes, as its args.json says"},
		{"tsp_50", true, 20, "trained for TSP on 50 nodes, as its args.json says, and the run's instances have 20"},
		{"tsp_50", false, 20, ""},
	} {
		dir := testdata.Shared(t, "teachers/am/"+c.name)
		if !c.withArgs {
			from := dir
			dir = t.TempDir()
			if err := os.Symlink(filepath.Join(from, "epoch-99.pt"), filepath.Join(dir, "epoch-99.pt")); err != nil {
				t.Fatal(err)
			}
		}
		file, err := teacher.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		in := &input.Checked{}
		if in.Teacher, in.TeacherArgs, err = file.Teacher(file.Label()); err != nil {
			t.Fatal(err)
		}
		got := argsWords(in, c.nodes)
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) ||
			strings.Contains(got, "the run's") != strings.Contains(c.want, "the run's") {
			t.Errorf("%s, args.json: %v: %q, want %q", c.name, c.withArgs, got, c.want)
		}
	}
}
