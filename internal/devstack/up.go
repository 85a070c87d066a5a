package devstack

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Options of Up.
type Options struct {
	Addresses          // where to listen; an empty one stays as it is, or is chosen on first use
	Services  []string // which ones; all if empty
	// for tests: any free ports, whatever the environment names, and all die with this process
	Isolated bool
	Say      func(format string, a ...any) // told about each step, if not nil

	// ReplaceLLM allows Up to restart a worker with the stand-in although the worker was started with a named LLM. This
	// applies when the environment names no LLM.
	ReplaceLLM bool
}

// Up starts the services that do not run, and restarts a service whose program, addresses or settings in the
// environment changed; Stack.fingerprint says which variables are settings. When it returns without an error, all are
// healthy. It does not start services that the environment replaces. It checks what it can before it stops anything.
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
	var local []string
	for _, name := range Services() {
		if !slices.Contains(o.Services, name) {
			continue
		}
		if where := external(name); where != "" && !o.Isolated {
			o.Say("%-9s is %s, as configured; not started here", name, where)
			continue
		}
		local = append(local, name)
	}
	s, err := loadOrCreate(dir, local, o)
	if err != nil {
		return nil, err
	}
	if err := s.ready(local, o); err != nil {
		return nil, err
	}
	if slices.Contains(local, Worker) {
		if err := s.reachable(ctx, elsewhere(o)...); err != nil {
			return nil, fmt.Errorf("start %s: %w", Worker, err)
		}
	}
	if err := s.startable(local); err != nil {
		return nil, err
	}
	for _, name := range local {
		s.move(name, o.Addresses)
		if err := s.up(ctx, name, o); err != nil {
			return nil, fmt.Errorf("start %s: %w", name, err)
		}
		if err := s.save(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// loadOrCreate returns the stack of a folder. A new one has the wanted addresses, which must be those of services that
// are to be started.
func loadOrCreate(dir string, services []string, o Options) (*Stack, error) {
	s, err := Load(dir)
	if errors.Is(err, ErrNoStack) {
		if err := among(services, (&Stack{}).moves(o.Addresses)); err != nil {
			return nil, err
		}
		if s, err = newStack(dir, o.Addresses, o.Isolated); err != nil {
			return nil, err
		}
		return s, s.save()
	}
	return s, err
}

// ready fails where services cannot be started as the options want it.
func (s *Stack) ready(services []string, o Options) error {
	moved := s.moves(o.Addresses)
	if err := among(services, moved); err != nil {
		return err
	}
	if err := vacant(moved); err != nil {
		return err
	}
	if !slices.Contains(services, Worker) {
		return nil
	}
	if err := s.workerReady(o.ReplaceLLM); err != nil {
		return fmt.Errorf("start %s: %w", Worker, err)
	}
	return nil
}

// among fails if an address is that of a service which is none of those that are started.
func among(services []string, addresses []address) error {
	for _, a := range addresses {
		if !slices.Contains(services, a.service) {
			return fmt.Errorf("--%s %s: %s is not among what is started here", a.flag, *a.value, a.service)
		}
	}
	return nil
}

// workerReady fails if the environment is not valid for a worker, or if a restart would silently replace a running
// worker's LLM by the stand-in.
func (s *Stack) workerReady(replace bool) error {
	if _, err := connect.TemporalOptions(Servers(s.Dir)); err != nil {
		return err
	}
	if _, err := connect.StoreConfig(Servers(s.Dir)); err != nil {
		return err
	}
	named, err := connect.NamedLLM()
	if err != nil {
		return err
	}
	if _, err := llm.New(named); err != nil {
		return fmt.Errorf("OPENAI_BASE_URL: %w", err)
	}
	if p := readProcess(s.pidFile(Worker)); p.alive() && p.loses(named.BaseURL) && !replace {
		return fmt.Errorf("it runs with the LLM at %s, and neither OPENAI_BASE_URL nor OPENAI_API_KEY is set here, "+
			"so that its runs would go on "+
			"with %s: set them as they were, or mean it with epb dev up --replace-llm", p.LLM, llmWords(""))
	}
	return nil
}

// elsewhere returns the servers that are not started here.
func elsewhere(o Options) []string {
	return slices.DeleteFunc([]string{Temporal, MinIO}, func(name string) bool {
		return o.Isolated || external(name) == ""
	})
}

// reachable fails if a worker that starts now could not reach one of the servers: it would end at once.
func (s *Stack) reachable(ctx context.Context, servers ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if slices.Contains(servers, Temporal) {
		c, err := s.dial(ctx)
		if err != nil {
			return err
		}
		c.Close()
	}
	if !slices.Contains(servers, MinIO) {
		return nil
	}
	c, err := connect.StoreConfig(Servers(s.Dir))
	if err == nil {
		_, err = store.Open(ctx, c)
	}
	return err
}

// startable fails if the program of a service is missing, or a tool that a worker needs to build programs.
func (s *Stack) startable(services []string) error {
	for _, name := range services {
		in, err := s.invocation(name)
		if err == nil {
			_, err = s.fingerprint(name, in)
		}
		if err == nil && name == Worker {
			_, err = compile.Find()
		}
		if err != nil {
			return fmt.Errorf("start %s: %w", name, err)
		}
	}
	return nil
}

// loses reports whether a worker was started with a named LLM and the environment names none now.
func (p *process) loses(named string) bool { return p.LLM != "" && named == "" }

// llmWords names a worker's LLM by the base URL that the environment gave.
func llmWords(named string) string { return cmp.Or(named, "the rule-based stand-in") }

// releases is how long a server that has ended may take to give its addresses back: the system calls a process ended
// when its first thread has, while others still hold its sockets.
const releases = 3 * time.Second

// up starts or restarts one service and waits until it is healthy.
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
	if p.alive() && len(changes(p.Parts, fingerprint)) == 0 {
		if err := s.wait(ctx, name, p, time.Time{}); err != nil {
			return fmt.Errorf("%w; `epb dev down %s` stops it%s", err, name, tail(s.Log(name)))
		}
		o.Say("%-9s runs", name)
		return nil
	}
	if p.alive() {
		o.Say("%-9s has changed (%s): replacing the old one", name, strings.Join(changes(p.Parts, fingerprint), ", "))
		if p.LLM != in.llm {
			o.Say("%-9s LLM: %s → %s", name, llmWords(p.LLM), llmWords(in.llm))
		}
		if lost := lostEndpoints(p.Parts, fingerprint); len(lost) > 0 {
			o.Say("%-9s goes on without %s, which this terminal does not have", name, strings.Join(lost, ", "))
		}
		if name == Worker {
			if err := s.reachable(ctx, Temporal, MinIO); err != nil {
				return fmt.Errorf("%w; the old one goes on", err)
			}
		}
		if err := p.stop(grace(name)); err != nil {
			return err
		}
	}
	err = vacant(s.addressesOf(name))
	for end := time.Now().Add(releases); p != nil && err != nil && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		err = vacant(s.addressesOf(name))
	}
	if err != nil {
		return err
	}
	cmd := exec.Command(in.program, in.args...)
	cmd.Dir = s.Dir
	if root, ok := tool.Repository(); ok {
		cmd.Dir = root
	}
	cmd.Env = in.environ()
	started := time.Now()
	if p, err = spawn(cmd, s.Log(name), o.Isolated); err != nil {
		return err
	}
	p.Parts, p.LLM = fingerprint, in.llm
	if err := p.write(s.pidFile(name)); err != nil {
		p.stop(time.Second) // nobody could find it
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
