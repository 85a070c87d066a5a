package ranker

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Ranker decides by a score for every candidate. It is safe for concurrent use.
type Ranker interface {
	// Scorer returns a scorer with buffers of its own: one goroutine each.
	Scorer() Scorer
}

// Scorer scores the candidates of decisions of one instance after another.
type Scorer interface {
	// Open moves to an instance.
	Open(inst *routing.Instance)
	// Score stores the score of every candidate of a decision of the opened instance in scores, [K]. The softmax of the
	// scores is the policy's distribution.
	Score(at features.Decision, scores []float32)
}

// Fidelity says how close a ranker comes to the policy of a shard, as student.Eval does for a student.
type Fidelity struct {
	States int     `json:"states"`
	Top1   float64 `json:"top1"` // share of states where the best candidate is the policy's
	Loss   float64 `json:"loss"` // mean KL(π_T‖π) of Eq. 6, nats
}

// Measure compares a ranker with the policy of a shard on its states.
func Measure(ctx context.Context, r Ranker, sh *rollout.Shard) (Fidelity, error) {
	S := sh.States()
	loss, hits := make([]float64, parts(S)), make([]int, parts(S))
	err := sweep(ctx, r, sh, func(part, s int, scores, pi []float32) {
		agreement.Divided(pi, scores, 1)
		piT := sh.State(s).Probs
		loss[part] += agreement.KL(piT, pi)
		if agreement.Argmax(scores) == agreement.Argmax(piT) {
			hits[part]++
		}
	})
	if err != nil {
		return Fidelity{}, err
	}
	f := Fidelity{States: S}
	all := 0
	for i := range loss {
		f.Loss, all = f.Loss+loss[i], all+hits[i]
	}
	if S > 0 {
		f.Loss, f.Top1 = f.Loss/float64(S), float64(all)/float64(S)
	}
	return f, nil
}

// Choices returns a ranker's first choice in every state of a shard, as an index into the state's candidates.
func Choices(ctx context.Context, r Ranker, sh *rollout.Shard) ([]int32, error) {
	choices := make([]int32, sh.States())
	err := sweep(ctx, r, sh, func(_, s int, scores, _ []float32) { choices[s] = int32(agreement.Argmax(scores)) })
	return choices, err
}

// parts returns into how many parts sweep divides so many states.
func parts(states int) int { return (states + fillSpan - 1) / fillSpan }

// sweep scores every state of a shard on all cores and calls visit with the scores and scratch of the same length.
// Calls for the states of one part do not overlap.
func sweep(ctx context.Context, r Ranker, sh *rollout.Shard, visit func(part, s int, scores, scratch []float32)) error {
	S := sh.States()
	err := parallel.Try(parallel.Workers(parts(S)), parts(S), func(_, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		walk, err := sh.Walk()
		if err != nil {
			return err
		}
		scorer, traj := r.Scorer(), -1
		var scores, scratch []float32
		for s := i * fillSpan; s < min((i+1)*fillSpan, S); s++ {
			if t := int(sh.Traj[s]); t != traj {
				inst := sh.Instance(int(sh.InstanceOf[t]))
				scorer.Open(&inst)
				traj = t
			}
			at, err := walk.Decision(s)
			if err != nil {
				return err
			}
			scores, scratch = dense.Sized(scores, len(at.Candidates)), dense.Sized(scratch, len(at.Candidates))
			scorer.Score(at, scores)
			visit(i, s, scores, scratch)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("ranker: %w", err)
	}
	return nil
}
