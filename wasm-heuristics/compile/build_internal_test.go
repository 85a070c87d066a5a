package compile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// TestFolder: no two builds use a folder at the same time, and folders are used again.
func TestFolder(t *testing.T) {
	tc := &Toolchain{Work: t.TempDir()}
	other := &Toolchain{Work: tc.Work} // stands for another process
	first, lock, err := tc.folder()
	if err != nil {
		t.Fatal(err)
	}
	second, otherLock, err := other.folder()
	if err != nil {
		t.Fatal(err)
	}
	defer otherLock.Close()
	if second == first {
		t.Errorf("two builds in %s", first)
	}
	lock.Close()
	again, lock, err := other.folder()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if again != first {
		t.Errorf("the next build is in %s although %s is free", again, first)
	}
}

// TestBuildMemory: the memory of a build is limited.
func TestBuildMemory(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "tinygo")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nulimit -d\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tc := &Toolchain{TinyGo: script, Work: dir, Timeout: time.Minute, slots: semaphore.NewWeighted(1)}
	_, err := tc.build(context.Background(), []sourceFile{{"go.mod", ""}})
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(maxBuildMemory)) {
		t.Errorf("got %v, want a limit of %d KiB", err, maxBuildMemory)
	}
}

// TestComplaints: errors that only TinyGo finds name the author's lines, with fuel added before them, and without the
// comments that a program with weights is compiled without.
func TestComplaints(t *testing.T) {
	tc, err := Find()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	tc.Cache = ""
	const body = "{\n\tfor k := range s.Candidates {\n\t\tfor range s.Candidates {\n\t\t\tscore[k]--\n\t\t}\n" +
		"\t\t// one more\n\n\t\tscore[k]++\n\t}\n}"
	loops := strings.Replace(plain, "{}", body, 1)
	weighs := strings.Replace(loops, "// Score", "// it weighs nothing\nconst lead = 0.5 // in [0, 1]\n\n// Score", 1)
	weighs = strings.Replace(weighs, "score[k]--", "score[k] -= lead", 1)
	for src, want := range map[string]struct {
		line int
		more string
	}{loops: {9, "; line 13: "}, weighs: {12, "; line 16: "}} {
		c, err := heuristic.Check(src)
		if err != nil {
			t.Fatal(err)
		}
		w, lines, err := newWorkspace(c, tc.Target, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range w {
			if f.path == "heuristic/heuristic.go" {
				w[i].text = strings.NewReplacer("score[k]--", "score[k] = near", "score[k] -=", "score[k] = near +",
					"score[k]++", "score[k] = far").Replace(f.text)
			}
		}
		_, err = tc.made(context.Background(), w, lines)
		var e *heuristic.Error
		if !errors.As(err, &e) || e.Stage != heuristic.StageTinyGo || e.Line != want.line ||
			!strings.Contains(e.Msg, "undefined: near") || !strings.Contains(e.Msg, want.more+"undefined: far") {
			t.Errorf("got %v, want stage %s, line %d and%s, undefined names", err, heuristic.StageTinyGo, want.line,
				want.more)
		}
	}
}
