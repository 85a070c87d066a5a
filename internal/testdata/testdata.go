// Package testdata finds the third-party files that tests compare with: golden forward passes, teacher
// checkpoints and instance sets. They are not part of the repository.
package testdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder such as "golden/am_tsp_20.npz" below the shared folder: $EPB_SHARED, or else a
// folder named shared beside the repository. Where it is absent the test is skipped, and fails if CI=true.
func Shared(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("EPB_SHARED")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	missing := "needs " + name + " in $EPB_SHARED or in a folder shared beside the repository"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// Repo returns the path of a file or folder of the repository.
func Repo(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(root(t), filepath.FromSlash(name))
}

// root walks up from the package under test to the folder that holds go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the package under test")
		}
		dir = parent
	}
}
