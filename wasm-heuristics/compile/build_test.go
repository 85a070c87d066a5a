package compile_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

func toolchain(t testing.TB) *compile.Toolchain {
	t.Helper()
	tc, err := compile.Find()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return tc
}

// TestComplaints: what only the compiler finds is reported on the author's line, whatever fuel was added before it.
func TestComplaints(t *testing.T) {
	tc := toolchain(t)
	for _, c := range badCases(t) {
		if c.stage != string(compile.StageTinyGo) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			_, err := tc.Build(context.Background(), c.src)
			var e *compile.Error
			if !errors.As(err, &e) || string(e.Stage) != c.stage || e.Line != c.line || !strings.Contains(e.Msg, c.text) {
				t.Errorf("got %v, want stage %s, line %d, %q", err, c.stage, c.line, c.text)
			}
		})
	}
}

// TestBuildRepeats: concurrent builds in folders of their own give the same bytes.
func TestBuildRepeats(t *testing.T) {
	tc := toolchain(t)
	tc.Cache = ""
	var wasm [3][]byte
	var wg sync.WaitGroup
	for i := range wasm {
		wg.Go(func() {
			var err error
			if wasm[i], err = tc.Build(context.Background(), nearest); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range wasm {
		if len(wasm[i]) == 0 || !bytes.Equal(wasm[i], wasm[0]) {
			t.Errorf("build %d gave %d bytes that differ from the %d of build 0", i, len(wasm[i]), len(wasm[0]))
		}
	}
}

// TestCache: a program built once needs no compiler any more.
func TestCache(t *testing.T) {
	tc := toolchain(t)
	tc.Cache = t.TempDir()
	first, err := tc.Build(context.Background(), nearest)
	if err != nil {
		t.Fatal(err)
	}
	tc.TinyGo = "/nowhere/tinygo"
	again, err := tc.Build(context.Background(), nearest)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("second build: %v, %d bytes, want %d from the cache", err, len(again), len(first))
	}
	if _, err := tc.Build(context.Background(), strings.Replace(nearest, "-here[c]", "here[c]", 1)); err == nil {
		t.Error("another program came from the cache")
	}
}

func TestBuildStops(t *testing.T) {
	tc := toolchain(t)
	tc.Cache = ""
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tc.Build(ctx, nearest); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled build: %v", err)
	}
	tc.Timeout = time.Millisecond
	var e *compile.Error
	if _, err := tc.Build(context.Background(), nearest); err == nil || errors.As(err, &e) || !strings.Contains(err.Error(), "overloaded") {
		t.Errorf("build past its limit: %v, want trouble of the machine, not of the program", err)
	}
}

func TestFindNamesTheRemedy(t *testing.T) {
	t.Setenv("EPB_TINYGO", "/nowhere/tinygo")
	if _, err := compile.Find(); err == nil || !strings.Contains(err.Error(), "EPB_TINYGO") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkBuild(b *testing.B) {
	tc := toolchain(b)
	tc.Cache = ""
	for b.Loop() {
		if _, err := tc.Build(context.Background(), nearest); err != nil {
			b.Fatal(err)
		}
	}
}
