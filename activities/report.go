package activities

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/workflows"
)

// Report joins the evaluation with the run's story, writes the page, and leaves a manifest that names everything a user
// may want: bank, router, report, data, validation states.
func (a *Activities) Report(ctx context.Context, in workflows.ReportInput) (workflows.Result, error) {
	hb := startHeartbeat(ctx, "writing the report")
	defer hb.stop()
	out := workflows.Result{
		Model: in.Model, Ended: in.Ended, Val: in.Val, Manifest: workflows.ManifestKey(in.RunID),
		Version: version.Commit(), Kernels: a.Store.Kernels.ID(),
	}
	var d report.Data
	if err := a.Store.GetJSON(ctx, in.Evaluated, &d); err != nil {
		return out, err
	}
	addStory(&d, in)
	var err error
	if d.LLM.Roles, err = a.roles(ctx); err != nil {
		return out, err
	}
	d.Run.Kernels = a.Store.Kernels.String()
	var page, data bytes.Buffer
	if err := report.HTML(&page, d); err != nil {
		return out, err
	}
	if err := report.JSON(&data, d); err != nil {
		return out, err
	}
	if out.Report, err = a.Store.Put(ctx, page.Bytes()); err != nil {
		return out, err
	}
	if out.Data, err = a.Store.Put(ctx, data.Bytes()); err != nil {
		return out, err
	}
	out.Summary = d.Summary()
	out.Measured = &workflows.Measured{Top1: d.Fidelity.Top1, Gap: d.Gap()}
	manifest, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return out, err
	}
	return out, a.Store.PutKey(ctx, out.Manifest, manifest)
}

// roles returns what each role and model of the run was asked.
func (a *Activities) roles(ctx context.Context) ([]report.LLMRole, error) {
	j, ok := a.journal(ctx)
	if !ok {
		return nil, nil
	}
	replies, err := j.Replies(ctx)
	if err != nil {
		return nil, err
	}
	t, err := j.Tally(ctx, replies)
	if err != nil {
		return nil, err
	}
	var all []report.LLMRole
	for _, s := range t.Shares {
		all = append(all, report.LLMRole{
			Role: string(s.Role), Model: s.Model, Replies: s.Replies, Unusable: s.Unusable, Calls: s.Spend.Calls,
			InputTokens: s.Spend.Input, OutputTokens: s.Spend.Output, CostUSD: s.Spend.USD(), Kept: s.Kept,
		})
	}
	return all, nil
}

// addStory adds the course of the run, which only the workflow knows.
func addStory(d *report.Data, in workflows.ReportInput) {
	d.Config = in.Config
	d.Run = report.Run{
		ID: in.RunID, Version: version.Commit(), Stopped: in.Ended, Minutes: in.Finished.Sub(in.Started).Minutes(),
		Started: in.Started.UTC().Format(time.RFC3339), Finished: in.Finished.UTC().Format(time.RFC3339),
		Machine: version.Machine(),
	}
	d.LLM = report.LLM{
		Models: bank.Models(d.Bank), StandIn: in.Model.StandIn, NullWriter: in.Spend.NullWriter,
		Replayed: in.Spend.Replayed, Calls: in.Spend.Calls,
		InputTokens: in.Spend.Input, OutputTokens: in.Spend.Output, CostUSD: in.Spend.USD(),
	}
	for _, p := range in.Points {
		d.History = append(d.History, report.Epoch{
			Epoch: p.Epoch, Pass: p.Pass + 1, TrainLoss: p.TrainLoss,
			ValLoss: p.ValLoss, ValTop1: p.Top1, Coverage: p.Coverage, BankSize: p.Bank,
		})
	}
	d.Weights = weightWays(in.Weights)
	for _, e := range in.Events {
		if event, ok := reportEvent(e); ok {
			d.Events = append(d.Events, event)
		}
	}
}

// reportEvent translates a workflow's event. Waiting for the LLM is no event of the bank.
func reportEvent(e workflows.Event) (report.Event, bool) {
	kind, gain := "", 0.0
	switch e.Kind {
	case workflows.EventTextGrad:
		kind, gain = report.EditAccepted, e.Before-e.After
	case workflows.EventRejected:
		kind = report.EditRejected
	case workflows.EventAdd:
		kind, gain = report.Added, e.After-e.Before
	case workflows.EventDrop:
		kind, gain = report.Dropped, e.Before-e.After
	case workflows.EventWeights:
		kind, gain = report.Tuned, e.Before-e.After
	case workflows.EventLimit:
		kind = report.LimitReached
	case workflows.EventBuild:
		kind = report.BuildChanged
	default:
		return report.Event{}, false
	}
	return report.Event{Epoch: e.Epoch, Kind: kind, Heuristic: e.Name, Gain: gain, Note: e.Detail}, true
}

// weightWays follows every weight through the passes over the weights. An edit in between may have given a weight
// another value: that is a value of its own.
func weightWays(passes []workflows.WeightChange) (ways []report.WeightWay) {
	for _, p := range passes {
		for _, c := range p.Changed {
			i := slices.IndexFunc(ways, func(w report.WeightWay) bool {
				return w.Heuristic == c.Heuristic && w.Weight == c.Weight
			})
			if i < 0 {
				i = len(ways)
				ways = append(ways, report.WeightWay{Heuristic: c.Heuristic, Weight: c.Weight})
			}
			w := &ways[i]
			if len(w.Values) == 0 || w.Last() != c.From {
				w.Values = append(w.Values, c.From)
			}
			w.Epochs, w.Values, w.Gone = append(w.Epochs, p.Epoch), append(w.Values, c.To), c.Gone
		}
	}
	return ways
}
