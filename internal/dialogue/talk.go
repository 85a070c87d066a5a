package dialogue

import (
	"context"
	"errors"
	"time"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Talk holds the questions of one step to the LLM. It is not safe for concurrent use.
type Talk struct {
	LLM       *llm.Cached
	Artifacts *artifact.Store // what is made of the replies goes there; its compiler builds the programs
	Config    config.LLM
	Ledger    *ledger.Ledger // within the step's budget
	About     string         // name of the heuristic

	Journal *journal.Journal // of the run; nil where there is no run
	By      string           // names the step in the journal, the same in all its attempts
	Stop    <-chan struct{}  // closed when no further question may begin; nil: never

	OnSpend func(ledger.Spend) // called after every answer that counts, with the talk's sum; nil: not called
}

// ErrStopping is returned for a question that was not asked because Talk.Stop is closed.
var ErrStopping = errors.New("the worker is stopping and did not ask the LLM: Temporal gives the step to another")

// Unanswered is a question to which there is no answer this time. Its text says why.
type Unanswered struct {
	Request  string        // key of the request
	Asked    time.Time     // when the call began
	Deadline time.Duration // how long the question should be asked again and again
	Spent    ledger.Spend  // by the talk until then
	Err      *llm.Error
}

func (e *Unanswered) Error() string { return e.Err.Error() }

// Unwrap returns the client's error, which tells whether to ask again.
func (e *Unanswered) Unwrap() error { return e.Err }

// OverBudget is a question that was not asked because the answer might break the budget.
type OverBudget struct {
	Spent ledger.Spend // by the talk until then
	Err   error
}

func (e *OverBudget) Error() string { return e.Err.Error() }

// Unwrap returns the ledger's error.
func (e *OverBudget) Unwrap() error { return e.Err }

// Ask asks the LLM, or finds the stored answer, and passes the reply to read. It stores the result of read as JSON. If
// read cannot use the reply, Ask returns its error (IsProgramError). The reply is filed in both cases. An answer that
// the run has paid for already is free.
//
// Other errors are *Unanswered, *OverBudget, ErrStopping, llm.ErrPrompt where the server refuses this one prompt, and
// those of the store.
func (t *Talk) Ask(ctx context.Context, req llm.Request, read func(llm.Answer) (any, error)) (store.Ref, error) {
	var ref store.Ref
	if over := t.Ledger.Reserve(req.Model, len(req.System)+len(req.User), req.MaxTokens); over != nil {
		paid, err := t.paid(ctx, req)
		if err != nil {
			return ref, err
		}
		if !paid {
			return ref, &OverBudget{t.Ledger.Spent(), over}
		}
	}
	select {
	case <-t.Stop:
		return ref, ErrStopping
	default:
	}
	e := t.Config.Endpoints[string(req.Role)]
	asked := time.Now()
	answer, err := t.LLM.Complete(ctx, llm.Endpoint{URL: e.URL, Key: e.Key}, req)
	if err != nil {
		return ref, t.failed(ctx, req, asked, err)
	}
	made, problem := read(answer)
	switch {
	case problem == nil:
		if ref, err = t.Artifacts.PutJSON(ctx, made); err != nil {
			return ref, err
		}
	case !IsProgramError(problem):
		return ref, problem
	case answer.Unusable() != "":
		problem = &textgrad.FormatError{Want: "answer", Got: answer.Unusable()}
	}
	if err := t.file(ctx, req, answer, made, problem); err != nil {
		return ref, err
	}
	return ref, problem
}

// failed returns the error of a question that got no answer. It files a refused prompt.
func (t *Talk) failed(ctx context.Context, req llm.Request, asked time.Time, err error) error {
	var failure *llm.Error
	switch {
	case !errors.As(err, &failure):
		return err
	case failure.Kind != llm.ErrPrompt:
		return &Unanswered{
			Request: req.Key(), Asked: asked, Deadline: t.LLM.Deadline(req.MaxTokens),
			Spent: t.Ledger.Spent(), Err: failure,
		}
	case t.Journal == nil:
		return err
	}
	if filing := t.Journal.FileRefusal(ctx, journal.NewReply(req, t.About), req, err); filing != nil {
		return filing
	}
	return err
}

// file enters an answer into the journal and its cost into the ledger.
func (t *Talk) file(ctx context.Context, req llm.Request, answer llm.Answer, made any, problem error) error {
	spend := answer.Spend(req.Model, t.Config.Prices)
	if t.Journal == nil {
		t.settle(spend)
		return nil
	}
	r := journal.NewReply(req, t.About)
	r.Programs = programsOf(made)
	if problem != nil {
		r.Problem = problem.Error()
	}
	counts, err := t.Journal.FileAnswer(ctx, r, answer, spend, t.By)
	if counts && err == nil {
		t.settle(spend)
	}
	return err
}

// settle records what an answer cost.
func (t *Talk) settle(spend ledger.Spend) {
	t.Ledger.Settle(spend)
	if t.OnSpend != nil {
		t.OnSpend(t.Ledger.Spent())
	}
}

// paid reports whether the run has a language model's answer to a request already.
func (t *Talk) paid(ctx context.Context, req llm.Request) (bool, error) {
	if t.Journal == nil {
		return false, nil
	}
	return t.Journal.Paid(ctx, req)
}

// AskUntilParsed asks, and asks again with the error while the reply has the wrong form, at most config.LLM.Repairs
// times.
func (t *Talk) AskUntilParsed(
	ctx context.Context, req llm.Request, read func(llm.Answer) (any, error),
) (store.Ref, error) {
	ref, problem := t.Ask(ctx, req, read)
	for attempt := 1; attempt <= t.Config.Repairs && isFormatError(problem); attempt++ {
		better, err := t.Ask(ctx, textgrad.AgainRequest(req, problem, attempt), read)
		if cannotAsk(err) {
			break
		}
		ref, problem = better, err
	}
	return ref, problem
}

// cannotAsk reports whether err means that a question could not be asked. The error about the previous reply then
// remains.
func cannotAsk(err error) bool {
	var over *OverBudget
	return errors.As(err, &over) || errors.Is(err, llm.ErrPrompt)
}

// IsProgramError reports whether err is wrong with a reply or a program, so that its writer can correct it.
func IsProgramError(err error) bool {
	var program *heuristic.Error
	var crash *runtime.Crash
	return isFormatError(err) || errors.As(err, &program) || errors.As(err, &crash)
}

func isFormatError(err error) bool {
	var format *textgrad.FormatError
	return errors.As(err, &format)
}

// IsRejection reports whether err ends one edit, which is a result with a reason, rather than the step.
func IsRejection(err error) bool { return IsProgramError(err) || errors.Is(err, llm.ErrPrompt) }
