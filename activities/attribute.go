package activities

import (
	"context"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Attribute scores every heuristic on recent training states (Eq. 10), and keeps the worst failures of the heuristics
// whose turn it is to be revised.
func (a *Activities) Attribute(ctx context.Context, in workflows.AttributeInput) (workflows.Attribution, error) {
	hb := startHeartbeat(ctx, "attributing failures")
	defer hb.stop()
	var out workflows.Attribution
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	model, err := a.Store.Model(ctx, in.Model.Student)
	if err != nil {
		return out, err
	}
	sets, tauH, err := a.scoredFor(ctx, model, b, recent(in), hb)
	if err != nil {
		return out, err
	}
	hb.step("attributing failures")
	attribution, seen, err := attributed(ctx, model, sets, tauH, in.TextGrad.Failures, hb)
	if err != nil {
		return out, err
	}
	if in.Again {
		clear(attribution.Total)
	}
	blame := attribution.Accumulate(blameBefore(in.Blame, b), student.States(sets))
	for m, h := range b.Heuristics {
		out.Blame = append(out.Blame, workflows.Blame{Heuristic: h.Name, Score: blame[m]})
	}
	habits, err := a.promptHabits(ctx, in.Data, in.NoHabits)
	if err != nil {
		return out, err
	}
	shared := textgrad.NewPromptContext(b.Setting, sets[0].Shard, habits, in.Allow, in.Terms)
	f := newFailures(shared, len(b.Heuristics))
	gradients := scoreGradients(ctx, model, sets, tauH)
	hb.step("collecting evidence")
	for _, m := range attribution.Dispatch(blame, in.TextGrad.Heuristics) {
		out.Blame[m].Score = 0
		h := b.Heuristics[m]
		of := blamed{h, m, attribution.Cases[m]}
		f.Owners[m], f.Records[m], err = a.findings(ctx, b.Setting, of, seen, func(i int) ([]float32, error) {
			all, err := gradients(i)
			if err != nil {
				return nil, err
			}
			return timesTauH(all[m], h.TauH), nil
		})
		if err != nil {
			return out, err
		}
		if f.Programs[m], err = a.Store.PutJSON(ctx, h); err != nil {
			return out, err
		}
		out.Dispatch = append(out.Dispatch, workflows.Dispatch{
			Index: m, Name: h.Name, Heuristic: f.Programs[m], Score: blame[m], Failures: len(f.Owners[m]),
		})
	}
	out.Failures, err = a.Store.PutJSON(ctx, f)
	return out, err
}

// attributed attributes the failures of the student on some sets to its programs (Eq. 10).
func attributed(
	ctx context.Context, model *student.Model, sets []student.Dataset, tauH *tensor.Dense, worst int, hb *heartbeat,
) (*textgrad.Attribution, []textgrad.Seen, error) {
	attribution := textgrad.NewAttribution(tauH.Shape()[0], worst)
	seen := make([]textgrad.Seen, len(sets))
	for i, set := range sets {
		fwd, err := student.Forward(ctx, model, set, tauH, student.WantW)
		if err != nil {
			return nil, nil, err
		}
		seen[i] = textgrad.Seen{Agreements: agreement.OfAll(set.Shard, set.Scores, tauH), W: fwd.W}
		attribution.Add(i, fwd.W, seen[i].Each, textgrad.NearTies(set.Shard))
		hb.at(i+1, len(sets))
	}
	return attribution, seen, nil
}

// scoreGradients returns a function that computes the gradient of the loss by the scores of every program on shard i,
// [M] of [C], once.
func scoreGradients(
	ctx context.Context, model *student.Model, sets []student.Dataset, tauH *tensor.Dense,
) func(i int) ([]*tensor.Dense, error) {
	known := make([][]*tensor.Dense, len(sets))
	return func(i int) ([]*tensor.Dense, error) {
		if known[i] == nil {
			var err error
			if known[i], err = student.ScoreGradient(ctx, model, sets[i], tauH); err != nil {
				return nil, err
			}
		}
		return known[i], nil
	}
}

// timesTauH returns a gradient by scores as one by multiples of τ_h.
func timesTauH(gradient *tensor.Dense, tauH float64) []float32 {
	g := dense.Must[float32]("gradient by scores", gradient, dense.Any)
	out := make([]float32, len(g))
	for i, v := range g {
		out[i] = v * float32(tauH)
	}
	return out
}

// recent returns the training shards that a round looks at.
func recent(in workflows.AttributeInput) []workflows.Shard {
	sizes := make([]int, len(in.Data.Train))
	for i, s := range in.Data.Train {
		sizes[i] = s.Instances
	}
	var shards []workflows.Shard
	for _, i := range textgrad.Recent(sizes, in.TextGrad.Buffer, in.Epoch) {
		shards = append(shards, in.Data.Train[i])
	}
	return shards
}

// blameBefore returns the blame of every heuristic of a bank from earlier rounds, [M].
func blameBefore(blame []workflows.Blame, b *bank.Bank) []float64 {
	before := make([]float64, len(b.Heuristics))
	for m, h := range b.Heuristics {
		for _, blamed := range blame {
			if blamed.Heuristic == h.Name {
				before[m] = blamed.Score
			}
		}
	}
	return before
}
