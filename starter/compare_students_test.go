package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// sketches writes two small students of the built-in teacher.
func sketches(t *testing.T) (a, b string) {
	t.Helper()
	compiletest.Toolchain(t)
	dir := t.TempDir()
	for i, name := range []string{"first", "second"} {
		f := sketchFlags{
			teacher: config.BuiltinTeacher, out: filepath.Join(dir, name), nodes: 8, train: 30, test: 10,
			programs: 2 + i, terms: 2, products: []int{20}, batch: 64, seed: uint64(1 + i), noRankers: true,
			noPrograms: true, json: true,
		}
		var out bytes.Buffer
		if err := sketchPolicy(t.Context(), f, &out, &out); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "first"), filepath.Join(dir, "second")
}

// Two students without a report are measured beside their teacher, matched, and written as a page. A student stands in
// the place of a second teacher, and the programs of both are routed for both.
func TestCompareStudents(t *testing.T) {
	a, b := sketches(t)
	page := filepath.Join(t.TempDir(), "page.html")
	out, err := epb(t, "compare", a, b, "--teachers", config.BuiltinTeacher+","+a, "--instances", "12", "--train", "12",
		"--products", "10", "--html", page, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Runs     []compare.Row
		Line     *contrast.Lineup
		Contrast *contrast.Contrast
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(got.Runs) != 2 || got.Runs[0].Run != "first" || got.Runs[1].Measures["bank"] != 3 {
		t.Errorf("runs %+v, want first and second with 2 and 3 programs", got.Runs)
	}
	for _, want := range []string{
		"mixed top-1", "mixed gap", "one-rule top-1", "one-rule gap", "best classic", "coverage", "KL",
	} {
		if _, ok := got.Runs[0].Measures[want]; !ok {
			t.Errorf("no %s of a student without a report: %v", want, got.Runs[0].Measures)
		}
	}
	if got.Line == nil || len(got.Line.Pairs) != 1 || len(got.Line.Pairs[0].Matches) != 2 {
		t.Errorf("line %+v, want one pair with two matches", got.Line)
	}
	if c := got.Contrast; c == nil || c.Names[1] != "student first" || len(c.Programs) < 3 ||
		c.Starts != contrast.EachOwn {
		t.Error("want the programs of both, routed for the teacher and the first student, which begin where they do")
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(html), "first: measured against") {
		t.Error("the page says that first is measured against another teacher than its own")
	}
	for _, want := range []string{
		`id="teachers"`, `id="runs"`, `id="policies"`, `id="leads"`, `id="banks"`, "farthest insertion",
		"second: measured against student first, and distilled from pomo",
	} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	got.Line = nil
	out = must(t, []string{"compare", a, b, "--instances", "12", "--html", page, "--json"})
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Line == nil || len(got.Line.Pairs) != 1 {
		t.Errorf("without teachers: line %+v (%v), want one pair", got.Line, err)
	}
	_, err = epb(t, "compare", a, b, "--teachers", config.BuiltinTeacher+","+a, "--products", "2001")
	if want := "--products is 2001, want 0, for all 5724"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("as many products as there are: error %v, want %q", err, want)
	}
	must(t, []string{"compare", a, b, "--instances", "12", "--html", page}, "choose the same", "\nPage: "+page+"\n")
}

// One bank is routed for two teachers without any student, and the findings are printed.
func TestCompareTeachersWithABank(t *testing.T) {
	a, b := sketches(t)
	out, err := epb(t, "compare", "--teachers", a+","+b, "--bank", a, "--nodes", "8", "--instances", "12",
		"--train", "12")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"student first against student second: the 2 programs of ", "choose the same in ",
		"in brackets what is not shown",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
}

func TestCompareFlags(t *testing.T) {
	offline(t)
	for args, want := range map[string]string{
		"":                                      "want the runs to compare, or two teachers",
		"--teachers x,y":                        "want the runs to compare, or two teachers",
		"a b c --teachers x,y":                  "--teachers names 2 for 3 students",
		"a b --teachers x,x":                    "--teachers names x twice",
		"a --products -1":                       "--products is -1, want 0 or more",
		"a --instances 30":                      "--instances: reports are compared as they are",
		"a b --teachers x --train 30":           "--train: it is of the routers for two teachers",
		"a b --teachers=":                       "--teachers",
		"a --bank b":                            "--bank is routed for two teachers",
		"a --instances 3":                       "--instances 3",
		"a --train 3 --teachers " + t.TempDir(): "--train 3",
		t.TempDir():                             "has no report of a run",
		t.TempDir() + " --html " + t.TempDir() + "/x": "there is no student.json",
	} {
		_, err := epb(t, append([]string{"compare"}, strings.Fields(args)...)...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("epb compare %s: error %v, want %q", args, err, want)
		}
	}
}
