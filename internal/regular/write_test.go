package regular_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/regular"
)

// TestWriteFile: a file that could not be written whole leaves the one of its name as it was, and nothing beside it.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, werr := io.WriteString(w, s)
			return errors.Join(werr, err)
		}
	}
	if length, err := regular.WriteFile(path, text("whole", nil)); err != nil || length != 5 {
		t.Errorf("%d bytes, %v; want 5", length, err)
	}
	full := errors.New("disk full")
	if _, err := regular.WriteFile(path, text("half", full)); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%d files (%v), want 1", len(files), err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "whole" {
		t.Errorf("%q, %v", data, err)
	}
}
