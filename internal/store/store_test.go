package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/store"
)

// TestStore runs all cases against one real MinIO.
func TestStore(t *testing.T) {
	config := devstacktest.Start(t, devstack.MinIO).Store()
	config.Bucket = "not-there-yet"
	s, err := store.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, *store.Store, store.Config){
		"content":     testContent,
		"damage":      testDamage,
		"keys":        testKeys,
		"not found":   testNotFound,
		"list":        testList,
		"delete":      testDelete,
		"folders":     testFolders,
		"one creator": testOneCreator,
		"large":       testLarge,
		"retries":     testRetries,
		"wrong keys":  testWrongKeys,
		"inspect":     testInspect,
	} {
		t.Run(name, func(t *testing.T) { test(t, s, config) })
	}
}

func testContent(t *testing.T, s *store.Store, _ store.Config) {
	for _, data := range [][]byte{{}, []byte("a shard")} {
		ref, err := s.Put(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if ref != store.RefOf(data) {
			t.Errorf("put %q: %+v, want %+v", data, ref, store.RefOf(data))
		}
		if again, err := s.Put(t.Context(), data); err != nil || again != ref {
			t.Errorf("put again: %+v, %v", again, err)
		}
		if got, err := s.Get(t.Context(), ref); err != nil || !bytes.Equal(got, data) {
			t.Errorf("get: %q, %v; want %q", got, err, data)
		}
	}
}

func testDamage(t *testing.T, s *store.Store, _ store.Config) {
	data := []byte("what was written")
	ref := store.RefOf(data)
	for _, damaged := range []string{"what was wrItten", "what was"} {
		if err := s.PutKey(t.Context(), ref.Key(), []byte(damaged)); err != nil {
			t.Fatal(err)
		}
		_, err := s.Get(t.Context(), ref)
		if err == nil || !strings.Contains(err.Error(), ref.Key()) || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("get of %q: error %v does not name the damaged key", damaged, err)
		}
		// A put of the true content mends it.
		if _, err := s.Put(t.Context(), data); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(t.Context(), ref); err != nil || !bytes.Equal(got, data) {
			t.Errorf("after putting it again: %q, %v", got, err)
		}
	}
}

func testKeys(t *testing.T, s *store.Store, _ store.Config) {
	const key = "runs/one/result.json"
	for _, want := range []string{"first", "second"} {
		if err := s.PutKey(t.Context(), key, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.GetKey(t.Context(), key); err != nil || string(got) != want {
			t.Errorf("get: %q, %v; want %q", got, err, want)
		}
	}
	if created, err := s.PutKeyIfAbsent(t.Context(), key, []byte("third")); created || err != nil {
		t.Errorf("put if absent over an object: created %v, %v", created, err)
	}
	if got, _ := s.GetKey(t.Context(), key); string(got) != "second" {
		t.Errorf("put if absent replaced the object by %q", got)
	}
}

func testNotFound(t *testing.T, s *store.Store, _ store.Config) {
	_, err := s.GetKey(t.Context(), "runs/none")
	if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "runs/none") {
		t.Errorf("get key: %v", err)
	}
	_, err = s.Get(t.Context(), store.RefOf([]byte("never put")))
	if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "put a sound copy") {
		t.Errorf("get: %v", err)
	}
}

