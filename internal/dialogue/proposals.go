package dialogue

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
)

// proposed is a candidate as the proposer wrote it. The stored reading of a reply is a list of these.
type proposed struct {
	Mode      string         `json:"mode"` // what the fault states have in common
	Heuristic bank.Heuristic `json:"heuristic"`
	Problem   string         `json:"problem,omitempty"` // why it did not pass the checks
	problem   error
}

// Proposals asks for candidates for the bank b (Alg. 2, line 2), at most in.Modes of them, and has each repaired until
// it passes the checks. All candidates are drafts like d, under names that neither the bank nor another candidate has.
func (t *Talk) Proposals(
	ctx context.Context, in textgrad.ProposeInput, b *bank.Bank, d Draft, c textgrad.PromptContext,
) ([]Written, error) {
	d.allow = c.Allow
	var proposals []proposed
	req := textgrad.ProposeRequest(in, c)
	_, err := t.AskUntilParsed(ctx, req, func(answer llm.Answer) (_ any, err error) {
		d.Lineage.LLM = answer.Model
		proposals, err = t.readProposals(ctx, answer.Text, in.Modes, b, d)
		return proposals, err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Written, len(proposals))
	for i, p := range proposals {
		t.About = p.Heuristic.Name
		d.Name, d.source = p.Heuristic.Name, p.Heuristic.Source
		ref, err := t.Artifacts.PutJSON(ctx, p.Heuristic)
		if err != nil {
			return nil, err
		}
		if out[i], err = t.repair(ctx, d, req, ref, p.problem, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readProposals reads the candidates of a reply, names them apart from the bank and each other, and checks each.
func (t *Talk) readProposals(ctx context.Context, text string, modes int, b *bank.Bank, d Draft) ([]proposed, error) {
	parsed, err := textgrad.ParseProposals(text, modes)
	if err != nil {
		return nil, err
	}
	taken := b.Names()
	out := make([]proposed, len(parsed))
	for i, p := range parsed {
		d.Name = bank.FreeName(packageName(p.Source), func(name string) bool { return slices.Contains(taken, name) })
		d.source, taken = p.Source, append(taken, d.Name)
		h, problem := d.check(ctx, t.Artifacts.Compiler)
		if problem != nil && !IsProgramError(problem) {
			return nil, problem
		}
		out[i] = proposed{Mode: p.Mode, Heuristic: h, problem: problem}
		if problem != nil {
			out[i].Heuristic, out[i].Problem = bank.Heuristic{Name: d.Name, Source: p.Source}, problem.Error()
		}
	}
	return out, nil
}
