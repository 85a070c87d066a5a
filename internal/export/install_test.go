package export_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/student"
)

// A folder gets its name once its program has solved the sample as the student does. A program of another machine need
// not run, and one that runs must do so as any other.
func TestInstall(t *testing.T) {
	files := made(t, "tsp-local", 2, 4, student.Soft)
	files.Manifest.Nodes = 3
	sample := tsp.Generate(3, 2, 1)
	want := [][]int32{{0, 1, 2}, {0, 2, 1}}
	const (
		first  = `{"milliseconds":1.5,"actions":[0,1,2]}`
		right  = "#!/bin/sh\necho '" + first + "\n{\"milliseconds\":2,\"actions\":[0,2,1]}'\nexit 0\n"
		wrong  = "#!/bin/sh\necho '" + first + "\n" + first + "'\nexit 0\n"
		silent = "#!/bin/sh\necho '" + first + "'\nexit 0\n"
		broken = "#!/bin/sh\necho out of order >&2\nexit 1\n"
		other  = "\x7fELF of another machine"
	)
	for name, c := range map[string]struct {
		program string
		foreign bool
		want    string // in the error
		times   []float64
	}{
		"right":            {right, false, "", []float64{1.5, 2}},
		"right as foreign": {right, true, "", []float64{1.5, 2}},
		"wrong":            {wrong, false, "is not the student's: [0 1 2] and [0 2 1]", nil},
		"wrong as foreign": {wrong, true, "is not the student's", nil},
		"silent":           {silent, false, "what it printed: EOF", nil},
		"broken":           {broken, true, "does not run on this machine: exit status 1: out of order", nil},
		"other":            {other, false, "does not run on this machine", nil},
		"other as foreign": {other, true, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			parent := filepath.Join(t.TempDir(), "new")
			dir := filepath.Join(parent, "solver")
			f := export.Folder{Student: files, Wasm: []byte("module"), Program: []byte(c.program)}
			times, err := f.Install(t.Context(), dir, sample, want, c.foreign)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if !slices.Equal(times, c.times) {
				t.Errorf("took %v, want %v", times, c.times)
			}
			info, err := os.Stat(filepath.Join(dir, export.Name))
			if c.want == "" && (err != nil || int(info.Size()) != f.ProgramBytes()) {
				t.Errorf("the program has not %d bytes: %v", f.ProgramBytes(), err)
			}
			if c.want == "" {
				return
			}
			if left, _ := os.ReadDir(parent); len(left) > 0 || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a refused export left %v", left)
			}
		})
	}
}
