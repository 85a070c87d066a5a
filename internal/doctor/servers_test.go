package doctor

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/devstack/devstacktest"
)

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
