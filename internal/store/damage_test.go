package store_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/store"
)

// TestDamage damages what a real MinIO wrote to its disk, and what comes from it.
func TestDamage(t *testing.T) {
	stack := devstacktest.Start(t, devstack.MinIO)
	s, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	disk := devstacktest.Folder(stack, "")
	t.Run("disk", func(t *testing.T) { testDisk(t, s, stack) })
	t.Run("programs", func(t *testing.T) { testPrograms(t, s, stack) })
	t.Run("way", func(t *testing.T) { testWay(t, stack.Store()) })
	t.Run("older version", func(t *testing.T) { testOlderVersion(t, stack.Store()) })
	t.Run("full", func(t *testing.T) { testFull(t, stack.Store()) })
	t.Run("away", func(t *testing.T) { testAway(t, stack.Store()) })
	t.Run("bucket lost", func(t *testing.T) { testBucketLost(t, s, disk) }) // at last
}

func flip(b []byte, i int) []byte {
	b[i] ^= 1
	return b
}

func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(b), 0o600); err != nil {
		t.Fatal(err)
	}
}

// testDisk: whatever happens to the content of an object on its disk, reading it tells and putting it again mends it.
func testDisk(t *testing.T, s *store.Store, stack *devstack.Stack) {
	for name, tt := range map[string]struct {
		size  int
		spoil func([]byte) []byte
	}{
		"a byte of a small one":        {2 << 10, func(b []byte) []byte { return flip(b, len(b)/2) }},
		"a late byte of a large one":   {3 << 20, func(b []byte) []byte { return flip(b, len(b)/8*7) }},
		"the end of one kept in parts": {20 << 20, func(b []byte) []byte { return b[:len(b)-9] }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is waiting for the next try
			data := append(bytes.Repeat([]byte("0123456789abcdef"), tt.size/16), name...)
			ref, err := s.Put(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			rewrite(t, devstacktest.Content(t, stack, ref.Key()), tt.spoil)
			_, err = s.Get(t.Context(), ref)
			if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), ref.Key()) {
				t.Errorf("get: error %v, want one about damage that names the key", err)
			}
			if _, err := s.Put(t.Context(), data); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Get(t.Context(), ref); err != nil || !bytes.Equal(got, data) {
				t.Errorf("after putting it again: %d bytes, %v", len(got), err)
			}
		})
	}
	t.Run("key", func(t *testing.T) {
		t.Parallel()
		if err := s.PutKey(t.Context(), "kept", bytes.Repeat([]byte("first"), 100)); err != nil {
			t.Fatal(err)
		}
		rewrite(t, devstacktest.Content(t, stack, "kept"), func(b []byte) []byte { return flip(b, len(b)-100) })
		_, err := s.GetKey(t.Context(), "kept")
		if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "kept") {
			t.Errorf("get: error %v, want one about damage that names the key", err)
		}
		if created, err := s.PutKeyIfAbsent(t.Context(), "kept", []byte("second")); !created || err != nil {
			t.Errorf("put if absent over it: created %v, %v", created, err)
		}
		if got, err := s.GetKey(t.Context(), "kept"); err != nil || string(got) != "second" {
			t.Errorf("after putting it again: %q, %v", got, err)
		}
	})
}

