package compile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// module is the module path of a build's workspace. It is EPB's own, so that the SDK keeps its import path there.
const module = "github.com/epb-nco/epb"

// MeteredExport is an export of modules that must run metered.
const MeteredExport = "epb_metered"

var buildFlags = []string{
	"-opt=2", "-gc=custom", "-scheduler=none", "-panic=trap", "-no-debug", "-internal-nodwarf", "-stack-size=64KB",
}

// memory is the size of a program's memory.
const memory = 16 << 20

// sourceFile is one file of a workspace.
type sourceFile struct{ path, text string }

// moduleFiles returns the first files of a workspace: go.mod, and a TinyGo target with a fixed memory in bytes.
func moduleFiles(inherits string, memory int) []sourceFile {
	const target = `{"inherits": [%q], "ldflags": ["--initial-memory=%d", "--max-memory=%[2]d"]}` + "\n"
	return []sourceFile{
		{"go.mod", "module " + module + "\n\ngo " + source.GoVersion + "\n"},
		{"target.json", fmt.Sprintf(target, inherits, memory)},
	}
}

// metered is a file of the guest for programs whose work fuel does not bound.
const metered = "package main\n\n//go:wasmexport " + MeteredExport + "\nfunc metered() {}\n"

// newWorkspace returns the files of a build: the program, reading its weights, and its SDK, both with fuel, and the
// guest glue. lines are those of the source that the lines of the program were, nil if they are the same. A traced
// program notes its lines.
func newWorkspace(c heuristic.Checked, inherits string, traced bool) (w []sourceFile, lines []int, err error) {
	bare, lines, err := c.Canonical()
	if err != nil {
		return nil, nil, err
	}
	u, changes := bare.Unit, weightReads(bare)
	if traced {
		changes = append(changes, lineNotes(u, lines)...)
	}
	w = append(moduleFiles(inherits, memory),
		sourceFile{"heuristic/heuristic.go", addFuel(u, false, changes)},
		sourceFile{"heuristic/ticker.go", ticker(c.Package)})
	if traced {
		w = append(w, sourceFile{"heuristic/tracer.go", tracer(c.Package)})
	}
	if weights := len(bare.Occurrences()); weights > 0 {
		w = append(w, sourceFile{"heuristic/weights.go", weightsFile(c.Package)},
			sourceFile{"guest/weights.go", weightCount(weights)})
	}
	if !fuelBounds(u) {
		w = append(w, sourceFile{"guest/metered.go", metered})
	}
	w, err = addGuest(w, c.SDK)
	return w, lines, err
}

// addGuest appends the guest glue and the SDK.
func addGuest(w []sourceFile, sdkName string) ([]sourceFile, error) {
	w = append(w, sourceFile{"guest/main.go", guestMain(sdkName)})
	err := fs.WalkDir(guest, guestDir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Dir(p) == guestDir {
			return err
		}
		text, err := guest.ReadFile(p)
		w = append(w, sourceFile{strings.TrimPrefix(p, "_"), string(text)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read embedded guest: %w", err)
	}
	return addSDK(w, sdk.Path+"/"+sdkName, true), nil
}

// addSDK appends an SDK package, with fuel or without, and the SDK packages that it imports.
func addSDK(w []sourceFile, at string, fuel bool) []sourceFile {
	name, ok := strings.CutPrefix(at, sdk.Path+"/")
	if !ok {
		return w
	}
	dir, pkg := "wasm-heuristics/sdk/"+name+"/", source.Packages()[at]
	if slices.ContainsFunc(w, func(f sourceFile) bool { return f.path == dir+pkg.Units[0].Name }) {
		return w
	}
	if fuel {
		w = append(w, sourceFile{dir + "ticker.go", ticker(name)})
	}
	for _, u := range pkg.Units {
		text := u.Text
		if fuel {
			text = addFuel(u, true, nil)
		}
		w = append(w, sourceFile{dir + u.Name, text})
	}
	for _, other := range pkg.Types.Imports() {
		w = addSDK(w, other.Path(), fuel)
	}
	return w
}

// folder returns a folder to build in, and a lock. No other build uses the folder until lock is closed, by this process
// and by all child processes that have the file. Builds share a few folders: TinyGo caches a compiled package by its
// path and text, so it compiles the SDK and the guest glue once for each folder.
func (t *Toolchain) folder() (dir string, lock *os.File, err error) {
	if err := os.MkdirAll(t.Work, 0o755); err != nil {
		return "", nil, err
	}
	for i := 0; ; i++ {
		dir := filepath.Join(t.Work, strconv.Itoa(i))
		if lock, err = os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o644); err != nil {
			return "", nil, err
		}
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return dir, lock, nil
		}
		lock.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return "", nil, err
		}
	}
}

