package bank_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// TestWriteModule: Go itself understands the programs of a bank's folder, without a network and without EPB's module,
// and names the line of a mistake. EPB reads the folder as before.
func TestWriteModule(t *testing.T) {
	for _, name := range []string{"tsp-local", "cvrp-local", "lehd-tsp100", "lehd-cvrp100"} {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := b.Save(dir); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second writes the SDK anew
			if err := bank.WriteModule(dir); err != nil {
				t.Fatal(err)
			}
		}
		vet := func() (string, error) {
			cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off", "GOTOOLCHAIN=local")
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := vet(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		got, err := bank.Load(dir)
		if err != nil || len(got.Heuristics) != len(b.Heuristics) {
			t.Errorf("%s: %v", name, err)
		}
		if extra, err := bank.Unlisted(dir); err != nil || len(extra) > 0 {
			t.Errorf("%s: not listed: %q, %v", name, extra, err)
		}
		first := b.Heuristics[0].Name
		file := filepath.Join(dir, first, first+".go")
		if err := os.WriteFile(file, []byte(b.Heuristics[0].Source+"\nvar _ = s.Nosuch\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := vet(); err == nil || !strings.Contains(out, first+".go:") {
			t.Errorf("%s: a mistake passes: %v\n%s", name, err, out)
		}
	}
}

// The modules that are written have programs in the version of Go that builds have.
func TestWriteModuleGoVersion(t *testing.T) {
	dir := t.TempDir()
	if err := bank.WriteModule(dir); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"go.mod", ".sdk/go.mod"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), "\ngo "+source.GoVersion+"\n") {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}

// A go.mod of the user's own stays as it is.
func TestWriteModuleKeepsOnesOwn(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(own, []byte("module mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := bank.WriteModule(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "module mine\n" {
		t.Errorf("%s, %v", text, err)
	}
}
