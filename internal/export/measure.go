package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/tool"
)

// Measured is what an exported program made of an instance, beside the classic methods. Costs are in the file's units,
// by its rounding rule.
type Measured struct {
	Name         string    `json:"name"`
	Nodes        int       `json:"nodes"` // a depot counted
	Cost         float64   `json:"cost"`
	Milliseconds float64   `json:"milliseconds"` // as the program says; to start it is not counted
	Classics     []Classic `json:"classics"`
	BestKnown    float64   `json:"best_known,omitempty"`
}

// Classic is what a classic method made of an instance.
type Classic struct {
	Method       string  `json:"method"`
	Cost         float64 `json:"cost"`
	Milliseconds float64 `json:"milliseconds"`
}

// Measure lets an exported program and the classic methods solve an instance. The program sees what the student sees of
// it.
func Measure(ctx context.Context, program string, file *instances.File) (Measured, error) {
	in := &file.Instance
	m := Measured{Name: in.Name, Nodes: in.N(), BestKnown: file.BestKnown}
	actions, milliseconds, err := run(ctx, program, in)
	if err != nil {
		return m, fmt.Errorf("%s: %s: %w", program, in.Name, err)
	}
	m.Milliseconds = milliseconds
	if m.Cost, _, err = file.Cost(actions); err != nil {
		return m, fmt.Errorf("%s: %s: %w", program, in.Name, err)
	}
	for _, method := range problems.Must(in.Problem).Constructions() {
		began := time.Now()
		tour := method.Build(in)
		c := Classic{Method: method.Label, Milliseconds: 1000 * time.Since(began).Seconds()}
		if c.Cost, _, err = file.Cost(tour); err != nil {
			return m, fmt.Errorf("%s: %s: %w", method.Label, in.Name, err)
		}
		m.Classics = append(m.Classics, c)
	}
	return m, nil
}

// run lets a program solve one instance.
func run(ctx context.Context, program string, in *routing.Instance) (actions []int32, ms float64, err error) {
	dir, err := os.MkdirTemp("", "epb-export-*")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	var set bytes.Buffer
	if err := instances.WriteNPZ(&set, []routing.Instance{*in}); err != nil {
		return nil, 0, err
	}
	path := filepath.Join(dir, "instance.npz")
	if err := os.WriteFile(path, set.Bytes(), 0o600); err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(ctx, program, path, "--json")
	var said bytes.Buffer
	cmd.Env, cmd.Stderr = tool.Environ(), &said
	text, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %.300s", err, bytes.TrimSpace(said.Bytes()))
	}
	var got struct {
		Milliseconds float64
		Actions      []int32
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return nil, 0, fmt.Errorf("what it printed: %w", err)
	}
	return got.Actions, got.Milliseconds, nil
}
