package evaluate_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
)

// TestReadStudentRefuses: what is no student is told in the words of its files, and never waited for.
func TestReadStudentRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "student.json: empty or truncated",
		`{"version": 1,`:              "student.json: empty or truncated",
		`[]`:                          "student.json: it is a JSON array, want an object as",
		`{"version": "one"}`:          "student.json: version is of type string, want int",
		`{"version": 1, "poblem": 1}`: `student.json: unknown field "poblem"`,
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "bank"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"student.json": text, "student.safetensors": "weights"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := evaluate.ReadStudent(dir)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ": json: ") {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
		if _, err := evaluate.ReadStudent(filepath.Join(dir, "student.json")); err == nil ||
			!strings.Contains(err.Error(), "it is no folder") {
			t.Errorf("a file: error %v", err)
		}
		manifest := filepath.Join(dir, "student.json")
		if err := os.Remove(manifest); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.ReadStudent(dir); err == nil ||
			!strings.Contains(err.Error(), "it is a device or a pipe") {
			t.Errorf("a pipe: error %v", err)
		}
	}
}
