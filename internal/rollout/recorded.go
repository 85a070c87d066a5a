package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// Recorded is a shard as a policy: on an instance of the shard it repeats the first trajectory that was recorded
// there. It replaces a teacher without a checkpoint, and cannot decide on any other state.
type Recorded struct {
	sh    *Shard
	first map[string]int // instance → its first trajectory
}

// Replay returns the shard as a policy.
func Replay(sh *Shard) *Recorded {
	p := &Recorded{sh: sh, first: make(map[string]int, sh.Instances())}
	for r := sh.Trajectories() - 1; r >= 0; r-- {
		in := sh.Instance(int(sh.InstanceOf[r]))
		p.first[identity(&in)] = r
	}
	return p
}

// Name implements routing.Policy.
func (p *Recorded) Name() string { return p.sh.Teacher }

// Decoder implements routing.Policy.
func (p *Recorded) Decoder() (routing.Decoder, error) { return p, nil }

// Close implements routing.Decoder.
func (p *Recorded) Close() error { return nil }

// Decode implements routing.Decoder for runs from the policy's own start. It is safe for concurrent use.
func (p *Recorded) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	r, ok := p.first[identity(in)]
	if !ok {
		return nil, fmt.Errorf("%s: instance %s is not among the recorded ones", p.Name(), in.Name)
	}
	actions := p.sh.Tour(r)
	cost, err := problems.Cost(in, actions)
	if err != nil {
		return nil, fmt.Errorf("%s: instance %s: %w", p.Name(), in.Name, err)
	}
	trs := make([]routing.Trajectory, len(runs))
	for i, run := range runs {
		if run.Start != routing.OwnStart || run.Force != nil || run.Record {
			return nil, errors.New(p.Name() + ": recorded rollouts cannot be asked for other runs")
		}
		trs[i] = routing.Trajectory{Actions: actions, Cost: cost}
	}
	return trs, nil
}

// identity returns a key of an instance that depends on its contents, not on its name. It is kept in memory only.
func identity(in *routing.Instance) string {
	var b strings.Builder
	for _, x := range in.Coords {
		b.WriteString(strconv.FormatFloat(float64(x), 'b', -1, 32))
		b.WriteByte(',')
	}
	for _, d := range in.Demand {
		b.WriteString(strconv.Itoa(int(d)))
		b.WriteByte(',')
	}
	b.WriteString(strconv.Itoa(int(in.Capacity)))
	return b.String()
}

// Sniff reports whether data are rollouts in one of the layouts that Import reads, valid or not: a compressed file, or
// safetensors whose header names coordinates.
func Sniff(data []byte) bool {
	return bytes.HasPrefix(data, zstdMagic) || bytes.Contains(safetensors.Header(data), []byte(`"coords"`))
}