func testList(t *testing.T, s *store.Store, _ store.Config) {
	for _, key := range []string{"list/b", "list/a/2", "list/a/1", "lists"} {
		if err := s.PutKey(t.Context(), key, []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.List(t.Context(), "list/")
	if want := "[list/a/1 list/a/2 list/b]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	if got, err := s.List(t.Context(), "nothing/"); err != nil || len(got) != 0 {
		t.Errorf("empty prefix: %v, %v", got, err)
	}
}

func testDelete(t *testing.T, s *store.Store, _ store.Config) {
	var keys []string
	for i := range 1500 { // more than one request of S3's takes
		keys = append(keys, fmt.Sprintf("delete/%04d", i))
	}
	for _, key := range []string{keys[0], keys[1499], "deleted"} {
		if err := s.PutKey(t.Context(), key, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), keys); err != nil {
		t.Errorf("of 1500 keys, two have an object: %v", err)
	}
	if left, err := s.List(t.Context(), "delete"); err != nil || fmt.Sprint(left) != "[deleted]" {
		t.Errorf("%v are left, %v; want the one that was not named", left, err)
	}
	if err := s.Delete(t.Context(), nil); err != nil {
		t.Errorf("nothing to delete: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Delete(ended, keys); err == nil {
		t.Error("what was cancelled is said to be done")
	}
}

func testFolders(t *testing.T, s *store.Store, _ store.Config) {
	for _, key := range []string{"folders/b/x/1", "folders/b/x/2", "folders/a/1", "folders/c", "folders2/d/1"} {
		if err := s.PutKey(t.Context(), key, nil); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]string{"folders/": "[a b]", "folders/b/": "[x]", "nothing/": "[]"} {
		if got, err := s.Folders(t.Context(), folder); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v; want %s", folder, got, err, want)
		}
	}
}

// testOneCreator lets many create the same key at once: one must succeed and its content stay.
func testOneCreator(t *testing.T, s *store.Store, _ store.Config) {
	var creators atomic.Int32
	var winner atomic.Value
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := fmt.Sprint("creator ", i)
			created, err := s.PutKeyIfAbsent(t.Context(), "race", []byte(mine))
			if err != nil {
				t.Error(err)
			}
			if created {
				creators.Add(1)
				winner.Store(mine)
			}
		})
	}
	wg.Wait()
	if n := creators.Load(); n != 1 {
		t.Fatalf("%d creators", n)
	}
	if got, err := s.GetKey(t.Context(), "race"); err != nil || string(got) != winner.Load() {
		t.Errorf("got %q, %v; want %q", got, err, winner.Load())
	}
}

// testLarge is beyond the size from which minio-go uploads in parts. AWS has no condition in the request that begins
// such an upload, which MinIO has.
func testLarge(t *testing.T, _ *store.Store, c store.Config) {
	s := through(t, c, func(w http.ResponseWriter, r *http.Request) bool {
		if !r.URL.Query().Has("uploads") || r.Header.Get("If-None-Match") == "" {
			return false
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusNotImplemented)
		fmt.Fprint(w, "<Error><Code>NotImplemented</Code></Error>")
		return true
	}, nil)
	data := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	ref, err := s.Put(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), ref); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v; want %d", len(got), err, len(data))
	}
	for _, first := range []bool{true, false} {
		if created, err := s.PutKeyIfAbsent(t.Context(), "large", data); created != first || err != nil {
			t.Errorf("if absent: created %v, %v; want %v", created, err, first)
		}
	}
}

// testRetries puts a server that is busy at first between the store and MinIO, then one that stays so.
func testRetries(t *testing.T, _ *store.Store, c store.Config) {
	target, err := url.Parse(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	var busy, seen atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		if busy.Add(-1) >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer server.Close()
	c.Endpoint = server.Listener.Addr().String()
	s, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}

	busy.Store(2)
	if err := s.PutKey(t.Context(), "retried", []byte("x")); err != nil {
		t.Errorf("two refusals: %v", err)
	}
	busy.Store(1000)
	seen.Store(0)
	if err := s.PutKey(t.Context(), "retried", []byte("x")); err == nil {
		t.Error("no error from a server that is always busy")
	}
	if n := seen.Load(); n < 2 || n > 10 {
		t.Errorf("%d requests to a server that is always busy", n)
	}
}

func testWrongKeys(t *testing.T, _ *store.Store, c store.Config) {
	c.SecretKey = "not-the-right-secret"
	_, err := store.Open(t.Context(), c)
	if err == nil {
		t.Fatal("opened")
	}
	if !strings.Contains(err.Error(), c.Endpoint) || !strings.Contains(err.Error(), c.Bucket) {
		t.Errorf("error does not say where: %v", err)
	}
	if strings.Contains(err.Error(), string(c.SecretKey)) {
		t.Errorf("error tells the secret: %v", err)
	}
}

func TestOpenUnreachable(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := store.Config{Endpoint: "127.0.0.1:1", Bucket: "epb", AccessKey: "a", SecretKey: "hush"}
	_, err := store.Open(ctx, c)
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Fatalf("error %v does not say where", err)
	}
}

func TestConfigHidesSecrets(t *testing.T) {
	c := store.Config{Endpoint: "h:1", AccessKey: "key", SecretKey: "hush-1", SessionToken: "hush-2"}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), string(text)} {
		if strings.Contains(s, "hush") {
			t.Errorf("tells a secret: %s", s)
		}
	}
}
