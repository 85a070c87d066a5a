package student_test

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// A student learns which heuristic of a bank to trust in which state. Here the teacher goes to the nearest node, and
// the bank holds two heuristics: one that does so too, and one that always goes west.
func Example() {
	ctx := context.Background()
	sh, err := rollout.Record(ctx, problems.NearestNeighbour{}, tsp.Generate(10, 8, 1), routing.SingleRun, nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	// The scores of a heuristic are one number per candidate, over the candidates of all states: a vector of C.
	var near, west []float32
	for s := range sh.States() {
		state := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[state.Traj]))
		for _, c := range state.Candidates {
			x, _ := in.XY(int(c))
			near, west = append(near, -float32(in.Dist(state.Current, int(c)))), append(west, -x)
		}
	}
	set := student.Dataset{Shard: sh, Scores: []*tensor.Dense{dense.Vector(near), dense.Vector(west)}}
	// τ_h, one per heuristic: a score of 0.05 more makes a choice e times as likely.
	tauH := dense.Vector([]float64{0.05, 0.05})

	model := student.New(student.Config{D: 32, Layers: 1, Heads: 4, FF: 32}, 1)
	trainer := student.NewTrainer(model, student.TrainConfig{LR: 3e-3, BatchStates: 16}, 1)
	for epoch := range 30 {
		if _, err := trainer.Epoch(ctx, []student.Dataset{set}, tauH, epoch, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	eval, err := student.Evaluate(ctx, model, []student.Dataset{set}, tauH)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(eval.States, "states of", len(near), "candidates")
	fmt.Printf("weight of the first heuristic %.1f, of the second %.1f\n",
		eval.Heuristics[0].MeanWeight, eval.Heuristics[1].MeanWeight)

	out, err := student.Forward(ctx, model, set, tauH, student.WantW|student.WantMix)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("weights", out.W.Shape(), "mixture", out.Mix.Shape())
	// Output:
	// 64 states of 352 candidates
	// weight of the first heuristic 0.9, of the second 0.1
	// weights (64, 2) mixture (352)
}
