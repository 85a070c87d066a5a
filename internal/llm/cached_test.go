package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/llm"
)

// memory is a Cache that never replaces a record, as the store, and does not store while broken is set.
type memory struct {
	mu     sync.Mutex
	m      map[string][]byte
	broken error
	mends  int // how many failures end it; 0: none
}

// noWaits tries to store an answer once.
var noWaits = []time.Duration{}

func (c *memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data, ok := c.m[key]
	return slices.Clone(data), ok, nil
}

func (c *memory) Put(_ context.Context, key string, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.broken
	if _, there := c.m[key]; err == nil && !there {
		c.m[key] = slices.Clone(data)
	}
	if c.mends--; c.mends == 0 {
		c.broken = nil
	}
	return err
}

func TestCachedAsksOnce(t *testing.T) {
	client, calls := serve(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		reply(200, good)(w, r)
	})
	cache := &memory{m: map[string][]byte{}}
	c := &llm.Cached{Client: client, Cache: cache}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if answer, err := c.Complete(t.Context(), llm.Endpoint{}, ask); err != nil || answer.Text != "hi" {
				t.Errorf("answer %+v, error %v", answer, err)
			}
		})
	}
	wg.Wait()
	again := &llm.Cached{Client: client, Cache: cache} // as after a restart
	if answer, err := again.Complete(t.Context(), llm.Endpoint{}, ask); err != nil || answer.PromptTokens != 11 {
		t.Errorf("answer %+v, error %v", answer, err)
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls reached the server, want 1", calls.Load())
	}
	other := ask
	other.Seed++
	if _, err := again.Complete(t.Context(), llm.Endpoint{}, other); err != nil || calls.Load() != 2 {
		t.Errorf("another seed: %d calls (%v), want 2", calls.Load(), err)
	}

	var record llm.Record
	err := json.Unmarshal(cache.m[ask.Key()], &record)
	if err != nil || record.Request != ask || record.Answer.Text != "hi" {
		t.Errorf("stored %s (%v), want request and reply", cache.m[ask.Key()], err)
	}
}

// TestCachedUsesWhatIsStored: two workers that ask the same question at the same time are both answered with the reply
// that was stored first, since the run is repeated from it.
func TestCachedUsesWhatIsStored(t *testing.T) {
	var asked sync.WaitGroup
	asked.Add(2)
	var n atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text := fmt.Sprintf("answer %d", n.Add(1))
		asked.Done()
		asked.Wait()
		reply(200, strings.Replace(good, `"hi"`, strconv.Quote(text), 1))(w, r)
	})
	cache := &memory{m: map[string][]byte{}}
	var workers sync.WaitGroup
	var got [2]llm.Answer
	for i := range got {
		workers.Go(func() {
			var err error
			c := &llm.Cached{Client: client, Cache: cache}
			if got[i], err = c.Complete(t.Context(), llm.Endpoint{}, ask); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	r, ok, err := llm.Stored(t.Context(), cache, ask.Key(), "m")
	if err != nil || !ok || got[0] != r.Answer || got[1] != r.Answer || r.Answer.Text == "hi" {
		t.Errorf("used %+v, stored %+v, %v (%v)", got, r.Answer, ok, err)
	}
}

func TestCachedStoresBeforeUse(t *testing.T) {
	client, calls := serve(t, reply(200, good))
	cache := &memory{m: map[string][]byte{}, broken: errors.New("disk full")}
	c := &llm.Cached{Client: client, Cache: cache, SaveWaits: noWaits}
	if _, err := c.Complete(t.Context(), llm.Endpoint{}, ask); !errors.Is(err, cache.broken) {
		t.Fatalf("error %v: an answer that is not stored must not be used", err)
	}
	cache.broken = nil
	if answer, err := c.Complete(t.Context(), llm.Endpoint{}, ask); err != nil || answer.Text != "hi" {
		t.Errorf("answer %+v, error %v", answer, err)
	}
	if calls.Load() != 1 || len(cache.m) != 1 {
		t.Errorf("%d calls, %d records; want one each", calls.Load(), len(cache.m))
	}
}

// A store that is away for a moment costs no second call, not even by another process.
func TestCachedTriesToStoreAgain(t *testing.T) {
	full := errors.New("disk full")
	for tries, want := range map[int]error{1: full, 2: full, 3: nil, 4: nil} {
		client, calls := serve(t, reply(200, good))
		cache := &memory{m: map[string][]byte{}, broken: full, mends: 2}
		c := &llm.Cached{Client: client, Cache: cache, SaveWaits: make([]time.Duration, tries-1)}
		if _, err := c.Complete(t.Context(), llm.Endpoint{}, ask); !errors.Is(err, want) {
			t.Errorf("%d tries: error %v, want %v", tries, err, want)
		}
		if _, stored := cache.m[ask.Key()]; stored != (want == nil) || calls.Load() != 1 {
			t.Errorf("%d tries: stored is %v after %d calls", tries, stored, calls.Load())
		}
	}
}

func TestCachedFinishesWhatIsPaid(t *testing.T) {
	asked, left := make(chan struct{}), make(chan struct{})
	client, calls := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-left
		reply(200, good)(w, r)
	})
	c := &llm.Cached{Client: client, Cache: &memory{m: map[string][]byte{}}}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := c.Complete(ctx, llm.Endpoint{}, ask); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	close(left)
	answer, err := c.Complete(t.Context(), llm.Endpoint{}, ask)
	if err != nil || answer.Text != "hi" || calls.Load() != 1 {
		t.Errorf("answer %+v, error %v after %d calls, want the answer of the one call", answer, err, calls.Load())
	}
}

