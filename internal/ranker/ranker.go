package ranker

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/features"
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
	set, err := setOf(sh.Problem)
	if err != nil {
		return Fidelity{}, err
	}
	S := sh.States()
	type part struct {
		loss float64
		hits int
	}
	parts := make([]part, (S+fillSpan-1)/fillSpan)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range parts {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			states, err := newStateReader(sh, set)
			if err != nil {
				return err
			}
			scorer, traj := r.Scorer(), -1
			var scores, pi []float32
			for s := i * fillSpan; s < min((i+1)*fillSpan, S); s++ {
				if t := int(sh.Traj[s]); t != traj {
					inst := sh.Instance(int(sh.InstanceOf[t]))
					scorer.Open(&inst)
					traj = t
				}
				at, err := states.decision(s)
				if err != nil {
					return err
				}
				scores, pi = sized(scores, len(at.Candidates)), sized(pi, len(at.Candidates))
				scorer.Score(at, scores)
				softmax(pi, scores)
				piT := sh.State(s).Probs
				parts[i].loss += divergence(piT, pi)
				if agreement.Argmax(scores) == agreement.Argmax(piT) {
					parts[i].hits++
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return Fidelity{}, fmt.Errorf("ranker: %w", err)
	}
	f := Fidelity{States: S}
	hits := 0
	for _, p := range parts {
		f.Loss, hits = f.Loss+p.loss, hits+p.hits
	}
	if S > 0 {
		f.Loss, f.Top1 = f.Loss/float64(S), float64(hits)/float64(S)
	}
	return f, nil
}

// softmax stores the softmax of the scores of one state in pi.
func softmax(pi, scores []float32) {
	top, sum := float64(scores[agreement.Argmax(scores)]), 0.0
	for k, c := range scores {
		e := math.Exp(float64(c) - top)
		pi[k] = float32(e)
		sum += e
	}
	for k := range pi {
		pi[k] = float32(float64(pi[k]) / sum)
	}
}

// leastProb keeps the logarithm of a probability that underflowed finite.
const leastProb = 1e-30

// divergence returns KL(π_T‖π) on one state, in nats.
func divergence(piT, pi []float32) (kl float64) {
	for k, p := range piT {
		if p > 0 {
			kl += float64(p) * (math.Log(float64(p)) - math.Log(max(float64(pi[k]), leastProb)))
		}
	}
	return kl
}