// write empties a folder and writes a workspace to it.
func write(dir string, w []sourceFile) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, f := range w {
		name := filepath.Join(dir, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build compiles a workspace.
func (t *Toolchain) build(ctx context.Context, w []sourceFile) ([]byte, error) {
	if err := t.slots.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("build program: %w", err)
	}
	defer t.slots.Release(1)
	dir, lock, err := t.folder()
	if err != nil {
		return nil, fmt.Errorf("build program: %w", err)
	}
	defer lock.Close()
	if err := write(dir, w); err != nil {
		return nil, fmt.Errorf("build program: %w", err)
	}
	limit, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	script := fmt.Sprintf("ulimit -d %d && exec \"$0\" \"$@\"", maxBuildMemory)
	args := []string{"-c", script, t.TinyGo, "build", "-target=target.json", "-o", "out.wasm"}
	cmd := exec.CommandContext(limit, "sh", append(append(args, buildFlags...), "./guest")...)
	cmd.Dir, cmd.Env = dir, t.environ()
	cmd.ExtraFiles = []*os.File{lock} // the build keeps the lock if it runs longer than a killed worker
	// TinyGo starts go and the linker. With a process group, they all end together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("build program: %w", ctx.Err())
	case limit.Err() != nil:
		return nil, &buildFailure{fmt.Sprintf("tinygo took longer than %v", t.Timeout)}
	case err != nil:
		return nil, buildError(string(out), err)
	}
	wasm, err := os.ReadFile(filepath.Join(dir, "out.wasm"))
	if err != nil {
		return nil, fmt.Errorf("build program: %w", err)
	}
	return wasm, nil
}

// maxBuildMemory is how much each process of a build may allocate, in KiB. The largest of the banks' programs takes 160
// MiB.
const maxBuildMemory = 1 << 20

// complaints are TinyGo's errors about lines of the program.
type complaints []complaint

type complaint struct {
	line int // in the workspace's text
	text string
}

// Error returns all complaints.
func (c complaints) Error() string { return "build program: " + c.about(nil).Error() }

// about returns the complaints as an error about lines of the source. lines are those of newWorkspace.
func (c complaints) about(lines []int) *heuristic.Error {
	at := func(i int) int {
		if line := c[i].line; line < 1 || line > len(lines) {
			return line
		}
		return lines[c[i].line-1]
	}
	msg := c[0].text
	for i, more := range c[1:] {
		msg += fmt.Sprintf("; line %d: %s", at(1+i), more.text)
	}
	return heuristic.Refusal(heuristic.StageTinyGo, at(0), msg)
}

// buildFailure is a failed build without an error message about a line of the program.
type buildFailure struct{ reason string }

func (f *buildFailure) Error() string { return "build program: " + f.reason }

var lineOfProgram = regexp.MustCompile(`heuristic\.go:(\d+)(?::\d+)?: (.*)`)

// buildError turns TinyGo's output into complaints, or into a buildFailure if the output does not name the program.
func buildError(out string, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("build program: %w", err)
	}
	var all complaints
	for _, found := range lineOfProgram.FindAllStringSubmatch(out, 5) {
		line, _ := strconv.Atoi(found[1])
		all = append(all, complaint{line, found[2]})
	}
	if all == nil {
		return &buildFailure{fmt.Sprintf("tinygo: %v: %s", err, heuristic.Shortened(strings.TrimSpace(out)))}
	}
	return all
}
