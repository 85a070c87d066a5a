package evaluate

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// Judgement is a bank on the states of a shard, mixed by a router or, where there is none, evenly.
type Judgement struct {
	States int `json:"states"`
	// share of states where the best action of some program is the teacher's
	Coverage float64          `json:"coverage"`
	Top1     float64          `json:"top1"`     // share where the student's best action is: see student.Out.Mix
	Loss     float64          `json:"loss"`     // mean KL(π_T‖π_S) of the mixture, nats (Eq. 6)
	Routed   bool             `json:"routed"`   // mixed by a router
	Programs []ProgramVerdict `json:"programs"` // in bank order
}

// ProgramVerdict is one program's part in a Judgement.
type ProgramVerdict struct {
	Name    string  `json:"name"`
	Top1    float64 `json:"top1"`
	KL      float64 `json:"kl"`      // mean KL(π_T‖V_m), nats
	Unique  int     `json:"unique"`  // states that it alone covers
	Without float64 `json:"without"` // rise of the mixture's loss without it; 0 for the only program
	TauH    float64 `json:"tau_h"`
	FitTauH float64 `json:"fit_tau_h"` // the τ_h at which its KL is least
	// HasScale says that FitTauH tells the unit of its scores, see agreement.FitScale.
	HasScale bool    `json:"has_scale"`
	Tied     float64 `json:"tied"` // share of states in which several candidates have its largest score
}

// Judge measures a bank on its scores of a shard; router nil mixes evenly.
func Judge(ctx context.Context, b *bank.Bank, set student.Dataset, router *student.Model) (Judgement, error) {
	sh, M := set.Shard, len(b.Heuristics)
	S := sh.States()
	if M == 0 || S == 0 {
		return Judgement{}, fmt.Errorf("judge bank: %d programs on %d states, want at least one of each", M, S)
	}
	j := Judgement{States: S, Routed: router != nil}
	V := make([]*tensor.Dense, M)
	hits := make([]agreement.StateSet, M)
	j.Programs = make([]ProgramVerdict, M)
	parallel.Each(parallel.Workers(M), M, func(_, m int) {
		h := b.Heuristics[m]
		verdict := agreement.Of(sh, set.Scores[m], h.TauH)
		p := &j.Programs[m]
		p.Name, p.TauH = h.Name, h.TauH
		p.FitTauH, p.HasScale = agreement.FitScale(sh, set.Scores[m], nil)
		p.Top1 = float64(verdict.Hits.Len()) / float64(S)
		for _, kl := range verdict.KL {
			p.KL += float64(kl) / float64(S)
		}
		p.Tied = tied(sh, set.Scores[m])
		V[m], hits[m] = agreement.Distribution(sh, set.Scores[m], h.TauH), verdict.Hits
	})
	j.Coverage = capacity.Coverage(S, hits)
	for m := range j.Programs {
		others := agreement.NewStateSet(S)
		for l := range hits {
			if l != m {
				others.Union(hits[l])
			}
		}
		j.Programs[m].Unique = others.Gain(hits[m])
	}
	mix, logits, err := mixed(ctx, b, set, V, router)
	if err != nil {
		return Judgement{}, fmt.Errorf("judge bank: %w", err)
	}
	piS := dense.Must[float32]("mixture", mix, len(sh.Candidates))
	piT := dense.Open[float32](sh.Probs)
	same := 0
	for s := range S {
		from, to := sh.Offset[s], sh.Offset[s+1]
		if agreement.Argmax(piS[from:to]) == agreement.Argmax(piT[from:to]) {
			same++
		}
	}
	j.Top1 = float64(same) / float64(S)
	mx := capacity.NewMixture(sh, V, logits)
	if M == 1 {
		j.Loss = mx.Loss(mx.All())
		return j, nil
	}
	loss, without := mx.LeaveOneOut(mx.All())
	j.Loss = loss
	for m := range without {
		j.Programs[m].Without = without[m] - loss
	}
	return j, nil
}

// tied returns the share of states in which several candidates have a program's largest score.
func tied(sh *rollout.Shard, score *tensor.Dense) float64 {
	c, n := dense.Must[float32]("score", score, len(sh.Candidates)), 0
	for s := range sh.States() {
		of := c[sh.Offset[s]:sh.Offset[s+1]]
		if first, second := routing.TopTwo(of); second != first && of[first] == of[second] {
			n++
		}
	}
	return float64(n) / float64(sh.States())
}

// mixed returns π_S of every state [C] and the logits behind it [S,M]: the router's, or zeros without one.
func mixed(
	ctx context.Context, b *bank.Bank, set student.Dataset, V []*tensor.Dense, router *student.Model,
) (mix, logits *tensor.Dense, err error) {
	if router != nil {
		out, err := student.Forward(ctx, router, set, b.TauH(), student.WantMix|student.WantLogits)
		return out.Mix, out.Logits, err
	}
	C, S, M := len(set.Shard.Candidates), set.Shard.States(), len(V)
	piS := make([]float32, C)
	for _, Vm := range V {
		for i, v := range dense.Must[float32]("V", Vm, C) {
			piS[i] += v / float32(M)
		}
	}
	return dense.Vector(piS), dense.Of(make([]float32, S*M), S, M), nil
}
