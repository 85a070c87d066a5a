package activities

import (
	"context"
	"errors"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// StandInModel is the name the rule-based stand-in goes by in lineages and reports.
const StandInModel = "stand-in"

// modelOf names who wrote an answer.
func modelOf(a llm.Answer) string {
	if a.StandIn {
		return StandInModel
	}
	return a.Model
}

// talk is what one activity asks the LLM, one question after another: it keeps to its budget and files every reply.
type talk struct {
	a      *Activities
	cfg    config.LLM
	about  string // heuristic
	ledger *ledger.Ledger
	run    string // whose log the replies go to; none outside a workflow
	by     string // this activity, the same for all its attempts
}

// talk opens a conversation about a heuristic.
func (a *Activities) talk(ctx context.Context, cfg config.LLM, budget *ledger.Budget, about string) *talk {
	t := &talk{a: a, cfg: cfg, about: about, ledger: ledger.Open(budget, cfg.Prices)}
	if activity.IsActivity(ctx) {
		info := activity.GetInfo(ctx)
		t.run, t.by = runOf(info), info.WorkflowExecution.ID+"#"+info.ActivityID
	}
	return t
}

// ask asks the LLM, or finds the stored answer, and has read make something of it, which is stored. What read finds wrong with
// the reply is a program error (isProgramError); everything is filed either way. An answer the run has paid for already is free.
// Where the server takes no such request at all, be it for the key, the money, the model's name or a parameter, the run waits
// for somebody to mend that; a prompt that it does not take (llm.ErrPrompt) is the loss of this one question.
func (t *talk) ask(ctx context.Context, req llm.Request, read func(llm.Answer) (any, error)) (store.Ref, error) {
	var ref store.Ref
	if over := t.ledger.Reserve(req.Model, len(req.System)+len(req.User), req.MaxTokens); over != nil {
		paid, err := t.paid(ctx, req)
		if err != nil {
			return ref, err
		}
		if !paid {
			return ref, t.fail(over, workflows.ErrLLMBudget)
		}
	}
	if stopping(ctx) {
		return ref, errors.New("the worker is stopping: another one asks this")
	}
	e := t.cfg.Endpoints[string(req.Role)]
	answer, err := t.a.LLM.Complete(ctx, llm.Endpoint{URL: e.URL, Key: e.Key}, req)
	var failed *llm.Error
	switch {
	case errors.Is(err, llm.ErrPrompt):
		if err := t.fileRefusal(ctx, req, err); err != nil {
			return ref, err
		}
		return ref, err
	case errors.As(err, &failed):
		return ref, t.fail(err, workflows.ErrLLMUnavailable)
	case err != nil:
		return ref, err
	}
	made, problem := read(answer)
	switch {
	case problem == nil:
		if ref, err = t.a.Store.PutJSON(ctx, made); err != nil {
			return ref, err
		}
	case !isProgramError(problem):
		return ref, problem
	case answer.Fault() != "":
		problem = &textgrad.FormatError{Want: "answer", Got: answer.Fault()}
	}
	spend := t.cfg.Prices.Call(req.Model, answer.PromptTokens, answer.CompletionTokens)
	spend.StandIn = answer.StandIn
	first, err := t.file(ctx, req, answer, spend, made, problem)
	if err != nil {
		return ref, err
	}
	if first {
		t.ledger.Settle(spend)
	}
	return ref, problem
}

// stopping reports whether the activity's worker has been told to end, which then waits for answers on their way only.
func stopping(ctx context.Context) bool {
	if !activity.IsActivity(ctx) {
		return false
	}
	select {
	case <-activity.GetWorkerStopChannel(ctx):
		return true
	default:
		return false
	}
}

// fail ends the activity with what it had spent.
func (t *talk) fail(err error, kind string) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), kind, nil, t.ledger.Spent())
}

// draft is a program as it came from the LLM.
type draft struct {
	joins       bank.Setting // of the bank it is for
	name        string
	description string // replaces the source's own, unless empty
	tauH        float64
	lineage     bank.Lineage
	source      string // of the last reply that held a program
}

