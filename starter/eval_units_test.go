package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/internal/textreport"
)

// ownFile writes a TSPLIB file of six cities on a circle. With a matrix, neighbours there are far from each other, and
// i and i+2 near.
func ownFile(t *testing.T, name, metric string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "NAME : %s\nTYPE : TSP\nDIMENSION : 6\nEDGE_WEIGHT_TYPE : %s\n", name, metric)
	section := "NODE_COORD_SECTION"
	if metric == "EXPLICIT" {
		b.WriteString("EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n")
		for i := range 6 {
			for j := range 6 {
				weight := 100
				switch d := (i - j + 6) % 6; d {
				case 0:
					weight = 0
				case 2, 4:
					weight = 1
				}
				fmt.Fprintf(&b, "%d ", weight)
			}
			b.WriteByte('\n')
		}
		section = "DISPLAY_DATA_SECTION"
	}
	b.WriteString(section + "\n")
	for i := range 6 {
		angle := float64(i) * math.Pi / 3
		fmt.Fprintf(&b, "%d %.4f %.4f\n", i+1, 40+30*math.Cos(angle), 40+30*math.Sin(angle))
	}
	b.WriteString("EOF\n")
	path := filepath.Join(t.TempDir(), "own.tsp")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// evalText runs epb eval.
func evalText(t *testing.T, f evalFlags) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	return stdout.String()
}

// TestEvalOfOneInstance: everybody's costs of one's own file stand in its units, whether or not a best known cost is.
func TestEvalOfOneInstance(t *testing.T) {
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{ownFile(t, "own\x1b[31m\u202e", "EUC_2D")},
		decode: "greedy", baselines: true}
	out := evalText(t, f)
	for _, want := range []string{"farthest insertion    180      180.00      +0.00 %", "local search",
		`own.tsp: own\x1b[31m\u202e of 6 nodes, EUC_2D.`} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	for _, not := range []string{"?", "±", "[", "unit square", "\x1b", "\u202e"} {
		if strings.Contains(strings.ReplaceAll(out, `\x1b[31m`, ""), not) {
			t.Errorf("the output holds %q:\n%s", not, out)
		}
	}
	// In the unit square too, one instance has neither a deviation nor an interval.
	f.instances = []string{instancesFile(t, 1)}
	if out := evalText(t, f); strings.Contains(out, "±") || strings.Contains(out, "[") ||
		!strings.Contains(out, "Costs of 1 instance of 6 nodes, in the unit square.") {
		t.Errorf("one instance in the unit square:\n%s", out)
	}
}

// TestEvalOfAMatrix: what a matrix or a sphere measures is never measured in the plane instead, and the output says
// what was seen.
func TestEvalOfAMatrix(t *testing.T) {
	matrix, sphere := ownFile(t, "m", "EXPLICIT"), ownFile(t, "s", "GEO")
	for path, note := range map[string]string{matrix: "EXPLICIT (1 of 1 instances): the matrix is not seen",
		sphere: "GEO (1 of 1 instances): "} {
		for _, table := range []string{"", "paper"} {
			f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{path}, decode: "greedy", baselines: true,
				table: table}
			if out := evalText(t, f); !strings.Contains(out, note) || strings.Contains(out, "unit square") {
				t.Errorf("--table %q lacks %q, or has costs in the unit square:\n%s", table, note, out)
			}
		}
		out := evalJSON(t, evalFlags{teacher: config.BuiltinTeacher, instances: []string{path}, decode: "greedy",
			baselines: true})
		if out.Measured != "in the file's units" || len(out.Notes) != 1 || !strings.HasPrefix(out.Notes[0], note) {
			t.Errorf("%s: %q, notes %q", path, out.Measured, out.Notes)
		}
		for _, p := range out.Policies {
			gap := 100 * (p.Rounded[0]/out.Policies[0].Rounded[0] - 1)
			if p.Cost.Mean != p.Rounded[0] || math.Abs(p.Gap.Percent-gap) > 1e-9 {
				t.Errorf("%s, %s: cost %v and gap %v, in the file's units %v and %v", path, p.Name, p.Cost.Mean,
					p.Gap.Percent, p.Rounded[0], gap)
			}
		}
		if local := out.Policies[len(out.Policies)-1]; path == matrix && local.Rounded[0] != 600 { // around the circle
			t.Errorf("%s costs %v by the matrix: it saw the matrix", local.Name, local.Rounded[0])
		}
	}
	// Beside an instance of the plane, the mean is over the costs of both files' rules.
	var files []instances.File
	for _, path := range []string{matrix, ownFile(t, "e", "EUC_2D")} {
		one, err := instances.Read(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, one...)
	}
	set := testset.Set{Path: "both", Files: files, Instances: instances.Instances(files)}
	of, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	options := testset.Options{Modes: []evaluate.Mode{evaluate.Greedy}, Baselines: true}
	r, err := testset.Compare(t.Context(), set, of, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	textreport.Table(&text, r.Comparison.Table, set.Measured())
	if !strings.Contains(text.String(), "local search          390.0000 ± 296.985") ||
		!strings.Contains(text.String(), "2 instances of 6 nodes, in the file's units") {
		t.Errorf("both together:\n%s", text.String())
	}
	if files[0], err = zeroMatrix(t); err != nil {
		t.Fatal(err)
	}
	if _, err := testset.Compare(t.Context(), set, of, nil, options); err == nil ||
		!strings.Contains(err.Error(), "costs 0") {
		t.Errorf("a matrix of zeros: %v", err)
	}
}

// zeroMatrix reads an instance whose every solution costs nothing.
func zeroMatrix(t *testing.T) (instances.File, error) {
	t.Helper()
	data, err := os.ReadFile(ownFile(t, "z", "EXPLICIT"))
	if err != nil {
		return instances.File{}, err
	}
	head, rest, _ := strings.Cut(string(data), "EDGE_WEIGHT_SECTION\n")
	_, tail, _ := strings.Cut(rest, "DISPLAY")
	file := filepath.Join(t.TempDir(), "z.tsp")
	zeros := head + "EDGE_WEIGHT_SECTION\n" + strings.Repeat("0 0 0 0 0 0\n", 6) + "DISPLAY" + tail
	if err := os.WriteFile(file, []byte(zeros), 0o600); err != nil {
		return instances.File{}, err
	}
	files, err := instances.Read(file, 0)
	if err != nil {
		return instances.File{}, err
	}
	return files[0], nil
}

// TestEvalFromAPipe reads instances from standard input.
func TestEvalFromAPipe(t *testing.T) {
	file, err := os.Open(writeInstances(t, tsp.Generate(6, 2, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stdin
	os.Stdin = file
	defer func() { os.Stdin = old }()
	if out := evalText(t, evalFlags{teacher: config.BuiltinTeacher, instances: []string{"-"},
		decode: "greedy"}); !strings.Contains(out, "2 instances of 6 nodes") {
		t.Errorf("from standard input:\n%s", out)
	}
}
