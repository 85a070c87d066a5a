package ledger

import (
	"fmt"
	"math"
)

// Spend counts what calls cost, and notes whether the stand-in, the null writer or an archive answered. Every answer
// counts once per run, when the run first uses it.
type Spend struct {
	Calls    int   `json:"calls"`
	Input    int   `json:"input_tokens"`
	Output   int   `json:"output_tokens"`
	MicroUSD int64 `json:"micro_usd,omitempty"` // millionths of a dollar; 0 if no price is known
	StandIn  bool  `json:"stand_in,omitempty"`  // the rule-based stand-in gave some of the answers instead of an LLM
	Replayed bool  `json:"replayed,omitempty"`  // an archive gave some of the answers: what they cost was paid before

	NullWriter bool `json:"null_writer,omitempty"` // the null writer gave some of them, which draws by lot
}

// Plus returns the sum.
func (s Spend) Plus(o Spend) Spend {
	return Spend{
		Calls: s.Calls + o.Calls, Input: s.Input + o.Input, Output: s.Output + o.Output,
		MicroUSD: s.MicroUSD + o.MicroUSD, StandIn: s.StandIn || o.StandIn, Replayed: s.Replayed || o.Replayed,
		NullWriter: s.NullWriter || o.NullWriter,
	}
}

// ByRule names who answered in place of a language model: "stand-in", "null writer", both, or nobody.
func ByRule(standIn, nullWriter bool) string {
	switch {
	case standIn && nullWriter:
		return "stand-in and null writer"
	case standIn:
		return "stand-in"
	case nullWriter:
		return "null writer"
	}
	return ""
}

// Tokens is input and output together.
func (s Spend) Tokens() int { return s.Input + s.Output }

// USD is the money in dollars.
func (s Spend) USD() float64 { return float64(s.MicroUSD) / 1e6 }

// String returns calls and tokens, and the money if there is any.
func (s Spend) String() string {
	calls := "calls"
	if s.Calls == 1 {
		calls = "call"
	}
	text := fmt.Sprintf("%d %s, %d tokens", s.Calls, calls, s.Tokens())
	if s.MicroUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", s.USD())
	}
	return text
}

// Price is what a model costs, in USD per million tokens.
type Price struct {
	Input  float64 `json:"input" yaml:"input"`
	Output float64 `json:"output" yaml:"output"`
}

// Prices holds the price of each model, by the name under which the model is asked.
type Prices map[string]Price

// Call returns what one call of the model costs. Money is rounded up to a millionth of a dollar. It is 0 for a model
// without a price.
func (p Prices) Call(model string, input, output int) Spend {
	price := p[model]
	// A dollar per million tokens is a micro-dollar per token.
	micro := float64(float64(input)*price.Input) + float64(float64(output)*price.Output)
	return Spend{Calls: 1, Input: input, Output: output, MicroUSD: int64(math.Ceil(micro))}
}

// Ledger records what callers spend that ask one after another within one budget. It is not safe for concurrent use:
// callers that ask at the same time each need a share of the budget and a ledger of their own.
type Ledger struct {
	budget *Budget
	prices Prices
	spent  Spend
}

// Open returns a ledger in which nothing is spent.
func Open(b *Budget, p Prices) *Ledger { return &Ledger{budget: b, prices: p} }

// bytesPerToken is how many bytes of a prompt are taken for a token before it is sent. English and Go have about four,
// so the estimate is rather too high than too low.
const bytesPerToken = 2

// Reserve fails with *Exceeded if a call with a prompt of promptBytes and an answer of maxTokens might break the
// budget.
func (l *Ledger) Reserve(model string, promptBytes, maxTokens int) error {
	worst := l.prices.Call(model, promptBytes/bytesPerToken+1, maxTokens)
	if left := l.budget.Minus(l.spent); !left.Allows(worst) {
		return &Exceeded{Left: *left, Worst: worst}
	}
	return nil
}

// Settle records what a call cost.
func (l *Ledger) Settle(s Spend) { l.spent = l.spent.Plus(s) }

// Spent returns the sum of what was recorded.
func (l *Ledger) Spent() Spend { return l.spent }
