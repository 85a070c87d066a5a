package doctor

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
)

// mends examines the servers of a folder with nothing but these variables set, and returns what mends each problem.
func mends(t *testing.T, dir string, variables map[string]string) map[string]string {
	t.Helper()
	for _, name := range []string{"TEMPORAL_ADDRESS", "TEMPORAL_API_KEY", "TEMPORAL_TLS", "TEMPORAL_NAMESPACE",
		"TEMPORAL_PROFILE", "EPB_S3_ENDPOINT", "EPB_TINYGO", "EPB_TEMPORAL", "EPB_MINIO"} {
		t.Setenv(name, "") // to have it restored
		os.Unsetenv(name)  // an empty variable takes the place of what a profile file says
	}
	t.Setenv("TEMPORAL_CONFIG_FILE", filepath.Join(t.TempDir(), "none.toml"))
	for name, value := range variables {
		t.Setenv(name, value)
	}
	found := map[string]string{}
	for _, f := range Examine(t.Context(), dir) {
		found[f.Name] = f.Mend
	}
	return found
}

// What mends a Temporal that cannot be used is to correct what names it, unless it is the dev stack's.
func TestMendsOfTemporal(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "temporal.toml")
	if err := os.WriteFile(profile, []byte("[profile.default]\naddress = \"127.0.0.1:1\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, variables := range map[string]map[string]string{
		"check TEMPORAL_ADDRESS":               {"TEMPORAL_ADDRESS": "127.0.0.1:1"},
		"in Temporal's profile file":           {"TEMPORAL_CONFIG_FILE": profile},
		"correct the variables TEMPORAL_":      {"TEMPORAL_API_KEY": "hush"},
		"correct the variables TEMPORAL_… or ": {"TEMPORAL_PROFILE": "prod"},
	} {
		found := mends(t, t.TempDir(), variables)
		for _, name := range []string{"temporal", "polling"} {
			if !strings.Contains(found[name], want) {
				t.Errorf("%v: %s is mended by %q, want %q", variables, name, found[name], want)
			}
		}
	}
}

// What mends a variable that says nothing is to correct it, also where the server is the dev stack's.
func TestMendsOfVariables(t *testing.T) {
	for name, variable := range map[string]string{"store": "EPB_S3_BUCKET", "llm": "EPB_LLM_ATTEMPT"} {
		dir := devstacktest.Start(t, devstack.Temporal).Dir
		if found := mends(t, dir, map[string]string{variable: "x"}); strings.Contains(found[name], "epb dev up") {
			t.Errorf("%s: %s is mended by %q", variable, name, found[name])
		}
	}
}

func TestMendsOfNamespace(t *testing.T) {
	dir := devstacktest.Start(t, devstack.Temporal).Dir
	found := mends(t, dir, map[string]string{"TEMPORAL_NAMESPACE": "nowhere"})
	for _, name := range []string{"temporal", "polling"} {
		if found[name] != "set TEMPORAL_NAMESPACE to a namespace that exists" {
			t.Errorf("%s is mended by %q", name, found[name])
		}
	}
}

// A variable that names a tool comes before what is installed, and commands mean the folder that was examined.
func TestMendsOfToolsAndFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my stack")
	found := mends(t, dir, map[string]string{"EPB_TINYGO": "/nowhere/tinygo", "EPB_TEMPORAL": "/nowhere/temporal"})
	for name, want := range map[string]string{
		"tinygo": "set EPB_TINYGO to the path of a tinygo", "temporal": "set EPB_TEMPORAL to the path of a temporal",
		"polling": "epb dev up --dir '" + dir + "' worker",
	} {
		if !strings.Contains(found[name], want) {
			t.Errorf("%s is mended by %q, want %q", name, found[name], want)
		}
	}
	t.Setenv("EPB_DEV_DIR", dir)
	if found := mends(t, dir, nil); found["polling"] != "epb dev up worker" {
		t.Errorf("without --dir, polling is mended by %q", found["polling"])
	}
}

// A server without a list of models may be one all the same, or a wrong path.
func TestDoctorDoubtsAnLLMWithoutModels(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/api")
	t.Setenv("OPENAI_API_KEY", "")
	detail, err := lookLLM(t.Context(), t.TempDir())
	if err != nil || !strings.Contains(detail, server.URL+"/api (no /models here: is the path right?") {
		t.Errorf("%q, %v", detail, err)
	}
}

// What a run asks is what its worker was started with, not what this shell names. This test's process plays the worker.
func TestDoctorShowsTheWorkersLLM(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	dir := devstacktest.PlayWorker(t, server.URL+"/v1")
	for base, want := range map[string]string{
		"":                      "; this shell has http://127.0.0.1:1/v1",
		"http://127.0.0.1:2/v1": "; this shell has http://127.0.0.1:2/v1",
	} {
		t.Setenv("OPENAI_BASE_URL", base)
		t.Setenv("OPENAI_API_KEY", "")
		if detail, err := lookLLM(t.Context(), dir); err != nil ||
			detail != server.URL+"/v1, as the dev stack's worker has it"+want {
			t.Errorf("OPENAI_BASE_URL=%s: %q, %v", base, detail, err)
		}
	}
}
