package infra_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// epb puts a bin/epb into the copy that notes its arguments, and returns what reads the notes.
func (s setUp) epb(script string) (noted func() string) {
	s.t.Helper()
	notes := filepath.Join(s.t.TempDir(), "notes")
	program := filepath.Join(s.root, "bin", "epb")
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		s.t.Fatal(err)
	}
	text := "#!/bin/sh\necho \"$@\" >>'" + notes + "'\n" + script
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
	return func() string {
		text, err := os.ReadFile(notes)
		if err != nil && !os.IsNotExist(err) {
			s.t.Fatal(err)
		}
		return string(text)
	}
}

// empty makes an empty file.
func empty(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a script cannot do to the end it does not begin.
func TestScriptsCheckFirst(t *testing.T) {
	teachers := t.TempDir()
	for _, file := range []string{"tsp_20/epoch-99.pt", "tsp_50/epoch-99.pt"} {
		empty(t, filepath.Join(teachers, file))
	}
	s := newSetUp(t)
	noted := s.epb("")
	refused := func(wants []string, script string, args ...string) {
		t.Helper()
		printed, ok := s.run(script, args...)
		if ok || noted() != "" {
			t.Errorf("%s %s: success %v, and epb was asked to %q", script, strings.Join(args, " "), ok, noted())
		}
		for _, want := range wants {
			if !strings.Contains(printed, want) {
				t.Errorf("%s %s does not say %q:\n%s", script, strings.Join(args, " "), want, printed)
			}
		}
	}
	refused([]string{"there is no tsp_5O", "tsp_50", "cvrp_100"}, "headline.sh", teachers, "tsp_20", "tsp_5O")
	refused([]string{"there is no " + teachers + "/tsp_100", "has: tsp_20, tsp_50"}, "headline.sh", teachers, "tsp_20",
		"tsp_100")
	refused([]string{"there is no " + teachers + "/tsp_100/epoch-99.pt", "has: tsp_20, tsp_50"}, "gallery.sh", teachers)
	for _, script := range []string{"parts.sh", "ablations.sh", "writers.sh"} {
		for _, nodes := range []string{"x", "-20", "0", "2", "1e3", "99999999999999999999"} {
			refused([]string{"NODES: got '" + nodes + "', want a whole number from 3 to 1024"}, script, "teacher.pt",
				nodes)
		}
		for _, seed := range []string{"x", "-1", "1,2", "007", "4294967296"} {
			refused([]string{"SEED: got '" + seed + "', want"}, script, "teacher.pt", "20", "1", seed)
		}
	}
	for variable, values := range map[string][]string{"PROGRAMS": {"2 x", "2 0", "2 101"}, "TERMS": {"3 -1", "3 31"}} {
		for _, value := range values {
			t.Setenv(variable, value)
			refused([]string{variable + ": got '" + value[2:] + "', want a whole number from 1"}, "sizes.sh",
				"teacher.pt")
		}
		t.Setenv(variable, "")
	}
	for script, args := range map[string][]string{
		"parts.sh": {"20"}, "ablations.sh": {"20"}, "writers.sh": {"20"}, "sizes.sh": nil,
	} {
		refused([]string{"TEACHER: there is no pretrained/tsp_2O, seen from " + s.root}, script,
			append([]string{"pretrained/tsp_2O"}, args...)...)
	}
	refused([]string{"SEED: got '1,2', want", "blanks between several"}, "parts.sh", "teacher.pt", "20", "1,2")
	refused([]string{"ROUNDS: got 'x', want a whole number from 1"}, "bench_ab.sh", "HEAD", "Train", "x")
	t.Setenv("PARTS", "all no-edit")
	refused([]string{"there is no part no-edit", " no-edits "}, "parts.sh", "teacher.pt", "20")

	if printed, ok := s.run("headline.sh", teachers, "tsp_20", "tsp_50"); !ok ||
		strings.Count(noted(), "sketch --teacher "+teachers+"/tsp_") != 2 {
		t.Errorf("success %v, epb was asked to\n%s\n%s", ok, noted(), printed)
	}
}

// Whatever a teacher's file is called, the IDs of its runs are such that epb start takes them, and those of plain names
// hold the name as it is.
func TestRunsOfAnyTeacher(t *testing.T) {
	taken := regexp.MustCompile(`^[\w.-]+$`)
	t.Setenv("PARTS", "all")
	for teacher, name := range map[string]string{
		"builtin:pomo-tsp20": "builtin-pomo-tsp20", "a/epoch=99.pt": "epoch-99.pt", "a/my epoch.pt": "my-epoch.pt",
		"a/epoch-99.pt": "epoch-99.pt", "Tsp_50.v2": "Tsp_50.v2",
	} {
		for _, script := range []string{"parts.sh", "writers.sh"} {
			s := newSetUp(t)
			noted := s.epb("")
			if !strings.HasPrefix(teacher, "builtin:") {
				empty(t, filepath.Join(s.root, teacher))
			}
			if printed, ok := s.run(script, teacher, "20"); !ok {
				t.Errorf("%s %s: %s", script, teacher, printed)
			}
			begin := strings.TrimSuffix(script, ".sh") + "-" + name + "-"
			ids := regexp.MustCompile(`(?m)^start --id (.*?) --config`).FindAllStringSubmatch(noted(), -1)
			if len(ids) == 0 {
				t.Errorf("%s %s starts no run:\n%s", script, teacher, noted())
			}
			for _, id := range ids {
				if !taken.MatchString(id[1]) || !strings.HasPrefix(id[1], begin) {
					t.Errorf("%s %s: the ID is %q, want one that begins with %s", script, teacher, id[1], begin)
				}
			}
		}
	}
}

// A run that has completed is not started again, and one that goes on is waited for.
func TestDistilStartsWhatIsNotThere(t *testing.T) {
	for says, want := range map[string]string{
		"r1: completed": "status r1\n", "r1: running": "status r1\nwatch r1\n",
		"r1: failed": "status r1\nstart --id r1 --nodes 20 --wait\n",
		"":           "status r1\nstart --id r1 --nodes 20 --wait\n",
	} {
		s := newSetUp(t)
		noted := s.epb("[ \"$1\" != status ] || echo '" + says + "'")
		if printed, ok := s.run("distil.sh", "r1", "--nodes", "20"); !ok || noted() != want {
			t.Errorf("status says %q: success %v, epb was asked to %q, want %q\n%s", says, ok, noted(), want, printed)
		}
	}
}

// A check that does not run is no check that finds nothing.
func TestLintFailsWithItsTools(t *testing.T) {
	s := newSetUp(t)
	s.program("git", "echo infra/lint.sh")
	for script, want := range map[string]bool{"": true, "echo a.go:1: no comment": false, "exit 9": false} {
		s.program("go", script)
		if printed, ok := s.run("lint.sh"); ok != want {
			t.Errorf("with a linter that does %q: success %v, want %v\n%s", script, ok, want, printed)
		}
	}
}

// What a target of make cannot do without is asked for before anything is built.
func TestMakeAsksForTeachers(t *testing.T) {
	t.Setenv("TEACHER", "")
	t.Setenv("TEACHERS", "")
	for target, variable := range map[string]string{
		"headline": "TEACHERS", "gallery": "TEACHERS", "sizes": "TEACHER", "ablations": "TEACHER", "parts": "TEACHER",
	} {
		out, err := exec.Command("make", "-C", "..", "-n", target).CombinedOutput()
		if err == nil || !strings.Contains(string(out), variable+" is missing: make "+target) {
			t.Errorf("make %s: %v\n%s", target, err, out)
		}
		if out, err := exec.Command("make", "-C", "..", "-n", target, variable+"=x").CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "infra/"+target+".sh") {
			t.Errorf("make %s %s=x: %v\n%s", target, variable, err, out)
		}
	}
}
