package devstacktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/process"
)

// PlayWorker makes this process the worker of a new stack, started with the LLM that is named, and returns the stack's
// folder.
func PlayWorker(t *testing.T, named string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range map[string]string{
		"stack.json": `{"temporal": "127.0.0.1:1", "temporal_ui": "127.0.0.1:1", "s3": "127.0.0.1:1",
			"s3_console": "127.0.0.1:1", "llm": "127.0.0.1:1", "s3_access_key": "key", "s3_secret_key": "secret"}`,
		"run/worker.json": fmt.Sprintf(`{"pid": %d, "born": %q, "parts": {}, "llm": %q}`, os.Getpid(),
			process.Born(os.Getpid()), named),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "run"), 0o700),
			os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
