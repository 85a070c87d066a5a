package devstack_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
)

func TestLoad(t *testing.T) {
	if _, err := devstack.Load(t.TempDir()); !errors.Is(err, devstack.ErrNoStack) {
		t.Errorf("empty folder: %v", err)
	}
	s, err := devstack.Load(stackJSON(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v %#v", s, s); strings.Contains(text, "hush") {
		t.Errorf("tells the secret: %s", text)
	}
	for name, change := range map[string]func(map[string]string){
		"no port":    func(f map[string]string) { f["s3"] = "localhost" },
		"no address": func(f map[string]string) { delete(f, "temporal") },
		"no secret":  func(f map[string]string) { delete(f, "s3_secret_key") },
	} {
		dir := stackJSON(t, change)
		if _, err := devstack.Load(dir); err == nil ||
			!strings.Contains(err.Error(), filepath.Join(dir, "stack.json")) {
			t.Errorf("%s: error %v does not name the file", name, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.json"), []byte(`{"temporal":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := devstack.Load(dir); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("cut short: error %v does not say what to do", err)
	}
}

// stackJSON returns the folder of a stack that never ran, its file changed by change.
func stackJSON(t *testing.T, change func(map[string]string)) string {
	t.Helper()
	fields := map[string]string{
		"temporal": "127.0.0.1:7233", "temporal_ui": "127.0.0.1:8233", "s3": "127.0.0.1:9000",
		"s3_console": "127.0.0.1:9001",
		"llm":        "127.0.0.1:9100", "s3_access_key": "epb-key", "s3_secret_key": "hush",
	}
	if change != nil {
		change(fields)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stack.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestServersOfAStack: a client of the stack gets the addresses in its file, or the error that there is no stack.
func TestServersOfAStack(t *testing.T) {
	l, err := devstack.Servers(stackJSON(t, nil))()
	if err != nil || l.Temporal != "127.0.0.1:7233" || l.LLM != "http://127.0.0.1:9100/v1" {
		t.Errorf("%+v, %v", l, err)
	}
	if s := l.Store; s.Endpoint != "127.0.0.1:9000" || s.AccessKey != "epb-key" || string(s.SecretKey) != "hush" ||
		s.TLS {
		t.Errorf("store %+v", s)
	}
	if _, err := devstack.Servers(t.TempDir())(); !errors.Is(err, devstack.ErrNoStack) {
		t.Errorf("of no stack: %v", err)
	}
}
