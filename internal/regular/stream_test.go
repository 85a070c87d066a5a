package regular_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/epb-nco/epb/internal/regular"
)

// piped makes the reading end of a pipe that holds a text standard input.
func piped(t *testing.T, text string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = old; r.Close() })
	return r
}

func TestReadInput(t *testing.T) {
	dir := t.TempDir()
	file, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file: "", os.DevNull: "it is a device or a pipe", dir: "is a directory",
		filepath.Join(dir, "absent"): "no such file",
		fifo:                         "fifo: nothing came", // nobody writes into it, and nobody waits
	} {
		data, err := regular.ReadInput(path)
		if want == "" && (err != nil || string(data) != "content") {
			t.Errorf("%s: %q, %v", path, data, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
}

// TestReadPipe reads what a shell's <(command) gives: a pipe by its name.
func TestReadPipe(t *testing.T) {
	path := fmt.Sprintf("/dev/fd/%d", piped(t, "content").Fd())
	if data, err := regular.ReadInput(path); err != nil || string(data) != "content" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestReadStandardInput(t *testing.T) {
	piped(t, "content")
	if data, err := regular.ReadInput(regular.Stdin); err != nil || string(data) != "content" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := regular.ReadInput(regular.Stdin); err == nil ||
		!strings.Contains(err.Error(), "standard input: nothing came") {
		t.Errorf("a second time: %v", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	os.Stdin = null
	if _, err := regular.ReadInput(regular.Stdin); err == nil ||
		!strings.Contains(err.Error(), "a terminal or another device") {
		t.Errorf("a device: %v", err)
	}
}
