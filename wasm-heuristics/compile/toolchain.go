package compile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Toolchain is a TinyGo that builds programs. It is safe for concurrent use.
type Toolchain struct {
	TinyGo  string        // path of the binary
	Root    string        // TINYGOROOT to set, or empty if the binary knows its own
	Target  string        // TinyGo target the programs' own target inherits from
	Cache   string        // folder of the compiled modules, or empty to build every time
	Work    string        // folder that contains the folders of builds
	Shared  Cache         // compiled modules for other machines too, or nil
	Timeout time.Duration // of a build

	version string              // what `tinygo version` says
	slots   *semaphore.Weighted // limits the number of builds at a time
}

// Cache keeps compiled modules by key. A key keeps the module that was first put there.
type Cache interface {
	Get(ctx context.Context, key string) (wasm []byte, ok bool, err error)
	Put(ctx context.Context, key string, wasm []byte) error
}

// The targets that a program's own target may inherit from. ownTarget lies beside the sources of the TinyGo that this
// project builds from its module: TinyGo's stock WebAssembly targets need git submodules, which a module lacks.
const (
	ownTarget   = "epb"
	stockTarget = "wasm-unknown"
)

// Find looks for TinyGo as tool.Find does. Cache and Work are folders in $EPB_CACHE, by default epb in the user's cache
// folder.
func Find() (*Toolchain, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("find TinyGo: it needs the go command, which is not on PATH")
	}
	bin, err := tool.Find("tinygo")
	if err != nil {
		return nil, err
	}
	cores := int64(runtime.GOMAXPROCS(0))
	t := &Toolchain{TinyGo: bin, Target: stockTarget, Timeout: 2 * time.Minute, slots: semaphore.NewWeighted(cores)}
	roots := []string{os.Getenv("TINYGOROOT"), filepath.Join(filepath.Dir(bin), "..", "tinygoroot")}
	if built, err := filepath.EvalSymlinks(bin); err == nil { // a link to one that was built elsewhere
		roots = append(roots, filepath.Join(filepath.Dir(built), "..", "tinygoroot"))
	}
	for _, root := range roots {
		if root == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, "targets", ownTarget+".json")); err == nil {
			t.Root, t.Target = filepath.Clean(root), ownTarget
			break
		}
	}
	cache := os.Getenv("EPB_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find a folder to build programs in: %w, and EPB_CACHE is not set either", err)
		}
		cache = filepath.Join(user, "epb")
	}
	t.Cache, t.Work = filepath.Join(cache, "wasm"), filepath.Join(cache, "build")
	cmd := exec.Command(t.TinyGo, "version")
	cmd.Env = t.environ()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", t.TinyGo, err)
	}
	t.version = strings.TrimSpace(string(out))
	return t, nil
}

// Version returns what `tinygo version` says, which names TinyGo, Go and LLVM.
func (t *Toolchain) Version() string { return t.version }

// goVariables name the folders where Go keeps its files. A build inherits them and everyday variables, but no keys.
var goVariables = []string{"GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOTMPDIR", "GOENV", "TINYGOROOT", "WASMOPT"}

// environ returns the environment of a build: offline, one module, and none of the user's other Go settings. The
// garbage collector does not run before half of maxBuildMemory is full, since a build takes a second and 130 MB.
func (t *Toolchain) environ() []string {
	env := append(tool.Environ(goVariables...),
		"GOGC=off", fmt.Sprintf("GOMEMLIMIT=%dKiB", maxBuildMemory/2), "GOFLAGS=-mod=mod -buildvcs=false",
		"GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GO111MODULE=on", "GOEXPERIMENT=")
	if t.Root != "" {
		env = append(env, "TINYGOROOT="+t.Root)
	}
	return env
}

// Build compiles a program, or returns the compiled module from a cache. If something is wrong with the program, the
// error is a *heuristic.Error; other errors are the toolchain's own. The same structure (heuristic.Checked.Structure),
// SDK and toolchain give the same bytes. At most as many programs build at a time as there are cores.
func (t *Toolchain) Build(ctx context.Context, src string) ([]byte, error) {
	return t.compiled(ctx, src, false)
}

