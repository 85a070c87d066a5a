package tool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/tool"
)

// TestFindNamed: a variable names a program by its path, or by a name to be found on PATH.
func TestFindNamed(t *testing.T) {
	bin := t.TempDir()
	program := filepath.Join(bin, "tinygo-0.40")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", bin)
	for _, named := range []string{"tinygo-0.40", program} {
		t.Setenv(tool.Variable("tinygo"), named)
		if path, err := tool.Find("tinygo"); err != nil || path != program {
			t.Errorf("EPB_TINYGO=%s: found %s (%v), want %s", named, path, err, program)
		}
	}
	t.Setenv("EPB_TINYGO", "tinygo-0.41")
	if _, err := tool.Find("tinygo"); err == nil || !strings.HasPrefix(err.Error(), "EPB_TINYGO: ") {
		t.Errorf("error %v, want one about EPB_TINYGO", err)
	}
}
