package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"
)

// RolloutInput asks for shards and for the scores of a bank on them.
type RolloutInput struct {
	Tasks []RolloutTask `json:"tasks"`
	Model Model         `json:"model"`

	Kernels string `json:"kernels,omitempty"` // numeric kernels of the run, see QueueFor
}

// Rollout makes every shard, in parallel, and then scores every heuristic on all of them.
func Rollout(ctx workflow.Context, in RolloutInput) (Dataset, error) {
	ctx = withKernels(ctx, in.Kernels)
	shards, err := RolloutShard.RunAll(ctx, "teacher rollouts", in.Tasks)
	if err != nil {
		return Dataset{}, err
	}
	var data Dataset
	for i, task := range in.Tasks {
		switch task.Split {
		case TrainSplit:
			data.Train = append(data.Train, shards[i])
		case ValSplit:
			data.Val = append(data.Val, shards[i])
		default:
			return Dataset{}, fmt.Errorf("rollout task %d: split %q, want %s or %s",
				i, task.Split, TrainSplit, ValSplit)
		}
	}
	return data, scoreBank(ctx, in.Model, shards)
}

// scoreBank makes sure that the scores of every heuristic on the shards are in the store.
func scoreBank(ctx workflow.Context, m Model, shards []Shard) error {
	ins := make([]ScoreInput, m.Size)
	for i := range ins {
		ins[i] = ScoreInput{Bank: m.Bank, Index: i, Shards: shards}
	}
	for some := range slices.Chunk(ins, atOnce(len(ins), len(shards))) {
		if _, err := Score.RunAll(ctx, "score heuristics", some); err != nil {
			return err
		}
	}
	return nil
}

// atOnce returns how many programs are scored at a time. The inputs of activities that begin at once are one message to
// Temporal, of 4 MiB at most, and each names all shards, with some 130 bytes for one.
func atOnce(programs, shards int) int {
	const fits, group = 25_000, 10_000 // names of shards
	if programs*shards <= fits {
		return max(programs, 1)
	}
	return max(group/shards, 1)
}
