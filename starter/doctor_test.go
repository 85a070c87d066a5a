package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/doctor"
)

// examined runs the command and returns its findings by name.
func examined(t *testing.T, dir string) (map[string]doctor.Finding, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := doctorCommand()
	cmd.SetArgs([]string{"--json", "--dir", dir})
	cmd.SetOut(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	sick := cmd.ExecuteContext(t.Context())
	var list []doctor.Finding
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	byName := map[string]doctor.Finding{}
	for _, f := range list {
		byName[f.Name] = f
		if f.OK != (f.Mend == "") {
			t.Errorf("a problem and what mends it go together: %+v", f)
		}
	}
	return byName, sick
}

func TestDoctorWithServers(t *testing.T) {
	s := devstacktest.Start(t, devstack.Temporal, devstack.MinIO)
	for _, name := range []string{"TEMPORAL_ADDRESS", "TEMPORAL_API_KEY", "EPB_S3_ENDPOINT", "OPENAI_BASE_URL",
		"OPENAI_API_KEY"} {
		t.Setenv(name, "")
	}
	found, err := examined(t, s.Dir)
	if !errors.Is(err, errSick) {
		t.Errorf("without worker and LLM: %v", err)
	}
	for name, ok := range map[string]bool{"go": true, "temporal": true, "store": true, "llm": false, "polling": false} {
		if found[name].OK != ok {
			t.Errorf("%s: %+v", name, found[name])
		}
	}
	if f := found["polling"]; f.Mend != "epb dev up --dir "+s.Dir+" worker" {
		t.Errorf("polling: %+v", f)
	}
}

func TestDoctorWithConfiguredServers(t *testing.T) {
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer sk-hush" {
			t.Errorf("request %s with %q", r.URL, r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer refuses.Close()
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	t.Setenv("EPB_S3_ENDPOINT", "127.0.0.1:1")
	t.Setenv("EPB_S3_ACCESS_KEY", "key")
	t.Setenv("EPB_S3_SECRET_KEY", "sk-hush")
	t.Setenv("OPENAI_BASE_URL", refuses.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "sk-hush")
	found, err := examined(t, t.TempDir())
	if !errors.Is(err, errSick) {
		t.Errorf("with nothing in reach: %v", err)
	}
	for name, variable := range map[string]string{"temporal": "TEMPORAL_ADDRESS", "store": "EPB_S3_ENDPOINT",
		"llm": "OPENAI_API_KEY"} {
		f := found[name]
		if f.OK || !strings.Contains(f.Mend, variable) {
			t.Errorf("%s: %+v; want it to name %s", name, f, variable)
		}
		if strings.Contains(f.Detail, "sk-hush") {
			t.Errorf("%s tells a secret: %s", name, f.Detail)
		}
	}
	if !strings.Contains(found["llm"].Detail, "401") {
		t.Errorf("llm: %+v", found["llm"])
	}
}
