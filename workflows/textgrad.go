package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// TextGradInput is one textual step of Block I (Eq. 11, F_m, TG-Backward and TG-Step).
type TextGradInput struct {
	Config config.Distill `json:"config"`
	ModelAndData
	Momentum []Unresolved   `json:"momentum"`
	Past     []Past         `json:"past,omitempty"`
	Blame    []Blame        `json:"blame"`
	Budget   *ledger.Budget `json:"budget,omitempty"` // what the round may spend
	Moment
	Again   bool   `json:"again,omitempty"`   // an earlier try found no LLM: Blame has this round's failures already
	Kernels string `json:"kernels,omitempty"` // of the run, see QueueFor
}

// TextGradOutput is the result of a textual step.
type TextGradOutput struct {
	Model    Model        `json:"model"`
	Momentum []Unresolved `json:"momentum"`
	Past     []Past       `json:"past,omitempty"`
	Blame    []Blame      `json:"blame"`
	Events   []Event      `json:"events"`
	Spend    Spend        `json:"spend"`
	Waiting  string       `json:"waiting"` // why the LLM could not be asked; the heuristics concerned keep their turn
}

// TextGradRound attributes failures (Eq. 10), revises the dispatched heuristics in parallel against the same bank, and
// commits the accepted edits one by one. If an edit before it changed the bank, an edit is judged again on that bank.
func TextGradRound(ctx workflow.Context, in TextGradInput) (TextGradOutput, error) {
	ctx = withKernels(ctx, in.Kernels)
	out := TextGradOutput{Model: in.Model, Momentum: in.Momentum, Past: in.Past, Blame: in.Blame}
	ctx, err := withMeter(ctx, fmt.Sprintf("textual step of pass %d, after epoch %d", in.Pass+1, in.Epoch))
	if err != nil {
		return out, err
	}
	att, err := Attribute.Run(ctx, "attribute failures", AttributeInput{
		ModelAndData: in.ModelAndData, TextGrad: in.Config.TextGrad, Blame: in.Blame, Epoch: in.Epoch, Again: in.Again,
		Allow: in.Config.BankAllow, NoHabits: in.Config.LLM.NoHabits, Terms: in.Config.Weights.MostTerms(),
	})
	if err != nil {
		return out, err
	}
	edits, spend, err := reviseAll(ctx, in, att)
	out.Spend = spend
	if err != nil {
		return out, err
	}
	out.Blame = att.Blame
	gone := func(name string) bool {
		return !slices.ContainsFunc(att.Blame, func(b Blame) bool { return b.Heuristic == name })
	}
	out.Momentum = slices.DeleteFunc(slices.Clone(in.Momentum), func(u Unresolved) bool { return gone(u.Heuristic) })
	out.Past = slices.DeleteFunc(slices.Clone(in.Past), func(p Past) bool { return gone(p.Heuristic) })
	mostGradients := momentumRounds * in.Config.TextGrad.Failures
	for i, e := range edits {
		target := att.Dispatch[i]
		if e.err != nil {
			out.Waiting = fmt.Sprintf("could not revise %s: %s", target.Name, reason(e.err))
			restoreBlame(out.Blame, target)
			out.Events = append(out.Events, in.Event(EventWaiting, target.Name, "for LLM: "+out.Waiting))
			continue
		}
		v, problem, err := commit(ctx, &out, in, target.Index, e)
		if err != nil {
			return out, err
		}
		event := in.Event(EventRejected, target.Name, problem)
		event.Before, event.After = v.Before, v.After
		if problem == "" {
			event.Kind, event.Detail = EventTextGrad, fmt.Sprintf("validation loss %.4f → %.4f", v.Before, v.After)
		}
		out.Momentum = updateMomentum(out.Momentum, target.Name, e.gradients, problem == "", mostGradients)
		out.Past = remember(out.Past, target.Name, e, v, problem)
		out.Events = append(out.Events, event)
	}
	return out, nil
}

// remembered is how many rejected edits of a heuristic its next writer is shown beside those of the same round.
const remembered = 2

