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
		want     string
	}{
		{"cvrp_20", true, "trained for CVRP on 20 nodes, as its args.json says"},
		{"cvrp_20", false, "no args.json beside it"},
		{"tsp_50", true, "trained for TSP on 50 nodes"},
		{"tsp_50", false, ""},
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
		if got := argsWords(in); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, args.json: %v: %q, want %q", c.name, c.withArgs, got, c.want)
		}
	}
}
