package ledger

import (
	"fmt"
	"math"
)

// Spend counts what calls cost, and keeps in mind who answered. Every answer counts once per run, when the run first used it.
type Spend struct {
	Calls    int   `json:"calls"`
	Input    int   `json:"input_tokens"`
	Output   int   `json:"output_tokens"`
	MicroUSD int64 `json:"micro_usd,omitempty"` // millionths of a dollar; 0 where no price is known
	StandIn  bool  `json:"stand_in,omitempty"`  // the rule-based stand-in gave some of the answers in the place of an LLM
}

// Plus returns the sum.
func (s Spend) Plus(o Spend) Spend {
	return Spend{s.Calls + o.Calls, s.Input + o.Input, s.Output + o.Output, s.MicroUSD + o.MicroUSD, s.StandIn || o.StandIn}
}

// Tokens is input and output together.
func (s Spend) Tokens() int { return s.Input + s.Output }

// USD is the money in dollars.
func (s Spend) USD() float64 { return float64(s.MicroUSD) / 1e6 }

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

// Prices holds the price of each model, by the name it is asked for.
type Prices map[string]Price

// Call returns what one call of the model costs; money is rounded up, and left out where the model has no price.
func (p Prices) Call(model string, input, output int) Spend {
	price := p[model]
	// A dollar per million tokens is a micro-dollar per token.
	micro := float64(float64(input)*price.Input) + float64(float64(output)*price.Output)
	return Spend{Calls: 1, Input: input, Output: output, MicroUSD: int64(math.Ceil(micro))}
}

// Ledger is the book of callers that ask one after another within one budget. It is not safe for concurrent use: give
// each a share of the budget and a ledger of its own.
type Ledger struct {
	budget *Budget
	prices Prices
	spent  Spend
}

// Open returns an empty ledger.
func Open(b *Budget, p Prices) *Ledger { return &Ledger{budget: b, prices: p} }

// BytesPerToken is what a prompt's size is divided by before it is sent: on the safe side, since English and Go have about four.
const BytesPerToken = 2

// Reserve fails with *Exceeded if a call with a prompt of so many bytes and an answer of maxTokens might break the budget.
func (l *Ledger) Reserve(model string, promptBytes, maxTokens int) error {
	worst := l.prices.Call(model, promptBytes/BytesPerToken+1, maxTokens)
	if left := l.budget.Minus(l.spent); !left.Allows(worst) {
		return &Exceeded{Left: *left, Worst: worst}
	}
	return nil
}

// Settle books what a call took.
func (l *Ledger) Settle(s Spend) { l.spent = l.spent.Plus(s) }

// Spent is what was booked.
func (l *Ledger) Spent() Spend { return l.spent }
