package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/textreport"
)

// The page of an explanation is written where it was asked for.
func TestExplainPage(t *testing.T) {
	offline(t)
	dir := t.TempDir()
	student, page, points := filepath.Join(dir, "student"), filepath.Join(dir, "page.html"), filepath.Join(dir, "p.csv")
	must(t, []string{"sketch", "--teacher", "builtin:pomo-tsp20", "--nodes", "8", "--train", "60", "--test", "5",
		"--programs", "2", "--no-rankers", "--no-programs", "--out", student}, "student")
	if err := os.WriteFile(points, []byte("1,1\n5,2\n4,8\n9,9\n2,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, []string{"explain", points, "--student", student, "--html", page})
	if err := checkPage(page); err != nil {
		t.Errorf("the page cannot be written again: %v", err)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Why this tour: p", "</html>"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A certificate says what speaks for a student and what against it. What cannot be certified is refused by name.
func TestCertify(t *testing.T) {
	offline(t)
	dir := filepath.Join(t.TempDir(), "student")
	must(t, []string{"sketch", "--teacher", "builtin:pomo-tsp20", "--nodes", "8", "--train", "60", "--test", "5",
		"--programs", "2", "--no-rankers", "--no-programs", "--out", dir}, "student")
	must(t, []string{"certify", dir, "--teacher", "builtin:pomo-tsp20", "--instances", "12", "--train", "20"},
		"fresh instances of 8 nodes", "What was found", "linear scorer, all features", "decision tree",
		"first step of a plan of the rest", "a waiting node moves to another place")
	other := filepath.Join(t.TempDir(), "other")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	must(t, []string{"certify", dir, "--teacher", "builtin:pomo-tsp20", "--instances", "12", "--train", "0", "--json",
		"--also", other}, `"decisions": `, `"leaders_by_chance": `)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"this student is named twice", []string{dir, "--teacher", "builtin:pomo-tsp20", "--instances", "12",
			"--also", other + "," + dir}},
		{"this student is named twice", []string{dir, "--teacher", "builtin:pomo-tsp20", "--instances", "12",
			"--also", other + "," + other}},
		{"this student is named twice", []string{"r1", "--teacher", "builtin:pomo-tsp20", "--also", "run:r1"}},
		{"want 10 to 100000", []string{dir, "--teacher", "builtin:pomo-tsp20", "--instances", "3"}},
		{"exists: choose another name", []string{dir, "--teacher", "builtin:pomo-tsp20", "--out",
			textFile(t, "mine.txt", "mine")}},
		{"--capacity: it is of a CSV", []string{dir, "--teacher", "builtin:pomo-tsp20", "--capacity", "9"}},
		{"--force: it is of --out", []string{dir, "--teacher", "builtin:pomo-tsp20", "--force"}},
		{"--train -1: want", []string{dir, "--teacher", "builtin:pomo-tsp20", "--train", "-1"}},
		{"--train 1000000000: want 0 to 100000 instances", []string{dir, "--teacher", "builtin:pomo-tsp20", "--train",
			"1000000000"}},
		{"--nodes 1: want", []string{dir, "--teacher", "builtin:pomo-tsp20", "--nodes", "1"}},
		{"With --teacher it measures", []string{dir}},
		{"name the teacher by --teacher", []string{dir, "--train", "0"}},
		{"has no report of a run", []string{dir, "--teacher", "builtin:pomo-tsp20", "--data", "test"}},
		{"have a size", []string{dir, "--teacher", "builtin:pomo-tsp20", "--data", "test", "--nodes", "9"}},
		{"1 instances, want at least 10", []string{dir, "--teacher", "builtin:pomo-tsp20", "--data",
			textFile(t, "towns.tsp", towns)}},
	} {
		_, err := epb(t, append([]string{"certify"}, c.args...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("epb certify %v: %v, want %q", c.args, err, c.want)
		}
	}
}

// routesFolder exports a student of CVRP that decides by way of the depot.
func routesFolder(t *testing.T) string {
	t.Helper()
	b, err := bank.Builtin("lehd-cvrp100")
	if err != nil {
		t.Fatal(err)
	}
	few := *b
	few.Heuristics = slices.Clone(b.Heuristics[:2])
	few.SetTauH(dense.Vector([]float64{1, 1}))
	model := student.New(student.Config{
		Problem: routing.CVRP, Arch: student.LEHD, DecoderLayers: 1, D: 32, Layers: 1, Heads: 4, FF: 32,
	}, 1)
	dir := filepath.Join(t.TempDir(), "student")
	if err := distilled.Save(dir, distilled.Manifest{Problem: routing.CVRP, Nodes: 10}, &few, model); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A student that decides by way of the depot is certified against any teacher of the problem, asked that way.
func TestCertifyViaDepot(t *testing.T) {
	offline(t)
	dir := routesFolder(t)
	must(t, []string{"certify", dir, "--teacher", testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"), "--instances",
		"10", "--train", "20"}, "fresh instances of 10 customers", "a waiting customer moves to another place",
		"two waiting customers swap their demands")
}

// A certificate reads as it was read and found right. In JSON it says the same.
func TestCertificateOutput(t *testing.T) {
	offline(t)
	args := []string{"certify", readableFolder(t), "--teacher", "builtin:pomo-tsp20", "--nodes", "10", "--instances",
		"30", "--train", "0"}
	got, err := epb(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	got = regexp.MustCompile(`(?m)^\S+ explains`).ReplaceAllString(got, "FOLDER explains")
	got = got[:strings.LastIndex(got, "\n\n")] // the machine and its kernels
	const golden = "testdata/certificate.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	file := filepath.Join(t.TempDir(), "certificate.json")
	must(t, append(args, "--json", "--out", file), "Certificate: "+file)
	var c certify.Certificate
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := textreport.Certificate(&text, &c); err != nil {
		t.Fatal(err)
	}
	if _, said, _ := strings.Cut(text.String(), "explains"); "FOLDER explains"+strings.TrimRight(said, "\n") != got {
		t.Errorf("in JSON it says\n%s\nin words\n%s", said, got)
	}
}

// A run's own certificate is in its report. Its test set can be certified anew.
func TestCertifyRun(t *testing.T) {
	offline(t)
	dir := readableFolder(t)
	d := report.Data{Config: config.Default(), Certificate: &certify.Certificate{
		Data: "instances of the run’s test set", Warnings: []string{"Nobody follows far."},
	}}
	d.Config.Nodes, d.Config.Data.Test = 8, 20
	write := func() {
		t.Helper()
		var data bytes.Buffer
		if err := report.JSON(&data, d); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "report.json"), data.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write()
	must(t, []string{"certify", dir}, "instances of the run’s test set", "  - Nobody follows far.")
	measure := []string{"certify", dir, "--teacher", "builtin:pomo-tsp20", "--data", "test", "--train", "0"}
	must(t, measure, "of 20 instances of the run’s test set of 8 nodes")
	d.Certificate, d.Teacher.Arch = nil, report.ByRollouts
	write()
	for want, args := range map[string][]string{
		"has no certificate: name the teacher by --teacher": {"certify", dir},
		"is known by its rollouts":                          measure,
	} {
		if _, err := epb(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("epb %v: %v, want %q", args, err, want)
		}
	}
}
