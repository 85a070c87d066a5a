package workflows

import (
	"fmt"

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
	_, err := Score.RunAll(ctx, "score heuristics", ins)
	return err
}
