package compile_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

const nearest = `package nearest

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -here[c]
	}
}
`

// TestBuildRepeats: concurrent builds in folders of their own give the same bytes.
func TestBuildRepeats(t *testing.T) {
	tc := compiletest.Toolchain(t)
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

// TestCache: a program that was built once needs no compiler again.
func TestCache(t *testing.T) {
	tc := compiletest.Toolchain(t)
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

// TestCacheDamage: a module of the cache that is damaged, or whose hash is lost, is built again and kept.
func TestCacheDamage(t *testing.T) {
	tc := compiletest.Toolchain(t)
	shared := &memory{}
	tc.Cache, tc.Shared = t.TempDir(), shared // the second cache stands for the compiler
	first, err := tc.Build(t.Context(), nearest)
	if err != nil {
		t.Fatal(err)
	}
	file := func(ending string) string {
		files, err := filepath.Glob(filepath.Join(tc.Cache, "*"+ending))
		if err != nil || len(files) != 1 {
			t.Fatalf("files %q (%v), want one", files, err)
		}
		return files[0]
	}
	for i, damage := range []func() error{
		func() error { return os.Truncate(file(".wasm"), 0) },
		func() error { return os.Truncate(file(".wasm"), int64(len(first)/2)) },
		func() error { return os.Remove(file(".sha256")) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from the cache
			if again, err := tc.Build(t.Context(), nearest); err != nil || !bytes.Equal(first, again) {
				t.Errorf("damage %d: %v, %d bytes, want %d", i, err, len(again), len(first))
			}
		}
		if want := i + 2; shared.asked != want {
			t.Errorf("damage %d: the shared cache was asked %d times, want %d", i, shared.asked, want)
		}
	}
}

// memory is a shared cache of one module.
type memory struct {
	wasm  []byte
	asked int
}

func (m *memory) Get(context.Context, string) ([]byte, bool, error) {
	m.asked++
	return m.wasm, m.wasm != nil, nil
}

func (m *memory) Put(_ context.Context, _ string, wasm []byte) error {
	m.wasm = wasm
	return nil
}

// TestBuildsShare: the common packages of all programs are compiled once, and a build leaves little in TinyGo's cache.
func TestBuildsShare(t *testing.T) {
	tc := compiletest.Toolchain(t)
	home := t.TempDir()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	t.Setenv("XDG_CACHE_HOME", home) // the parent of TinyGo's cache
	tc.Cache, tc.Work = "", filepath.Join(home, "build")
	cache := func(src string) (packages int, size int64) {
		if _, err := tc.Build(context.Background(), src); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(filepath.Join(home, "tinygo"), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if strings.HasPrefix(d.Name(), "pkg-") && strings.HasSuffix(name, ".bc") {
				packages++
			}
			info, err := d.Info()
			if err == nil {
				size += info.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return packages, size
	}
	first, before := cache(nearest)
	second, after := cache(strings.Replace(nearest, "-here[c]", "here[c]", 1))
	if first == 0 || second-first > 2 {
		t.Errorf("a second program had %d packages compiled after the %d of the first, want 2: its own and main",
			second-first, first)
	}
	if left := after - before; left > 100<<10 {
		t.Errorf("a build leaves %d bytes in TinyGo's cache", left)
	}
}

func TestBuildStops(t *testing.T) {
	tc := compiletest.Toolchain(t)
	tc.Cache = ""
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tc.Build(ctx, nearest); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled build: %v", err)
	}
	tc.Timeout = time.Millisecond
	var e *heuristic.Error
	_, err := tc.Build(context.Background(), nearest)
	if err == nil || errors.As(err, &e) || !strings.Contains(err.Error(), "overloaded") {
		t.Errorf("build past its limit: %v, want trouble of the machine, not of the program", err)
	}
}

// TestBuildBlamesTheProgram: if TinyGo fails on a program but can build another, the error is the program's.
func TestBuildBlamesTheProgram(t *testing.T) {
	t.Parallel()
	tc := compiletest.Toolchain(t)
	tc.Cache, tc.Timeout = "", 30*time.Second
	src := strings.Replace(nearest, "score[k] = -here[c]", "score[k] = -here[c]"+strings.Repeat("+s.X[0]", 4000), 1)
	_, err := tc.Build(context.Background(), src)
	var e *heuristic.Error
	if !errors.As(err, &e) || e.Stage != heuristic.StageTinyGo ||
		!strings.Contains(e.Msg, "where a plain program can") {
		t.Errorf("got %v, want the program's fault", err)
	}
}

func TestFindNamesTheRemedy(t *testing.T) {
	t.Setenv("EPB_TINYGO", "/nowhere/tinygo")
	if _, err := compile.Find(); err == nil || !strings.Contains(err.Error(), "EPB_TINYGO") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkBuild(b *testing.B) {
	tc := compiletest.Toolchain(b)
	tc.Cache = ""
	for b.Loop() {
		if _, err := tc.Build(context.Background(), nearest); err != nil {
			b.Fatal(err)
		}
	}
}