// remember returns what became of the last edits of all heuristics after a round on one of them, with its edit and the
// verdict that decided. An accepted edit changes the code, so that earlier rejections say nothing any more. A rejection
// without a program says nothing to the next writer either.
func remember(all []Past, name string, e edit, v Verdict, problem string) []Past {
	past := Past{Heuristic: name}
	if problem == "" {
		past.Gain = v.Before - v.After
	} else {
		if i := slices.IndexFunc(all, func(p Past) bool { return p.Heuristic == name }); i >= 0 {
			past = all[i]
		}
		turned := slices.Concat(past.Rejected, e.rejected)
		if e.candidate.Hash != "" { // refused at the end, after the round's other edits
			turned = append(turned, Rejection{e.candidate, problem, v.Effect})
		}
		turned = slices.DeleteFunc(turned, func(r Rejection) bool { return r.Heuristic.Hash == "" })
		past.Rejected = turned[max(0, len(turned)-remembered):]
	}
	others := slices.DeleteFunc(slices.Clone(all), func(p Past) bool { return p.Heuristic == name })
	return append(others, past)
}

// reviseAll revises the dispatched heuristics in parallel, the most blamed ones first. An edit for which the LLM was
// unavailable carries its error; any other error ends the round.
func reviseAll(ctx workflow.Context, in TextGradInput, att Attribution) ([]edit, Spend, error) {
	edits := make([]edit, len(att.Dispatch))
	spend, err := inWaves(ctx, in.Config.LLM, in.Budget, len(edits),
		func(ctx workflow.Context, i int, share *ledger.Budget) (Spend, error) {
			e := revise(ctx, in, att.Failures, att.Dispatch[i], share)
			edits[i] = e
			if llmUnavailable(e.err) {
				return e.spend, nil
			}
			return e.spend, e.err
		})
	return edits, spend, err
}

// restoreBlame restores the score of a heuristic that could not be revised, so that it keeps its turn.
//
// For example, Attribute dispatches a heuristic with a score of 0.9 and sets its blame to 0, as if the revision were
// done. The LLM does not answer. With its 0.9 again the heuristic is dispatched first in the next round.
func restoreBlame(blame []Blame, target Dispatch) {
	for i, b := range blame {
		if b.Heuristic == target.Name {
			blame[i].Score = target.Score
		}
	}
}

// momentumRounds is how many rounds of gradients a heuristic's momentum holds.
const momentumRounds = 2

// updateMomentum returns the unresolved gradients of all heuristics after a round on one of them. A committed edit
// resolves all of its gradients. Otherwise the gradients of the round are added, and the newest most of them are kept.
//
// For example, with most 4, a heuristic with the gradients 1, 2, 3 and the new ones 4 and 5 keeps 2, 3, 4, 5. If the
// edit was committed, it keeps none. The gradients of other heuristics stay in both cases.
func updateMomentum(all []Unresolved, name string, gradients []store.Ref, resolved bool, most int) []Unresolved {
	for _, g := range gradients {
		all = append(all, Unresolved{name, g})
	}
	excess := -most
	for _, u := range all {
		if u.Heuristic == name {
			excess++
		}
	}
	return slices.DeleteFunc(all, func(u Unresolved) bool {
		if u.Heuristic != name {
			return false
		}
		excess--
		return resolved || excess >= 0
	})
}

// commit puts an accepted edit into the bank. It returns the verdict that decided, and why the edit was not committed.
// When an earlier commit of the round changed the bank, the edit is judged again on the bank as it is now.
func commit(
	ctx workflow.Context, out *TextGradOutput, in TextGradInput, index int, e edit,
) (v Verdict, problem string, err error) {
	v = e.verdict
	if e.candidate.Hash == "" {
		if len(e.rejected) == 0 {
			return v, "nothing could be tried", nil
		}
		return v, e.rejected[len(e.rejected)-1].Reason, nil
	}
	now := ModelAndData{Model: out.Model, Data: in.Data}
	if out.Model.Revision != in.Model.Revision {
		delta := in.Config.TextGrad.Delta
		v, err = Judge.Run(ctx, "judge again", judging(in, now, index, e.candidate))
		if err != nil {
			return v, "", err
		}
		if refusal := v.Refusal(delta); refusal != "" {
			return v, "after the round's other edits, " + refusal, nil
		}
		if in.Config.Weights != nil { // Judge tuned it again, and decided on what it became
			e.candidate = v.Candidate
		}
	}
	c, err := Commit.Run(ctx, "commit", CommitInput{
		ModelAndData: now, Index: index, Candidate: e.candidate, Gain: v.Before - v.After,
	})
	if err != nil || c.Problem != "" {
		return v, c.Problem, err
	}
	out.Model = c.Model
	return v, "", nil
}
