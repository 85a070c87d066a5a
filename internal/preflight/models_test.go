package preflight

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/llm"
)

// wants reports which texts are missing.
func wants(t *testing.T, what, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %q:\n%s", what, w, text)
		}
	}
}

// TestModels: where it is known what the worker asks, a plan says who answers and whether that costs money. This
// process plays the worker.
func TestModels(t *testing.T) {
	standIn := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if standIn {
			fmt.Fprintf(w, `{"data":[{"id":%q}]}`, llm.StandIn)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	base := server.URL + "/v1"
	dir := devstacktest.PlayWorker(t, base)
	t.Setenv("OPENAI_BASE_URL", "")
	t.Setenv("OPENAI_API_KEY", "")
	cfg := config.Default()
	cfg.LLM.Endpoints = map[string]config.Endpoint{"writer": {URL: "WRITER_URL"}}
	lines := func(pollers ...string) (string, *Findings) {
		p := Offline(dir)
		p.Open = nil
		for _, identity := range pollers {
			p.pollers = append(p.pollers, fleet.Poller{Identity: identity})
		}
		return strings.Join(p.Models(t.Context(), cfg), "\n"), p
	}
	own := fleet.Identity()

	text, p := lines(own)
	wants(t, "a paid model", text, "critic gpt-5-mini, proposer gpt-5 at "+base+": not the stand-in, so its server "+
		"may charge for every call",
		"writer gpt-5 at WRITER_URL of the worker's environment: not known here")
	wants(t, "what was checked", fmt.Sprint(p.Fit), "an answer of the LLM at "+base)
	wants(t, "what was not", fmt.Sprint(p.Open), "the worker's key and the models' names", "the LLM at WRITER_URL")
	cfg.Limits.USD = 5
	text, _ = lines(own)
	wants(t, "a cap", text, "up to limits.usd = 5")
	standIn = true
	text, p = lines(own)
	wants(t, "the stand-in", text, base+": the rule-based stand-in, no language model, which costs nothing")
	if p.StandIn {
		t.Error("the writer's server is taken for the stand-in")
	}
	endpoints := cfg.LLM.Endpoints
	cfg.LLM.Endpoints = nil
	if _, p = lines(own); !p.StandIn {
		t.Error("only the stand-in is asked, and it is not said")
	}
	if _, p = lines(own, "7@elsewhere@"); p.StandIn {
		t.Error("what another worker asks is taken for the stand-in")
	}
	cfg.LLM.Endpoints = map[string]config.Endpoint{}
	for _, role := range config.Roles {
		cfg.LLM.Endpoints[role] = config.Endpoint{URL: "OWN_URL"}
	}
	if _, p = lines(own); p.StandIn || len(p.Fit)+len(p.Warnings) > 0 || len(p.Open) != 1 {
		t.Errorf("every role has an endpoint of its own, and the worker's LLM is checked: %+v", p)
	}
	cfg.LLM.Endpoints = endpoints
	_, p = lines(own, "7@elsewhere@")
	wants(t, "another worker", fmt.Sprint(p.Warnings),
		"1 of 2 workers are not the dev stack's: which LLM they ask is not known here")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")
	_, p = lines(own)
	wants(t, "another shell", fmt.Sprint(p.Warnings),
		"this shell names the LLM at http://127.0.0.1:2/v1, and the worker was started with "+base)
	text, _ = lines()
	wants(t, "no worker", text, "epb dev up in this shell starts a worker that asks http://127.0.0.1:2/v1")
	text, _ = lines("7@elsewhere@")
	wants(t, "a worker elsewhere", text, "critic gpt-5-mini, proposer gpt-5 at OPENAI_BASE_URL of the worker's "+
		"environment: not known here")
	t.Setenv("OPENAI_BASE_URL", "http://somebody:secret@127.0.0.1:2/v1")
	for _, pollers := range [][]string{nil, {own}} {
		text, p = lines(pollers...)
		if said := text + fmt.Sprint(p.Warnings, p.Open); strings.Contains(said, "secret") {
			t.Errorf("a password is shown: %s", said)
		}
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")
	server.Close()
	text, p = lines(own)
	wants(t, "silence", text+fmt.Sprint(p.Warnings), base+": it does not answer now",
		"until it answers, the run trains and then waits")
	if len(p.Fit) > 0 {
		t.Errorf("%v is fit", p.Fit)
	}
}