func TestCachedRefusesDamage(t *testing.T) {
	client, calls := serve(t, reply(200, good))
	other, _ := json.Marshal(llm.Record{Request: llm.Request{Model: "x"}})
	for _, data := range [][]byte{[]byte(`{"answer"`), other} {
		c := &llm.Cached{Client: client, Cache: &memory{m: map[string][]byte{ask.Key(): data}}}
		if _, err := c.Complete(t.Context(), llm.Endpoint{}, ask); err == nil {
			t.Errorf("record %s accepted", data)
		}
	}
	if calls.Load() != 0 {
		t.Errorf("%d calls, want none", calls.Load())
	}
}

// A role may have an endpoint of its own, with its own key; the default's key stays at home.
func TestCachedEndpoints(t *testing.T) {
	client, calls := serve(t, reply(200, good))
	var auth []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth = append(auth, r.Header.Get("Authorization"))
		reply(200, good)(w, r)
	}))
	defer other.Close()
	t.Setenv("CRITIC_URL", other.URL+"/v1")
	t.Setenv("CRITIC_KEY", "for the critic")
	c := &llm.Cached{Client: client, Cache: &memory{m: map[string][]byte{}}}
	req := ask
	for i, e := range []llm.Endpoint{{URL: "CRITIC_URL", Key: "CRITIC_KEY"}, {URL: "CRITIC_URL"}} {
		req.Seed = int64(100 + i)
		if _, err := c.Complete(t.Context(), e, req); err != nil {
			t.Fatal(err)
		}
	}
	if calls.Load() != 0 || len(auth) != 2 || auth[0] != "Bearer for the critic" || strings.Contains(auth[1], key) {
		t.Errorf("%d calls of the default endpoint; the other one saw the keys %q", calls.Load(), auth)
	}
	req.Seed = 0
	_, err := c.Complete(t.Context(), llm.Endpoint{URL: "UNSET_URL"}, req)
	if !errors.Is(err, llm.ErrEndpoint) || !strings.Contains(err.Error(), "UNSET_URL") {
		t.Errorf("error %v, want one that names the variable", err)
	}
}

func TestKeySeesEveryField(t *testing.T) {
	seen := map[string]string{ask.Key(): "the request itself"}
	for name, change := range map[string]func(*llm.Request){
		"role":        func(r *llm.Request) { r.Role = llm.Writer },
		"model":       func(r *llm.Request) { r.Model += "x" },
		"system":      func(r *llm.Request) { r.System += "x" },
		"user":        func(r *llm.Request) { r.User += "x" },
		"temperature": func(r *llm.Request) { r.Temperature++ },
		"max tokens":  func(r *llm.Request) { r.MaxTokens++ },
		"seed":        func(r *llm.Request) { r.Seed++ },
		"moved text":  func(r *llm.Request) { r.System, r.User = r.System+"h", r.User[1:] },
	} {
		r := ask
		change(&r)
		if was, twice := seen[r.Key()]; twice {
			t.Errorf("%s and %s have the same key", name, was)
		}
		seen[r.Key()] = name
	}
	const pinned = "dbd7554d23f495ef676060d502c8e19f2f3eaab559c81fcab10d7f18d39a99e2"
	if got := ask.Key(); got != pinned {
		t.Errorf("key %s, want %s: stored answers are lost unless the schema is raised on purpose", got, pinned)
	}
}

// broken is a Cache with a defect.
type broken struct{}

func (broken) Get(context.Context, string) ([]byte, bool, error) { panic("index out of range\nin Get") }
func (broken) Put(context.Context, string, []byte) error         { return nil }

// A panic of a call is one of its caller, who knows what to do about it, and does not end the process.
func TestPanicReachesTheCaller(t *testing.T) {
	client, _ := serve(t, reply(200, good))
	c := &llm.Cached{Client: client, Cache: broken{}}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "index out of range\n") ||
			!strings.Contains(text, "broken.Get") {
			t.Errorf("panic %q, want that of the cache, with its stack", text)
		}
	}()
	_, err := c.Complete(t.Context(), llm.Endpoint{}, ask)
	t.Errorf("error %v, want a panic", err)
}
