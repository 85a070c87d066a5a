package devstack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/epb-nco/epb/internal/tool"
)

// Options of Up.
type Options struct {
	Addresses                               // where to listen; an empty one stays as it is, or is chosen on first use
	Services  []string                      // which ones; all if empty
	Isolated  bool                          // for tests: any free ports, whatever the environment names, and all die with this process
	Say       func(format string, a ...any) // told about each step, if not nil
}

// Up starts those services that do not run, and restarts one whose program, addresses or environment changed. When it returns
// without an error, all are healthy. Services that the environment replaces are left out.
func Up(ctx context.Context, dir string, o Options) (*Stack, error) {
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	if len(o.Services) == 0 {
		o.Services = Services()
	}
	for _, name := range o.Services {
		if !slices.Contains(Services(), name) {
			return nil, fmt.Errorf("no service %q: there are %s", name, strings.Join(Services(), ", "))
		}
	}
	dir, unlock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, err := loadOrCreate(dir, o)
	if err != nil {
		return nil, err
	}
	for _, name := range Services() {
		if !slices.Contains(o.Services, name) {
			continue
		}
		if where := external(name); where != "" && !o.Isolated {
			o.Say("%-9s is %s, as configured; not started here", name, where)
			continue
		}
		if err := s.up(ctx, name, o); err != nil {
			return nil, fmt.Errorf("start %s: %w", name, err)
		}
	}
	return s, nil
}

func loadOrCreate(dir string, o Options) (*Stack, error) {
	s, err := Load(dir)
	if errors.Is(err, ErrNoStack) {
		if s, err = newStack(dir, o.Addresses, o.Isolated); err != nil {
			return nil, err
		}
		return s, s.save()
	}
	if err != nil {
		return nil, err
	}
	changed, err := s.change(o.Addresses)
	if err == nil && changed {
		err = s.save()
	}
	return s, err
}

// up brings one service to health.
func (s *Stack) up(ctx context.Context, name string, o Options) error {
	in, err := s.invocation(name)
	if err != nil {
		return err
	}
	fingerprint, err := s.fingerprint(name, in)
	if err != nil {
		return err
	}
	p := readProcess(s.pidFile(name))
	if p.alive() && p.Command == fingerprint {
		if err := s.wait(ctx, name, p, time.Time{}); err != nil {
			return fmt.Errorf("%w; `epb dev down %s` stops it%s", err, name, tail(s.Log(name)))
		}
		o.Say("%-9s runs", name)
		return nil
	}
	if p.alive() {
		o.Say("%-9s has changed: stopping the old one", name)
		if err := p.stop(grace(name)); err != nil {
			return err
		}
	}
	for _, a := range s.addressesOf(name) {
		if err := free(*a.value); err != nil {
			return fmt.Errorf("%w; stop what uses it or choose another: epb dev up --%s HOST:PORT", err, a.flag)
		}
	}
	cmd := exec.Command(in.program, in.args...)
	cmd.Dir = s.Dir
	if root, ok := tool.Repository(); ok {
		cmd.Dir = root
	}
	cmd.Env = append(os.Environ(), in.env...)
	started := time.Now()
	if p, err = spawn(cmd, s.Log(name), o.Isolated); err != nil {
		return err
	}
	p.Command = fingerprint
	if err := p.write(s.pidFile(name)); err != nil {
		return err
	}
	if err := s.wait(ctx, name, p, started); err != nil {
		p.stop(time.Second)
		os.Remove(s.pidFile(name))
		return fmt.Errorf("%w%s", err, tail(s.Log(name)))
	}
	o.Say("%-9s started in %.1f s", name, time.Since(started).Seconds())
	return nil
}

// Down stops those services that run, last started first, or only the named ones. It reports which it stopped.
func Down(dir string, services ...string) (stopped []string, err error) {
	if len(services) == 0 {
		services = Services()
	}
	for _, name := range services {
		if !slices.Contains(Services(), name) {
			return nil, fmt.Errorf("no service %q: there are %s", name, strings.Join(Services(), ", "))
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	dir, unlock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s := &Stack{Dir: dir} // a damaged stack.json must not keep anything from being stopped
	for _, name := range slices.Backward(Services()) {
		if !slices.Contains(services, name) {
			continue
		}
		p := readProcess(s.pidFile(name))
		if p.alive() {
			if err := p.stop(grace(name)); err != nil {
				return stopped, fmt.Errorf("stop %s: %w", name, err)
			}
			stopped = append(stopped, name)
		}
		os.Remove(s.pidFile(name))
	}
	return stopped, nil
}

// grace is how long a service may take to end by itself. A worker waits for answers of the LLM first.
func grace(service string) time.Duration {
	if service == Worker {
		return 20 * time.Second
	}
	return 10 * time.Second
}

// free reports whether something could listen there.
func free(addr string) error {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("another program listens on %s", addr)
	}
	if err != nil {
		return err
	}
	return l.Close()
}

// lock makes the stack's folders and keeps other processes from starting and stopping at the same time.
func lock(dir string) (abs string, unlock func(), err error) {
	if abs, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	for _, sub := range []string{"data/minio", "data/certs", "logs", "run"} {
		if err := os.MkdirAll(filepath.Join(abs, sub), 0o700); err != nil {
			return "", nil, err
		}
	}
	f, err := os.OpenFile(filepath.Join(abs, "run", "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return "", nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return abs, func() { f.Close() }, nil
}

// tail quotes the end of a log for an error message, from the last start on.
func tail(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if i := bytes.LastIndex(data, []byte("--- ")); i >= 0 {
		data = data[i:]
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) > 15 {
		lines = lines[len(lines)-15:]
	}
	return fmt.Sprintf("\nlast lines of %s:\n  %s", path, strings.Join(lines, "\n  "))
}
