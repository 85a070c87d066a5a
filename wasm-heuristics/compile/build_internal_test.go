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

// TestComplaints: an error that only TinyGo finds names the author's line, even with fuel added before it.
func TestComplaints(t *testing.T) {
	tc, err := Find()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	const body = "{\n\tfor k := range s.Candidates {\n\t\tfor range s.Candidates {\n\t\t\tscore[k]--\n\t\t}\n\t}\n}"
	c, err := Check(strings.Replace(plain, "{}", body, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := newWorkspace(c, tc.Target, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range w {
		if f.path == "heuristic/heuristic.go" {
			w[i].text = strings.Replace(f.text, "score[k]--", "score[k] = near", 1)
		}
	}
	_, err = tc.build(context.Background(), w)
	var e *Error
	if !errors.As(err, &e) || e.Stage != StageTinyGo || e.Line != 9 || !strings.Contains(e.Msg, "undefined: near") {
		t.Errorf("got %v, want stage %s, line 9, an undefined name", err, StageTinyGo)
	}
}
