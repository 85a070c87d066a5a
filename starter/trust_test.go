package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		"fresh instances of 8 nodes", "What speaks for it", "linear scorer, all features", "decision tree",
		"first step of a plan of the rest", "a waiting node moves to another place")
	must(t, []string{"certify", dir, "--teacher", "builtin:pomo-tsp20", "--instances", "12", "--train", "0", "--json",
		"--also", dir}, `"decisions": `, `"leaders_by_chance": `)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"want 10 to 100000", []string{dir, "--teacher", "builtin:pomo-tsp20", "--instances", "3"}},
		{"--nodes 1: want", []string{dir, "--teacher", "builtin:pomo-tsp20", "--nodes", "1"}},
		{`"teacher" not set`, []string{dir}},
	} {
		_, err := epb(t, append([]string{"certify"}, c.args...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("epb certify %v: %v, want %q", c.args, err, c.want)
		}
	}
}
