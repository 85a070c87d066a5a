package llm_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/epb-nco/epb/internal/llm"
)

var byRule = strings.NewReplacer("m-2026", llm.StandIn, `"hi"`, `"by rule"`).Replace(good)

// listed is the stand-in's list of models.
const listed = `{"object":"list","data":[{"id":"` + llm.StandIn + `","object":"model"}]}`

// endpoint counts completions and probes apart.
type endpoint struct {
	*llm.Cached
	calls, probes atomic.Int32
	url           string
	close         func()
}

func newEndpoint(t *testing.T, cache llm.Cache, complete, models http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/v1/models" {
			e.probes.Add(1)
			models(w, r)
			return
		}
		e.calls.Add(1)
		complete(w, r)
	}))
	t.Cleanup(srv.Close)
	e.url, e.close = srv.URL+"/v1", srv.Close
	client, err := llm.New(llm.Config{BaseURL: e.url})
	if err != nil {
		t.Fatal(err)
	}
	e.Cached = &llm.Cached{Client: client, Cache: cache}
	return e
}

func newStandIn(t *testing.T, cache llm.Cache) *endpoint {
	return newEndpoint(t, cache, reply(200, byRule), reply(200, listed))
}

func (e *endpoint) answers(t *testing.T, want string, calls, probes int32) {
	t.Helper()
	answer, err := e.Complete(t.Context(), llm.Endpoint{}, ask)
	if err != nil || answer.Text != want || e.calls.Load() != calls || e.probes.Load() != probes {
		t.Errorf("answer %q (%v) after %d calls and %d probes, want %q after %d and %d",
			answer.Text, err, e.calls.Load(), e.probes.Load(), want, calls, probes)
	}
}

// What the stand-in answered serves where the stand-in would be asked again, and nowhere else.
func TestStandInsAnswersGiveWay(t *testing.T) {
	cache := &memory{m: map[string][]byte{}}
	first := newStandIn(t, cache)
	first.answers(t, "by rule", 1, 0)
	first.answers(t, "by rule", 1, 0) // it has said who it is
	again := newStandIn(t, cache)     // as after a restart
	again.answers(t, "by rule", 0, 1)
	again.answers(t, "by rule", 0, 1)

	for name, models := range map[string]http.HandlerFunc{
		"models": reply(200, `{"data":[{"id":"m"}]}`), "no key": reply(401, `{}`),
		"no such path": reply(404, `<html>`), "broken": reply(500, ``), "null": reply(200, `null`),
	} {
		cache := &memory{m: map[string][]byte{}}
		newStandIn(t, cache).answers(t, "by rule", 1, 0)
		e := newEndpoint(t, cache, reply(200, good), models)
		e.answers(t, "hi", 1, 1)
		e.answers(t, "hi", 1, 1)
		newEndpoint(t, cache, reply(200, good), models).answers(t, "hi", 0, 0)
		newStandIn(t, cache).answers(t, "hi", 0, 0) // paid for, and better
		if t.Failed() {
			t.Fatal(name)
		}
		for model, want := range map[string]string{"m-2026": "hi", llm.StandIn: "by rule"} {
			r, ok, err := llm.Stored(t.Context(), cache, ask.Key(), model)
			if err != nil || !ok || r.Request != ask || r.Answer.Text != want {
				t.Errorf("stored %+v, %v (%v), want %q", r, ok, err, want)
			}
		}
	}
}

// A worker goes on with what it has while nothing answers, and does not wait for every answer anew.
func TestStandInsAnswersServeInSilence(t *testing.T) {
	t.Parallel() // waits for a server that hangs
	cache := &memory{m: map[string][]byte{}}
	newStandIn(t, cache).answers(t, "by rule", 1, 0)
	e := newStandIn(t, cache)
	e.close()
	e.answers(t, "by rule", 0, 0)
	answer, err := e.Complete(t.Context(), llm.Endpoint{URL: "UNSET_URL"}, ask)
	if err != nil || answer.Text != "by rule" {
		t.Errorf("endpoint that is not set: %q (%v)", answer.Text, err)
	}

	slow := newEndpoint(t, cache, hang, hang)
	for range 3 {
		slow.answers(t, "by rule", 0, 1) // waited for once
	}
}

