package bank_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

// TestForeignFiles: a bank reads what lies in its folder and ends, and says nothing of what its links lead to.
func TestForeignFiles(t *testing.T) {
	one := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	link := func(to string) func(string) error { return func(file string) error { return os.Symlink(to, file) } }
	pipe := func(file string) error { return syscall.Mkfifo(file, 0o600) }
	huge := func(file string) error { return os.WriteFile(file, make([]byte, 2<<20), 0o600) }
	for _, c := range []struct {
		name, file, want string
		make             func(file string) error
	}{
		{"device", "near/near.go", "out of the folder", link("/dev/zero")},
		{"pipe for a program", "near/near.go", "a device or a pipe", pipe},
		{"pipe for a manifest", "bank.json", "a device or a pipe", pipe},
		{"link beside the folder", "near/near.go", "out of the folder", link("../../secret.txt")},
		{"manifest elsewhere", "bank.json", "out of the folder", link("../secret.txt")},
		{"program without end", "near/near.go", "more than 1048576 bytes", huge},
		{"manifest without end", "bank.json", "more than 1048576 bytes", huge},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, "mine")
			if err := os.WriteFile(filepath.Join(root, "secret.txt"), []byte("hunter2 is the password"),
				0o600); err != nil {
				t.Fatal(err)
			}
			if err := one.Save(dir); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, c.file)
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := c.make(file); err != nil {
				t.Fatal(err)
			}
			if _, err := bank.Load(dir); err == nil || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v, want %q and nothing of the secret", err, c.want)
			}
			if _, err := bank.Unlisted(dir); c.file == "bank.json" &&
				(err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("Unlisted: got %v, want %q", err, c.want)
			}
		})
	}
}

// TestLinkedFolder: a bank's folder may be a link itself, and its files may be links within it.
func TestLinkedFolder(t *testing.T) {
	root := t.TempDir()
	dir, alias := filepath.Join(root, "mine"), filepath.Join(t.TempDir(), "alias")
	one := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	if err := one.Save(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "near", "near.go"), filepath.Join(dir, "code")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../code", filepath.Join(dir, "near", "near.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, alias); err != nil {
		t.Fatal(err)
	}
	if b, err := bank.Load(alias); err != nil || len(b.Heuristics) != 1 {
		t.Errorf("%v: %+v", err, b)
	}
}
