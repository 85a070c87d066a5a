package ledger

import (
	"fmt"
	"math"
	"strings"
)

// Budget is what may still be spent. A nil Budget has no limit at all. A field that is Unlimited has no limit of its
// kind.
type Budget struct {
	Calls    int   `json:"calls"`
	Tokens   int   `json:"tokens"`
	MicroUSD int64 `json:"micro_usd"`
}

// Unlimited is far more than a run can spend, even after it is divided a few times.
const Unlimited = math.MaxInt

// New returns the budget of limits; 0 means no limit of that kind.
func New(calls, tokens int, usd float64) *Budget {
	if calls == 0 && tokens == 0 && usd == 0 {
		return nil
	}
	b := &Budget{Unlimited, Unlimited, Unlimited}
	if calls > 0 {
		b.Calls = calls
	}
	if tokens > 0 {
		b.Tokens = tokens
	}
	if usd > 0 {
		b.MicroUSD = int64(math.Round(usd * 1e6))
	}
	return b
}

// Minus returns what is left after s. No field falls below 0.
func (b *Budget) Minus(s Spend) *Budget {
	if b == nil {
		return nil
	}
	return &Budget{max(b.Calls-s.Calls, 0), max(b.Tokens-s.Tokens(), 0), max(b.MicroUSD-s.MicroUSD, 0)}
}

// Share returns one of n equal parts, for callers that ask at the same time.
func (b *Budget) Share(n int) *Budget {
	if b == nil {
		return nil
	}
	n = max(n, 1)
	return &Budget{b.Calls / n, b.Tokens / n, b.MicroUSD / int64(n)}
}

// Fits returns how many callers can ask at the same time if each must have room for s: at most n, and at least one,
// which then learns from Reserve that nothing is left.
//
// For example, seven callers that need two calls each do not fit into a budget of ten calls, and five do.
func (b *Budget) Fits(s Spend, n int) int {
	for n > 1 && !b.Share(n).Allows(s) {
		n--
	}
	return max(n, 1)
}

// Allows reports whether s fits.
func (b *Budget) Allows(s Spend) bool {
	return b == nil || s.Calls <= b.Calls && s.Tokens() <= b.Tokens && s.MicroUSD <= b.MicroUSD
}

// Empty reports whether nothing more can be asked.
func (b *Budget) Empty() bool { return b != nil && (b.Calls == 0 || b.Tokens == 0 || b.MicroUSD == 0) }

// Exceeded is a call that was not made because it might have broken the budget.
type Exceeded struct {
	Left  Budget
	Worst Spend // what the call could have cost
}

// Error says what is left and what the call could have cost.
func (e *Exceeded) Error() string {
	var left []string
	if e.Left.Calls < Unlimited/1024 {
		left = append(left, fmt.Sprintf("%d calls", e.Left.Calls))
	}
	if e.Left.Tokens < Unlimited/1024 {
		left = append(left, fmt.Sprintf("%d tokens", e.Left.Tokens))
	}
	if e.Left.MicroUSD < Unlimited/1024 {
		left = append(left, fmt.Sprintf("%.4f USD", float64(e.Left.MicroUSD)/1e6))
	}
	return fmt.Sprintf("the LLM budget is used up: this step has %s left and the call could take %d tokens (%.4f USD)",
		strings.Join(left, ", "), e.Worst.Tokens(), e.Worst.USD())
}
