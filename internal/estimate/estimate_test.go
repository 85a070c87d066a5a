package estimate_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/estimate"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/prompts"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// An estimate multiplies the prompts and answers of every task with its calls. At the longest, every reply has all of
// its tokens, is asked for again as often as may be where it is no program, and every program is repaired as often.
// Money is that of all models, or none.
func TestOf(t *testing.T) {
	compiletest.Toolchain(t)
	cfg := config.Default()
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	sh, err := prompts.States(t.Context(), b, cfg.Nodes)
	if err != nil {
		t.Fatal(err)
	}
	requests, err := prompts.Sample(t.Context(), cfg, b, sh)
	if err != nil {
		t.Fatal(err)
	}
	byTask := map[string]llm.Request{}
	for _, r := range requests {
		byTask[strings.ToUpper(r.Name)] = r.Request
	}
	cfg.LLM.Prices = ledger.Prices{cfg.LLM.Writer: {Output: 1}, cfg.LLM.Critic: {Input: 2}}
	e, err := estimate.Of(cfg, byTask)
	if err != nil {
		t.Fatal(err)
	}
	var input, output, read, longest, written int
	for _, r := range e.Rows {
		input, output = input+r.Calls*r.Prompt, output+r.Calls*r.Answer
		calls := r.Calls * (1 + cfg.LLM.Repairs)
		if r.Task == "PROPOSE" { // a reply holds so many programs
			calls += r.Calls * cfg.Add.Modes * cfg.LLM.Repairs
		}
		longest += calls
		if r.Model == cfg.LLM.Writer {
			written += r.Calls * r.Answer
		} else {
			read += 2 * r.Calls * r.Prompt
		}
	}
	if e.Total.Input != input || e.Total.Output != output || e.Total.MicroUSD != int64(read+written) {
		t.Errorf("total %+v, want %d tokens in, %d out, and %d millionths", e.Total, input, output, read+written)
	}
	if e.Longest.Calls != longest || e.Longest.Output != longest*cfg.LLM.MaxTokens ||
		e.Longest.MicroUSD <= e.Total.MicroUSD {
		t.Errorf("at the longest %+v, want %d calls of %d tokens", e.Longest, longest, cfg.LLM.MaxTokens)
	}
	cfg.Limits.Tokens = e.Total.Tokens()
	if got := e.Fits(cfg); got != "would fit" {
		t.Errorf("within its own tokens it %s", got)
	}
	if cfg.Limits.Tokens--; !strings.HasPrefix(e.Fits(cfg), "may not fit") {
		t.Errorf("within one token less it %s", e.Fits(cfg))
	}
	delete(cfg.LLM.Prices, cfg.LLM.Critic)
	if e, err = estimate.Of(cfg, byTask); err != nil || e.Total.MicroUSD != 0 || e.Longest.MicroUSD != 0 ||
		!e.Unpriced[cfg.LLM.Critic] || e.Unpriced[cfg.LLM.Writer] {
		t.Errorf("without the price of one model: %+v (%v), want no money", e, err)
	}
}
