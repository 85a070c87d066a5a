package dialogue

import (
	"context"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Draft holds the properties that a program of the LLM will have as an entry of a bank.
type Draft struct {
	Setting     bank.Setting // of the bank that it is for
	Name        string
	Description string // takes the place of the source's own, unless it is empty
	TauH        float64
	Lineage     bank.Lineage

	source string      // of the last reply that held a program
	allow  []sdk.Class // the classes that it may have; empty: all
}

// Written is a program that the LLM wrote.
type Written struct {
	Heuristic store.Ref // bank.Heuristic as JSON
	Name      string
	Problem   string       // why the program was given up; empty where it passed the checks
	Spend     ledger.Spend // of the talk until then
}

// Program asks for a program and has it repaired until it passes the checks.
func (t *Talk) Program(ctx context.Context, d Draft, req llm.Request, c textgrad.PromptContext) (Written, error) {
	d.allow = c.Allow
	ref, problem := t.Ask(ctx, req, t.readProgram(ctx, &d))
	return t.repair(ctx, d, req, ref, problem, c)
}

// readProgram returns a function that takes a program out of a reply and checks it.
func (t *Talk) readProgram(ctx context.Context, d *Draft) func(llm.Answer) (any, error) {
	return func(answer llm.Answer) (any, error) {
		d.Lineage.LLM = answer.Model
		source, err := textgrad.ParseProgram(answer.Text)
		if err != nil {
			return nil, err
		}
		d.source = source
		return d.check(ctx, t.Artifacts.Compiler)
	}
}

// repair has a draft corrected, at most as often as config.LLM.Repairs says, until it passes the checks. A reply
// without a program is asked for again; a program is shown to the writer with what is wrong with it. req is what was
// asked, and ref the stored heuristic where problem is nil. A draft that is given up is a result with a problem.
func (t *Talk) repair(
	ctx context.Context, d Draft, req llm.Request, ref store.Ref, problem error, c textgrad.PromptContext,
) (Written, error) {
	for attempt := 1; attempt <= t.Config.Repairs && IsProgramError(problem); attempt++ {
		next := textgrad.AgainRequest(req, problem, attempt)
		if !isFormatError(problem) {
			req = textgrad.RepairRequest(d.source, problem, attempt, c)
			next = req
		}
		repaired, err := t.Ask(ctx, next, t.readProgram(ctx, &d))
		if cannotAsk(err) {
			break
		}
		ref, problem = repaired, err
	}
	w := Written{Heuristic: ref, Name: d.Name, Spend: t.Ledger.Spent()}
	if !IsRejection(problem) {
		return w, problem
	}
	w.Problem, w.Heuristic = problem.Error(), store.Ref{}
	if d.source == "" { // no reply had a program
		return w, nil
	}
	var err error
	w.Heuristic, err = t.Artifacts.PutJSON(ctx, bank.Heuristic{Name: d.Name, Source: d.source})
	return w, err
}

// check makes a draft an entry of a bank: it compiles the program, loads it and tries it on a few states.
func (d Draft) check(ctx context.Context, compiler *compile.Toolchain) (bank.Heuristic, error) {
	h, err := bank.New(d.Name, d.source, d.Lineage)
	if err != nil {
		return h, err
	}
	if err := d.Setting.Fits(h); err != nil {
		return h, err
	}
	if err := h.Allowed(d.allow); err != nil {
		return h, err
	}
	h.TauH = d.TauH
	if d.Description != "" {
		if h, err = Described(h, d.Description); err != nil {
			return h, err
		}
	}
	m, err := runtime.Admit(ctx, compiler, h.Name, h.Source)
	if err != nil {
		return h, err
	}
	m.Close()
	return h, nil
}

// Described returns a heuristic with another description. If the description is not valid, the error is a
// *textgrad.FormatError, since the reply is at fault.
func Described(h bank.Heuristic, description string) (bank.Heuristic, error) {
	other, err := h.Describe(description)
	if err != nil {
		return h, &textgrad.FormatError{Want: "description", Got: err.Error()}
	}
	return other, nil
}

// programsOf names the programs that were read from a reply, as the journal does.
func programsOf(made any) []string {
	switch m := made.(type) {
	case bank.Heuristic:
		return []string{journal.CodeOf(m)}
	case []proposed:
		var ids []string
		for _, p := range m {
			if p.Problem == "" {
				ids = append(ids, journal.CodeOf(p.Heuristic))
			}
		}
		return ids
	}
	return nil
}
