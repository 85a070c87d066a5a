package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/epb-nco/epb/internal/regular"
)

func TestReadIn(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	for path, text := range map[string]string{filepath.Join(dir, "file"): "content", secret: "secret"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "file", "out": secret, "up": "../secret", "zero": "/dev/zero",
		"loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]string{
		"file": "", "link": "",
		"out": "out: it is a link out of the folder", "up": "up: it is a link out of the folder",
		"zero":      "zero: it is a link out of the folder",
		"../secret": "out of the folder", "loop": "loop",
		"pipe":   "read pipe: it is a device or a pipe, want a regular file",
		"folder": "read folder: it is a folder, want a regular file",
	} {
		data, err := regular.ReadIn(root, name, 7)
		if want == "" && (err != nil || string(data) != "content") {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
	if _, err := regular.ReadIn(root, "file", 6); err == nil ||
		!strings.Contains(err.Error(), "read file: the file has more than 6 bytes") {
		t.Errorf("too long: %v", err)
	}
	if _, err := regular.ReadIn(root, "absent", 6); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}
