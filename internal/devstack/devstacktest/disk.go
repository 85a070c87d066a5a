package devstacktest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
)

// Folder returns the folder of an object of the stack's store on its disk.
func Folder(s *devstack.Stack, key string) string {
	return filepath.Join(s.Dir, "data", "minio", s.Store().Bucket, key)
}

// Content returns the file that holds the end of an object's content. MinIO keeps a small object in the file that
// describes it, and its content is at the end there.
func Content(t testing.TB, s *devstack.Stack, key string) string {
	t.Helper()
	for _, pattern := range []string{"*/part.2", "*/part.1", "xl.meta"} {
		files, err := filepath.Glob(filepath.Join(Folder(s, key), pattern))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 1 {
			return files[0]
		}
	}
	t.Fatalf("no file of %s", key)
	return ""
}

// Damage flips a bit of an object on the disk of the stack's store.
func Damage(t testing.TB, s *devstack.Stack, key string) {
	t.Helper()
	path := Content(t, s, key)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-3] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Lose takes an object from the disk of the stack's store.
func Lose(t testing.TB, s *devstack.Stack, key string) {
	t.Helper()
	if err := os.RemoveAll(Folder(s, key)); err != nil {
		t.Fatal(err)
	}
}
