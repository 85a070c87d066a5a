// Package estimate estimates, before a run starts, its use of the language models in calls, tokens and money.
package estimate

import (
	"fmt"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/standin"
)

// Estimate is what the LLM side of a run would take.
type Estimate struct {
	Rows     []Row           `json:"tasks"`
	Total    ledger.Spend    `json:"total"`    // answers as long as the stand-in's
	Longest  ledger.Spend    `json:"longest"`  // every answer of max_tokens, every program repaired as often as may be
	Unpriced map[string]bool `json:"unpriced"` // models; money is not estimated where there are any
}

// Row is one task's part.
type Row struct {
	Task   string       `json:"task"`
	Role   llm.Role     `json:"role"`
	Model  string       `json:"model"`
	Calls  int          `json:"calls"`
	Prompt int          `json:"prompt_tokens"` // of one call
	Answer int          `json:"answer_tokens"` // of one call
	Spend  ledger.Spend `json:"spend"`
}

// BytesPerToken turns measured bytes into tokens: about what English and Go take.
const BytesPerToken = 4

// Of multiplies the sizes of sample prompts, by their task, with the calls a run makes.
func Of(cfg config.Distill, byTask map[string]llm.Request) (Estimate, error) {
	e := Estimate{Unpriced: map[string]bool{}}
	repair := len(byTask["REPAIR"].System+byTask["REPAIR"].User) / BytesPerToken
	for _, t := range cfg.LLMCalls() {
		req, ok := byTask[t.Task]
		if !ok {
			return e, fmt.Errorf("no prompt of task %s in the sample", t.Task)
		}
		text, err := standin.Answer(req.System, req.User)
		if err != nil {
			return e, err
		}
		row := Row{
			Task: t.Task, Role: req.Role, Model: req.Model, Calls: t.Calls,
			Prompt: len(req.System+req.User) / BytesPerToken, Answer: len(text) / BytesPerToken,
		}
		row.Spend = cfg.LLM.Prices.Call(row.Model, t.Calls*row.Prompt, t.Calls*row.Answer)
		row.Spend.Calls = t.Calls
		e.Rows, e.Total = append(e.Rows, row), e.Total.Plus(row.Spend)

		asked, programs := t.Calls, 0 // replies without a program are asked for again, programs repaired
		switch t.Task {
		case "STEP", "IMPLEMENT":
			programs = t.Calls
		case "PROPOSE":
			programs = t.Calls * cfg.Add.Modes
			fallthrough
		default:
			asked += t.Calls * cfg.LLM.Repairs
		}
		longest := cfg.LLM.Prices.Call(row.Model, asked*row.Prompt, asked*cfg.LLM.MaxTokens)
		longest.Calls = asked
		repairs := cfg.LLM.Prices.Call(cfg.LLM.Writer, programs*cfg.LLM.Repairs*repair,
			programs*cfg.LLM.Repairs*cfg.LLM.MaxTokens)
		repairs.Calls = programs * cfg.LLM.Repairs
		e.Longest = e.Longest.Plus(longest).Plus(repairs)
		e.wantPrice(cfg.LLM.Prices, row.Model, t.Calls)
		e.wantPrice(cfg.LLM.Prices, cfg.LLM.Writer, repairs.Calls)
	}
	if len(e.Unpriced) > 0 { // the money of the other models alone would be taken for all
		e.Total.MicroUSD, e.Longest.MicroUSD = 0, 0
	}
	return e, nil
}

// wantPrice notes a model that is called and has no price.
func (e Estimate) wantPrice(prices ledger.Prices, model string, calls int) {
	if _, ok := prices[model]; !ok && calls > 0 {
		e.Unpriced[model] = true
	}
}

// Fits says whether an estimate of a run stays within the limits of its config; it is empty where there are none.
func (e Estimate) Fits(cfg config.Distill) string {
	b := cfg.Limits.Budget()
	switch {
	case b == nil:
		return ""
	case !b.Allows(e.Total):
		return "may not fit: the run then goes on without the language models"
	case cfg.Limits.USD > 0 && len(e.Unpriced) > 0:
		return "may not fit: epb start wants the price of every model"
	}
	return "would fit"
}
