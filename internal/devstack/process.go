package devstack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	osprocess "github.com/epb-nco/epb/internal/process"
)

// process is what a pid file holds. A pid is reused sooner or later, so the kernel's start time goes with it.
type process struct {
	PID   int               `json:"pid"`
	Born  string            `json:"born"`  // see process.Born
	Parts map[string]string `json:"parts"` // fingerprint of what was started, see Stack.fingerprint
	// of a worker: base URL that its environment named; empty for the stand-in's
	LLM string `json:"llm,omitempty"`
}

func (p *process) alive() bool {
	return p != nil && p.PID > 0 && p.Born != "" && osprocess.Born(p.PID) == p.Born
}

// maxLog is the size at which a log is put aside as NAME.log.old when its service starts.
const maxLog = 16 << 20 // bytes

// spawn starts cmd in a session of its own and appends its output to the log. If attached, the process ends with this
// one.
func spawn(cmd *exec.Cmd, log string, attached bool) (*process, error) {
	if info, err := os.Stat(log); err == nil && info.Size() > maxLog {
		if err := os.Rename(log, log+".old"); err != nil {
			return nil, err
		}
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	fmt.Fprintf(out, "--- %s %s\n", time.Now().Format(time.RFC3339), filepath.Base(cmd.Path))
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = detach(attached)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{PID: cmd.Process.Pid, Born: osprocess.Born(cmd.Process.Pid)}
	go cmd.Wait() // reaps it while this program lives
	return p, nil
}

// stop asks the process to end, and kills it if it does not.
func (p *process) stop(grace time.Duration) error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGTERM, grace}, {syscall.SIGKILL, 5 * time.Second}} {
		if !p.alive() {
			return nil
		}
		if err := syscall.Kill(p.PID, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop process %d: %w", p.PID, err)
		}
		for end := time.Now().Add(step.wait); p.alive() && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
	}
	if p.alive() {
		return fmt.Errorf("process %d does not end", p.PID)
	}
	return nil
}

// readProcess reads a pid file. It returns nil if there is none or its content is not valid.
func readProcess(path string) *process {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	p := &process{}
	if json.Unmarshal(data, p) != nil {
		return nil
	}
	return p
}

func (p *process) write(path string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