// insist asks, and asks again with what was wrong, at most as often as the config says, until the reply keeps to its form.
func (t *talk) insist(ctx context.Context, req llm.Request, read func(llm.Answer) (any, error)) (store.Ref, error) {
	ref, problem := t.ask(ctx, req, read)
	for attempt := 1; attempt <= t.cfg.Repairs && isFormatError(problem); attempt++ {
		better, err := t.ask(ctx, textgrad.AgainRequest(req, problem, attempt), read)
		if cannotAsk(err) {
			break
		}
		ref, problem = better, err
	}
	return ref, problem
}

// cannotAsk tells a question that could not be put: what is wrong with the reply before it stands.
func cannotAsk(err error) bool {
	return workflows.IsType(err, workflows.ErrLLMBudget) || errors.Is(err, llm.ErrPrompt)
}

// program asks for a program and puts it through the gate.
func (t *talk) program(ctx context.Context, d draft, req llm.Request, c textgrad.PromptContext) (workflows.Candidate, error) {
	ref, problem := t.ask(ctx, req, t.gated(ctx, &d))
	return t.mend(ctx, d, req, ref, problem, c)
}

// gated reads a program out of a reply and puts it through the gate.
func (t *talk) gated(ctx context.Context, d *draft) func(llm.Answer) (any, error) {
	return func(answer llm.Answer) (any, error) {
		d.lineage.LLM = modelOf(answer)
		source, err := textgrad.ParseProgram(answer.Text)
		if err != nil {
			return nil, err
		}
		d.source = source
		return t.a.gate(ctx, *d)
	}
}

// mend has a draft corrected, at most as often as the config says, until it passes the gate: a reply without a program is asked for
// again, a program is shown to the writer with its fault. req is what was asked, and ref the stored heuristic where problem is
// nil. A draft that is given up is a candidate with a problem.
func (t *talk) mend(ctx context.Context, d draft, req llm.Request, ref store.Ref, problem error, c textgrad.PromptContext) (workflows.Candidate, error) {
	for attempt := 1; attempt <= t.cfg.Repairs && isProgramError(problem); attempt++ {
		next := textgrad.AgainRequest(req, problem, attempt)
		if !isFormatError(problem) {
			req = textgrad.RepairRequest(d.source, problem, attempt, c)
			next = req
		}
		fixed, err := t.ask(ctx, next, t.gated(ctx, &d))
		if cannotAsk(err) {
			break
		}
		ref, problem = fixed, err
	}
	out := workflows.Candidate{Heuristic: ref, Name: d.name, Spend: t.ledger.Spent()}
	if !isRejection(problem) {
		return out, problem
	}
	out.Problem = problem.Error()
	var err error
	out.Heuristic, err = t.a.Store.PutJSON(ctx, bank.Heuristic{Name: d.name, Source: d.source})
	return out, err
}

// gate makes a draft an entry of a bank: check, compile, load, smoke test.
func (a *Activities) gate(ctx context.Context, d draft) (bank.Heuristic, error) {
	h, err := bank.New(d.name, d.source, d.lineage)
	if err != nil {
		return h, err
	}
	if err := d.joins.Fits(h); err != nil {
		return h, err
	}
	h.TauH = d.tauH
	if d.description != "" {
		if h, err = described(h, d.description); err != nil {
			return h, err
		}
	}
	m, err := runtime.Admit(ctx, a.Store.Compiler, h.Name, h.Source)
	if err != nil {
		return h, err
	}
	m.Close()
	return h, nil
}

// described gives a heuristic another description; where that cannot be, the LLM's words are to blame.
func described(h bank.Heuristic, description string) (bank.Heuristic, error) {
	other, err := h.Describe(description)
	if err != nil {
		return h, &textgrad.FormatError{Want: "description", Got: err.Error()}
	}
	return other, nil
}