// compiled compiles a program, traced or not.
func (t *Toolchain) compiled(ctx context.Context, src string, traced bool) ([]byte, error) {
	checked, err := heuristic.Check(src)
	if err != nil {
		return nil, err
	}
	w, lines, err := newWorkspace(checked, t.Target, traced)
	if err != nil {
		return nil, err
	}
	return t.made(ctx, w, lines)
}

// made returns the module that a workspace is compiled to, from a cache or new. lines are those of newWorkspace.
func (t *Toolchain) made(ctx context.Context, w []sourceFile, lines []int) ([]byte, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, t.version, strings.Join(buildFlags, " "))
	for _, f := range w {
		fmt.Fprintln(sum, f.path, len(f.text))
		sum.Write([]byte(f.text))
	}
	key := hex.EncodeToString(sum.Sum(nil))
	if wasm, ok := t.cached(key); ok {
		return wasm, nil
	}
	wasm, err := t.shared(ctx, key, w)
	var found complaints
	var unexplained *buildFailure
	switch {
	case errors.As(err, &found):
		return nil, found.about(lines)
	case errors.As(err, &unexplained):
		return nil, t.blame(ctx, unexplained)
	case err != nil:
		return nil, err
	}
	return wasm, t.keep(key, wasm)
}

// plain is a program that every working toolchain builds within seconds.
const plain = `package plain

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers no city.
func Score(s *tsp.State, score []float32) {}
`

// blame finds the cause of a build that failed without an error about a line: the program if a plain program builds,
// else the toolchain.
func (t *Toolchain) blame(ctx context.Context, failed *buildFailure) error {
	checked, err := heuristic.Check(plain)
	if err != nil {
		return err
	}
	w, _, err := newWorkspace(checked, t.Target, false)
	if err != nil {
		return err
	}
	if _, err := t.build(ctx, w); err != nil {
		return fmt.Errorf("%w, and a plain program fares no better: is the machine overloaded, or TinyGo broken?",
			failed)
	}
	const text = "it cannot be built, where a plain program can (%s): write simpler types and shorter expressions"
	return &heuristic.Error{Stage: heuristic.StageTinyGo, Msg: fmt.Sprintf(text, failed.reason), Err: failed}
}

// shared finds a module in the shared cache, or builds it and puts it there.
func (t *Toolchain) shared(ctx context.Context, key string, w []sourceFile) ([]byte, error) {
	if t.Shared == nil {
		return t.build(ctx, w)
	}
	wasm, ok, err := t.Shared.Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("look up compiled program: %w", err)
	}
	if ok {
		return wasm, nil
	}
	if wasm, err = t.build(ctx, w); err != nil {
		return nil, err
	}
	if err := t.Shared.Put(ctx, key, wasm); err != nil {
		return nil, fmt.Errorf("keep compiled program: %w", err)
	}
	return wasm, nil
}

// cached returns the module that lies in the cache under a key. One that is not what was kept there counts as none.
func (t *Toolchain) cached(key string) ([]byte, bool) {
	if t.Cache == "" {
		return nil, false
	}
	wasm, err := os.ReadFile(filepath.Join(t.Cache, key+moduleEnding))
	if err != nil {
		return nil, false
	}
	sum, err := os.ReadFile(filepath.Join(t.Cache, key+sumEnding))
	return wasm, err == nil && string(sum) == sumOf(wasm)
}

// keep stores a module under its key, and its hash beside it.
func (t *Toolchain) keep(key string, wasm []byte) error {
	if t.Cache == "" {
		return nil
	}
	if err := os.MkdirAll(t.Cache, 0o755); err != nil {
		return fmt.Errorf("keep compiled program: %w", err)
	}
	write := func(ending string, data []byte) error {
		return regular.WriteBytes(filepath.Join(t.Cache, key+ending), data)
	}
	if err := errors.Join(write(moduleEnding, wasm), write(sumEnding, []byte(sumOf(wasm)))); err != nil {
		return fmt.Errorf("keep compiled program: %w", err)
	}
	return nil
}

// The endings of files in the cache: of a module, and of its hash.
const (
	moduleEnding = ".wasm"
	sumEnding    = ".sha256"
)

// sumOf returns the SHA-256 of a module in hex.
func sumOf(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}
