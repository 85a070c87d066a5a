package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// Measure lets an exported program and the classic methods solve an instance. The program gets it as a file of its own.
// So it scales an instance that fills less than a quarter of the unit square's side, also one of a file whose others
// lie in the whole square, of which the student sees the coordinates as they are.
func Measure(ctx context.Context, program string, file *instances.File) (Measured, error) {
	in := &file.Instance
	m := Measured{Name: in.Name, Nodes: in.N(), BestKnown: file.BestKnown}
	all, err := run(ctx, program, []routing.Instance{*in})
	if err != nil {
		return m, fmt.Errorf("%s: %s: %w", program, in.Name, err)
	}
	m.Milliseconds = all[0].Milliseconds
	if m.Cost, _, err = file.Cost(all[0].Actions); err != nil {
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

// solved is what a program prints of an instance.
type solved struct {
	Milliseconds float64
	Actions      []int32
}

// run lets a program solve instances of one size.
func run(ctx context.Context, program string, insts []routing.Instance) ([]solved, error) {
	dir, err := os.MkdirTemp("", "epb-export-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var set bytes.Buffer
	if err := instances.WriteNPZ(&set, insts); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "instances.npz")
	if err := os.WriteFile(path, set.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, path, "--json")
	var said bytes.Buffer
	cmd.Env, cmd.Stderr = tool.Environ(), &said
	text, err := cmd.Output()
	// The user does not know the file in which instances are passed on, nor the name that the first has from it.
	unknown := strings.NewReplacer(path+": ", "", filepath.Base(path)+"[0]: ", "")
	if words := strings.TrimSpace(unknown.Replace(said.String())); err != nil && words != "" {
		err = fmt.Errorf("%w: %.300s", err, words)
	}
	if err != nil {
		return nil, err
	}
	all, lines := make([]solved, len(insts)), json.NewDecoder(bytes.NewReader(text))
	for i := range all {
		if err := lines.Decode(&all[i]); err != nil {
			return nil, fmt.Errorf("what it printed: %w", err)
		}
	}
	return all, nil
}
