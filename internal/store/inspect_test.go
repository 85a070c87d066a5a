package store_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/store"
)

// testInspect: a bucket that can be used is as it was; what cannot be done is said.
func testInspect(t *testing.T, s *store.Store, c store.Config) {
	before, err := s.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	in, err := store.Inspect(t.Context(), c)
	if err != nil || in.Store == nil || in.Left != "" {
		t.Errorf("%+v, %v", in, err)
	}
	if after, err := s.List(t.Context(), ""); err != nil || len(after) != len(before) {
		t.Errorf("%d objects (%v), before %d", len(after), err, len(before))
	}

	absent := c
	absent.Bucket = "nobody-made-it"
	for range 2 { // the first one does not make it either
		if in, err := store.Inspect(t.Context(), absent); err != nil || in.Store != nil {
			t.Errorf("an absent bucket: %+v, %v", in, err)
		}
		if _, err := store.Find(t.Context(), absent); !errors.Is(err, store.ErrNoBucket) ||
			!strings.Contains(err.Error(), "nobody-made-it") {
			t.Errorf("an absent bucket is found: %v", err)
		}
	}
	wrong := c
	wrong.SecretKey = "not-the-right-secret"
	_, err = store.Inspect(t.Context(), wrong)
	if err == nil || strings.Contains(err.Error(), string(wrong.SecretKey)) {
		t.Errorf("wrong keys: error %v", err)
	}
	for _, refused := range []struct{ method, want string }{
		{http.MethodPut, "write to bucket"}, {http.MethodGet, "read from bucket"}, {http.MethodDelete, ""},
	} {
		limited := c
		limited.Endpoint = forbid(t, c.Endpoint, refused.method)
		in, err := store.Inspect(t.Context(), limited)
		switch {
		case refused.want != "" && (err == nil || !strings.Contains(err.Error(), refused.want)):
			t.Errorf("without %s: error %v, want one with %q", refused.method, err, refused.want)
		case refused.want == "" && (err != nil || in.Left == ""):
			t.Errorf("without %s: %+v, %v; want the object that is left", refused.method, in, err)
		case in.Left != "":
			if _, err := s.GetKey(t.Context(), in.Left); err != nil {
				t.Errorf("what is said to be left: %v", err)
			}
		}
	}
}

// forbid returns the address of a server that passes all on to the endpoint but requests for objects with one method.
func forbid(t *testing.T, endpoint, method string) string {
	t.Helper()
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: endpoint})
		r.Out.Host = r.In.Host // the signature covers it
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method && strings.Contains(r.URL.Path, "/probe/") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}
