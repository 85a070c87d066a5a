package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
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
	sets, tauH, err := scoredSets(ctx, a.Store, b, recent(in), hb)
	if err != nil {
		return out, err
	}
	hb.step("attributing failures")
	attribution := textgrad.NewAttribution(len(b.Heuristics), in.TextGrad.Failures)
	agreements := make([]agreement.Agreements, len(sets))
	for i, set := range sets {
		fwd, err := student.Forward(ctx, model, set, tauH, student.WantW)
		if err != nil {
			return out, err
		}
		agreements[i] = agreement.OfAll(set.Shard, set.Scores, tauH)
		attribution.Add(i, fwd.W, agreements[i].Each)
		hb.at(i+1, len(sets))
	}
	if in.Again {
		clear(attribution.Total)
	}
	blame := attribution.Accumulate(blameBefore(in.Blame, b), student.States(sets))
	for m, h := range b.Heuristics {
		out.Blame = append(out.Blame, workflows.Blame{Heuristic: h.Name, Score: blame[m]})
	}
	f := failures{Context: promptContext(b.Setting, sets[0].Shard, in.Allow),
		Owners: make([][]textgrad.Failure, len(b.Heuristics))}
	for _, m := range attribution.Dispatch(blame, in.TextGrad.Heuristics) {
		out.Blame[m].Score = 0
		for _, c := range attribution.Cases[m] {
			f.Owners[m] = append(f.Owners[m], failure(agreements[c.Shard], m, c.State))
		}
		ref, err := a.Store.PutJSON(ctx, b.Heuristics[m])
		if err != nil {
			return out, err
		}
		out.Dispatch = append(out.Dispatch, workflows.Dispatch{
			Index: m, Name: b.Heuristics[m].Name, Heuristic: ref, Score: blame[m], Failures: len(f.Owners[m]),
		})
	}
	out.Failures, err = a.Store.PutJSON(ctx, f)
	return out, err
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