// A real server that is known and then fails is waited for; a rule's answer is not put in its place.
func TestRealServerIsWaitedFor(t *testing.T) {
	cache := &memory{m: map[string][]byte{}}
	newStandIn(t, cache).answers(t, "by rule", 1, 0)
	e := newEndpoint(t, cache, reply(503, `{}`), reply(503, `{}`))
	for range 2 {
		answer, err := e.Complete(t.Context(), llm.Endpoint{}, ask)
		if !errors.Is(err, llm.ErrNoAnswer) || e.probes.Load() != 1 {
			t.Errorf("answer %+v (%v) after %d probes", answer, err, e.probes.Load())
		}
	}
}

// The same question to the stand-in and to a language model at the same time is two.
func TestStandInsAnswerIsNotShared(t *testing.T) {
	cache := &memory{m: map[string][]byte{}}
	var begun sync.WaitGroup // both are asked before either answers
	begun.Add(2)
	meet := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			begun.Done()
			begun.Wait()
			answer(w, r)
		}
	}
	e := newEndpoint(t, cache, meet(reply(200, byRule)), reply(200, listed))
	model := newEndpoint(t, cache, meet(reply(200, good)), reply(200, `{"data":[{"id":"m"}]}`))
	t.Setenv("MODEL_URL", model.url)
	var wg sync.WaitGroup
	for at, want := range map[llm.Endpoint]string{{}: "by rule", {URL: "MODEL_URL"}: "hi"} {
		wg.Go(func() {
			if answer, err := e.Complete(t.Context(), at, ask); err != nil || answer.Text != want {
				t.Errorf("%+v: answer %q (%v), want %q", at, answer.Text, err, want)
			}
		})
	}
	wg.Wait()
	// Both are kept, whichever came first.
	for model, want := range map[string]string{"m-2026": "hi", llm.StandIn: "by rule"} {
		if r, ok, err := llm.Stored(t.Context(), cache, ask.Key(), model); err != nil || !ok || r.Answer.Text != want {
			t.Errorf("stored %+v, %v (%v), want %q", r, ok, err, want)
		}
	}
}

// A stand-in's answer that could not be stored is kept like any other.
func TestStandInsAnswerIsStoredBeforeUse(t *testing.T) {
	cache := &memory{m: map[string][]byte{}, broken: errors.New("disk full")}
	e := newStandIn(t, cache)
	e.SaveWaits = noWaits
	if _, err := e.Complete(t.Context(), llm.Endpoint{}, ask); !errors.Is(err, cache.broken) {
		t.Fatalf("error %v: an answer that is not stored must not be used", err)
	}
	cache.broken = nil
	e.answers(t, "by rule", 1, 0)
	if len(cache.m) != 1 {
		t.Errorf("%d records, want one", len(cache.m))
	}
}

// What an earlier version stored of the stand-in, under its former name and with a mark, is still the stand-in's.
func TestFormerStandInsAnswersAreRead(t *testing.T) {
	request, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	former := `{"request":` + string(request) + `,"answer":{"text":"by rule","model":"epb-standin","stand_in":true}}`
	cache := &memory{m: map[string][]byte{ask.Key() + "-standin": []byte(former)}}
	newStandIn(t, cache).answers(t, "by rule", 0, 1)
	for _, name := range []string{llm.StandIn, "epb-standin"} { // journals of then say the former name
		r, ok, err := llm.Stored(t.Context(), cache, ask.Key(), name)
		if err != nil || !ok || r.Answer.Model != llm.StandIn || !r.Answer.Spend("m", nil).StandIn {
			t.Errorf("%s: stored %+v, %v (%v), want an answer of %s", name, r, ok, err, llm.StandIn)
		}
	}
}