// testPrograms: a compiled program that is damaged is compiled again.
func testPrograms(t *testing.T, s *store.Store, stack *devstack.Stack) {
	cache := store.ProgramCache(s)
	if err := cache.Put(t.Context(), "key", []byte("wasm of a program")); err != nil {
		t.Fatal(err)
	}
	rewrite(t, devstacktest.Content(t, stack, "wasm/key.wasm"), func(b []byte) []byte { return flip(b, len(b)-3) })
	if _, ok, err := cache.Get(t.Context(), "key"); ok || err != nil {
		t.Errorf("a damaged one: found %v, %v", ok, err)
	}
	if err := cache.Put(t.Context(), "key", []byte("wasm of a program")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := cache.Get(t.Context(), "key"); !ok || err != nil {
		t.Errorf("compiled again: found %v, %v", ok, err)
	}
}

// through returns a store behind a proxy, which may answer in the place of the server or change what it answers.
func through(
	t *testing.T, c store.Config,
	answer func(http.ResponseWriter, *http.Request) bool, change func(*http.Response) error,
) *store.Store {
	t.Helper()
	target, err := url.Parse(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = change
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer == nil || !answer(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	c.Endpoint = server.Listener.Addr().String()
	s, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// flipOnTheWay changes a byte of every object that is read.
func flipOnTheWay(r *http.Response) error {
	if r.Request.Method != http.MethodGet || r.Header.Get("ETag") == "" {
		return nil
	}
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(flip(b, len(b)/2)))
	return nil
}

// testWay: a server without checksums of its own is not trusted either.
func testWay(t *testing.T, c store.Config) {
	s := through(t, c, nil, flipOnTheWay)
	ref, err := s.Put(t.Context(), []byte("a bank"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutKey(t.Context(), "scores/one", []byte("scores")); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() ([]byte, error){
		"content": func() ([]byte, error) { return s.Get(t.Context(), ref) },
		"key":     func() ([]byte, error) { return s.GetKey(t.Context(), "scores/one") },
		"derived": func() ([]byte, error) { return s.GetDerived(t.Context(), "scores/one") },
	} {
		_, err := read()
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: error %v, want one about damage", name, err)
			continue
		}
		for _, part := range []string{"want", "found", "SHA-256", "put a sound copy"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v does not say %q", name, err, part)
			}
		}
	}
}

// testOlderVersion reads objects without a hash: those that cannot be made again go by the server's MD5.
func testOlderVersion(t *testing.T, c store.Config) {
	bare := func(r *http.Response) error {
		r.Header.Del("X-Amz-Meta-Sha256")
		return nil
	}
	s := through(t, c, nil, bare)
	if err := s.PutKey(t.Context(), "llm/old.json", []byte("paid")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.GetKey(t.Context(), "llm/old.json"); err != nil || string(got) != "paid" {
		t.Errorf("read %q, %v", got, err)
	}
	if _, err := s.GetDerived(t.Context(), "llm/old.json"); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("as derived data: error %v, want one about damage", err)
	}
	if created, err := s.PutKeyIfAbsent(t.Context(), "llm/old.json", []byte("again")); created || err != nil {
		t.Errorf("put if absent over it: created %v, %v", created, err)
	}
	s = through(t, c, nil, func(r *http.Response) error { return errors.Join(bare(r), flipOnTheWay(r)) })
	_, err := s.GetKey(t.Context(), "llm/old.json")
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "MD5") {
		t.Errorf("damaged: error %v, want one about its MD5", err)
	}
}

// testFull answers as MinIO does without free space.
func testFull(t *testing.T, c store.Config) {
	s := through(t, c, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusInsufficientStorage)
		_, _ = io.WriteString(w, "<Error><Code>XMinioStorageFull</Code><Message>"+
			"Storage backend has reached its minimum free drive threshold.</Message></Error>")
		return true
	}, nil)
	for name, put := range map[string]func() error{
		"put":     func() error { _, err := s.Put(t.Context(), []byte("too much")); return err },
		"put key": func() error { return s.PutKey(t.Context(), "full", []byte("too much")) },
	} {
		err := put()
		if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "free space for http://127.0.0.1:") {
			t.Errorf("%s: error %v does not say what to do", name, err)
		}
	}
}

// testAway asks a server that is gone.
func testAway(t *testing.T, c store.Config) {
	gone := false
	s := through(t, c, func(w http.ResponseWriter, r *http.Request) bool {
		if gone {
			panic(http.ErrAbortHandler)
		}
		return false
	}, nil)
	gone = true
	_, err := s.GetKey(t.Context(), "runs/one")
	if err == nil || !strings.Contains(err.Error(), "get runs/one: the store at http://127.0.0.1:") ||
		!strings.Contains(err.Error(), "does not answer") {
		t.Errorf("error %v does not say who does not answer", err)
	}
}

// testBucketLost: where the whole bucket is gone, no object is known to be absent, and nothing is made or paid for
// again.
func testBucketLost(t *testing.T, s *store.Store, disk string) {
	if err := os.Rename(disk, disk+"-away"); err != nil {
		t.Fatal(err)
	}
	_, err := s.GetKey(t.Context(), "kept")
	if err == nil || errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "bucket") {
		t.Errorf("error %v, want one about the bucket", err)
	}
}
