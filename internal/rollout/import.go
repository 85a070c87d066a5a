package rollout

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// Import reads rollouts of any policy, written by anyone, and checks every state of them. The error names the first
// fault; a shard that is returned is valid.
//
// data is a shard as Encode or Marshal writes it, or safetensors (perhaps compressed with zstd) in a plain layout, from
// which states, candidates and offsets are derived. For I instances of N nodes and R trajectories of at most T actions:
//
//	coords       [I,N,2]  x, y of each node, in the unit square
//	actions      [R,T]    nodes in visiting order
//	probs        [R,T,N]  the policy's distribution before each action; zeros where it decided nothing
//	instance_of  [R]      instance of each trajectory, not falling; may be left out if R = I
//
// and for CVRP, where node 0 is the depot:
//
//	demand       [I,N]    whole numbers, the depot's is 0
//	capacity     [I]      whole numbers
//
// Metadata, all optional: problem ("tsp" or "cvrp") and teacher (the name of the policy). Reals are F32 or F64; whole
// numbers are any of I32, I64, U8, U16, F32 and F64. TSP has T = N. A CVRP solution holds a 0 wherever the vehicle
// returns to the depot; at its beginning and end zeros may be left out or repeated, and -1 may fill the row. probs
// [R,T,2N] is for policies that decide on a customer and the way there at once: column N+c is customer c by way of the
// depot, which is two actions, the second with a row of zeros.
func Import(data []byte) (*Shard, error) {
	tensors, meta, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("import rollouts: %w", err)
	}
	var sh *Shard
	if meta["format"] == format {
		sh, err = fromTensors(tensors, meta)
	} else {
		sh, err = plain(tensors, meta)
	}
	if err != nil {
		return nil, fmt.Errorf("import rollouts: %w", err)
	}
	if !slices.IsSorted(sh.InstanceOf) {
		return nil, errors.New("import rollouts: instance_of falls: order the trajectories by instance")
	}
	if err := sh.Validate(); err != nil {
		return nil, fmt.Errorf("import rollouts: %w", err)
	}
	return sh, nil
}

// plain makes a shard of the plain layout.
func plain(tensors []safetensors.Tensor, meta map[string]string) (*Shard, error) {
	a, err := newArrays(tensors)
	if err != nil {
		return nil, err
	}
	insts, err := a.instances(meta["problem"])
	if err != nil {
		return nil, err
	}
	I, R, T, n := len(insts), a.shape["actions"][0], a.shape["actions"][1], insts[0].N()
	problem, width := problems.Must(insts[0].Problem), a.shape["probs"][2]
	// recorder makes room for tours by R and n alone. A file with these shapes has about as many numbers.
	switch depot := problem.Traits().Depot; {
	case !depot && T != n:
		return nil, fmt.Errorf("tensor actions has shape %v, want [%d %d]: a tour visits every node once",
			a.shape["actions"], R, n)
	case width != n && (width != 2*n || !depot):
		return nil, fmt.Errorf("tensor probs has shape %v, want [%d %d %d]", a.shape["probs"], R, T, n)
	}
	for k, v := range a.floats["coords"] {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("instance %d: node %d has coordinate %v, want 0 to 1: "+
				"scale all of an instance alike, its solutions stay what they are",
				k/(2*n), k/2%n, v)
		}
	}
	instanceOf := a.ints["instance_of"]
	if instanceOf == nil {
		if R != I {
			return nil, fmt.Errorf("%d trajectories on %d instances: "+
				"tensor instance_of must tell which belongs to which", R, I)
		}
		instanceOf = make([]int32, R)
		for r := range instanceOf {
			instanceOf[r] = int32(r)
		}
	}
	runs := make([][]routing.Run, I)
	for r, i := range instanceOf {
		if i < 0 || int(i) >= I {
			return nil, fmt.Errorf("trajectory %d: instance %d, want 0..%d", r, i, I-1)
		}
		if r > 0 && i < instanceOf[r-1] {
			return nil, fmt.Errorf("trajectory %d: instance %d after instance %d: order the trajectories by instance",
				r, i, instanceOf[r-1])
		}
		runs[i] = append(runs[i], routing.Run{})
	}
	name := meta["teacher"]
	if name == "" {
		name = "imported"
	}
	place, finish := recorder(name, insts, runs)
	r := 0
	for i := range insts {
		trs := make([]routing.Trajectory, len(runs[i]))
		for k := range trs {
			trs[k], err = trajectory(problem, &insts[i], a.ints["actions"][r*T:(r+1)*T],
				a.floats["probs"][r*T*width:(r+1)*T*width])
			if err != nil {
				return nil, fmt.Errorf("trajectory %d: %w", r, err)
			}
			r++
		}
		if err := place(i, trs); err != nil {
			return nil, fmt.Errorf("instance %d, %w", i, err)
		}
		for k := range trs {
			if err := inPlace(problem, &insts[i], &trs[k]); err != nil {
				return nil, fmt.Errorf("instance %d, run %d: %w", i, k, err)
			}
		}
	}
	return finish()
}

// trajectory checks one row of actions and brings it into canonical form.
func trajectory(problem routing.Definition, inst *routing.Instance, actions []int32,
	probs []float32) (routing.Trajectory, error) {
	width := len(probs) / len(actions)
	from, to, closed := problem.Trim(actions)
	actions, probs = actions[from:to], probs[from*width:to*width]
	if closed {
		// The last return to the depot is forced; it needs no row of its own.
		actions = append(slices.Clone(actions), 0)
		probs = append(slices.Clone(probs), make([]float32, width)...)
	}
	if _, err := problem.Cost(inst, actions); err != nil {
		return routing.Trajectory{}, err
	}
	return routing.Trajectory{Actions: actions, Probs: probs}, nil
}

// inPlace reports the first distribution that cannot be the one before its action. Either it gives the action
// probability 0, as happens where rows are a step off, or, on tours, it gives some probability to nodes that are
// visited.
func inPlace(problem routing.Definition, inst *routing.Instance, tr *routing.Trajectory) error {
	n, width := inst.N(), len(tr.Probs)/len(tr.Actions)
	for t := range tr.Actions {
		row := tr.Probs[t*width : (t+1)*width]
		if allZero(row) {
			continue
		}
		if !problem.Traits().Depot {
			var stray float64
			for _, v := range tr.Actions[:t] {
				if stray += float64(row[v]); !isProbability(row[v]) || stray > strayMass {
					return fmt.Errorf("step %d: probability %v of node %d, which is visited already", t, row[v], v)
				}
			}
		}
		if taken := routing.Taken(tr.Actions, t, n, width == 2*n); row[taken] == 0 {
			return fmt.Errorf("step %d: action %d is taken with probability 0: "+
				"row %d of probs must be the distribution before it", t, taken, t)
		}
	}
	return nil
}
