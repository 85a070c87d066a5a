package infra_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// setUp is a copy of this folder, to be run with other programs before those on PATH.
type setUp struct {
	t         *testing.T
	root, bin string
}

func newSetUp(t *testing.T) setUp {
	s := setUp{t, t.TempDir(), t.TempDir()}
	if err := os.CopyFS(filepath.Join(s.root, "infra"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"EPB", "SET", "BANK", "ALSO", "FLAGS", "SEEDS", "PARTS", "PRODUCTS"} {
		t.Setenv(name, "") // whoever runs the tests may have set it for a script
	}
	return s
}

// program puts a shell script on PATH.
func (s setUp) program(name, script string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// run returns what a script of the folder printed, and whether it succeeded.
func (s setUp) run(script string, args ...string) (printed string, ok bool) {
	cmd := exec.Command(filepath.Join(s.root, "infra", script), args...)
	cmd.Env = append(os.Environ(), "PATH="+s.bin+":"+os.Getenv("PATH"), "PACKAGES=")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestProgress(t *testing.T) {
	s := newSetUp(t)
	if printed, ok := s.run("progress.sh", "job", "60", "lines", "^x", "echo", "x"); !ok || printed != "" {
		t.Errorf("a short job: success %v, printed %q", ok, printed)
	}
	printed, ok := s.run("progress.sh", "job", "60", "lines", "^x", "sh", "-c", "echo what went wrong; exit 3")
	if ok {
		t.Error("a job that fails is taken for one that does not")
	}
	for _, want := range []string{"job failed", "what went wrong", filepath.Join(s.root, ".tools/log/job.log")} {
		if !strings.Contains(printed, want) {
			t.Errorf("a job that fails does not show %q:\n%s", want, printed)
		}
	}
}

func TestInstallUsesWhatIsFit(t *testing.T) {
	s := newSetUp(t)
	s.program("go", "exit 9") // nothing may be built
	s.program("temporal", "echo temporal version 1.9.0")
	printed, ok := s.run("tools/install.sh", "temporal")
	if !ok || !strings.Contains(printed, "using "+s.bin+"/temporal") {
		t.Errorf("success %v:\n%s", ok, printed)
	}
	if at, err := os.Readlink(filepath.Join(s.root, ".tools/bin/temporal")); err != nil || at != s.bin+"/temporal" {
		t.Errorf("linked to %q, %v", at, err)
	}
}

func TestInstallBuilds(t *testing.T) {
	s := newSetUp(t)
	s.program("temporal", "echo temporal version 1.0.0") // too old
	s.program("go", `echo "go: downloading example.org/module v1.0.0" >&2
echo example.org/package >&2
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then echo built >"$2"; chmod +x "$2"; fi
  shift
done`)
	printed, ok := s.run("tools/install.sh", "temporal")
	if !ok || !strings.Contains(printed, "building temporal") || strings.Contains(printed, "downloading") {
		t.Errorf("success %v:\n%s", ok, printed)
	}
	content, err := os.ReadFile(filepath.Join(s.root, ".tools/bin/temporal"))
	if err != nil || string(content) != "built\n" {
		t.Errorf("installed %q, %v", content, err)
	}
	s.program("go", "echo no more >&2; exit 9")
	if printed, ok := s.run("tools/install.sh", "temporal"); !ok || printed != "" {
		t.Errorf("the second call: success %v:\n%s", ok, printed)
	}
}

// The tool that was built here is none to link to, by whatever path it is found. Nor is a TinyGo without its library.
func TestInstallUsesNoToolOfItsOwn(t *testing.T) {
	s := newSetUp(t)
	s.program("go", `while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then printf '#!/bin/sh\necho temporal version 1.9.0\n' >"$2"; chmod +x "$2"; fi
  shift
done`)
	for range 2 {
		printed, ok := s.run("tools/install.sh", "temporal")
		if !ok || !strings.Contains(printed, "building temporal") {
			t.Fatalf("success %v:\n%s", ok, printed)
		}
		own := filepath.Join(s.root, ".tools/bin/temporal")
		if err := errors.Join(os.RemoveAll(filepath.Join(s.bin, "temporal")),
			os.Symlink(own, filepath.Join(s.bin, "temporal")), // found there from now on
			os.Remove(filepath.Join(s.root, ".tools/stamp/temporal"))); err != nil {
			t.Fatal(err)
		}
	}
	s.program("tinygo", "[ $1 = env ] && echo /nowhere || echo tinygo version 0.41.1")
	if err := os.WriteFile(filepath.Join(s.root, "infra/packages.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.program("go", "exit 9")
	if printed, ok := s.run("tools/install.sh", "tinygo"); ok || strings.Contains(printed, "using") {
		t.Errorf("a TinyGo without a library: success %v:\n%s", ok, printed)
	}
}

// A tool that cannot be built leaves no stamp, so the next call tries again. The tool built before stays.
func TestInstallSaysWhatFailed(t *testing.T) {
	s := newSetUp(t)
	before := filepath.Join(s.root, ".tools/bin/temporal")
	if err := os.MkdirAll(filepath.Dir(before), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(before, []byte("older"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.program("temporal", "exit 1") // not one to use
	s.program("go", "echo no space left on device >&2; exit 1")
	for range 2 {
		printed, ok := s.run("tools/install.sh", "temporal")
		log := filepath.Join(s.root, ".tools/log/temporal.log")
		if ok || !strings.Contains(printed, "no space left") || !strings.Contains(printed, log) {
			t.Errorf("success %v, want the end of %s and its path:\n%s", ok, log, printed)
		}
		if content, err := os.ReadFile(before); err != nil || string(content) != "older" {
			t.Errorf("what was there before: %q, %v", content, err)
		}
	}
}
