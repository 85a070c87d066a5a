// Package devstacktest gives tests real servers of their own.
package devstacktest

import (
	"os"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/tool"
)

// Start runs the named services (devstack.Temporal, devstack.MinIO) on free ports, with their data in a folder of
// the test, until the test ends. Where a tool is missing the test is skipped, and fails if CI=true.
func Start(t testing.TB, services ...string) *devstack.Stack {
	t.Helper()
	for _, name := range services {
		if _, err := tool.Find(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	t.Cleanup(func() {
		if _, err := devstack.Down(dir); err != nil {
			t.Error(err)
		}
	})
	s, err := devstack.Up(t.Context(), dir, devstack.Options{Services: services, Isolated: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
