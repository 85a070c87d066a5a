package regular_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/regular"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file: "", link: "",
		os.DevNull:                   "it is a device or a pipe, want a regular file",
		dir:                          "is a directory",
		filepath.Join(dir, "absent"): "no such file",
	} {
		data, err := regular.ReadFile(path)
		if want == "" && (err != nil || string(data) != "content") {
			t.Errorf("%s: %q, %v", path, data, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%s: error %v, want one with %q and the path", path, err, want)
		}
	}
}
