package journal

import (
	"cmp"
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
)

// Tally is what a run paid for the replies of its models, and what it got for that.
type Tally struct {
	Shares  []Share      `json:"shares"` // by role and model
	Spend   ledger.Spend `json:"spend"`
	Edits   int          `json:"edits"`   // edits that Judge kept
	Lowered float64      `json:"lowered"` // the validation loss by so much, each by itself when it was judged last
	Added   int          `json:"added"`   // programs that Add took into the bank
}

// Share is the part of one role and one model in a run.
type Share struct {
	Role     llm.Role     `json:"role"`
	Model    string       `json:"model"`
	Replies  int          `json:"replies"`
	Unusable int          `json:"unusable"`
	Kept     int          `json:"kept"`  // of its edits, those that Judge kept
	Added    int          `json:"added"` // of its programs, those that Add took into the bank
	Spend    ledger.Spend `json:"spend"`
}

// Point is the fall of the validation loss by which costs are given.
const Point = 0.01

// PerPoint returns what one point of loss cost in tokens and in dollars. ok is false where no loss was lowered.
//
// For example, 9,000 tokens for edits that lowered the loss from 0.40 to 0.37 are 3,000 tokens per point.
func (t Tally) PerPoint() (tokens, usd float64, ok bool) {
	if t.Lowered <= 0 {
		return 0, 0, false
	}
	points := t.Lowered / Point
	return float64(t.Spend.Tokens()) / points, t.Spend.USD() / points, true
}

// Tally adds up the replies of a run. A program that was judged several times counts as it was judged last before it
// left the bank, if it did, and once, for the first reply that holds it.
func (j *Journal) Tally(ctx context.Context, replies []Reply) (Tally, error) {
	var t Tally
	type who struct {
		role  llm.Role
		model string
	}
	all, err := j.Judged(ctx, replies)
	if err != nil {
		return t, err
	}
	shares := map[who]*Share{}
	counted := map[string]bool{} // programs
	for _, r := range all {
		id := who{r.Role, r.Model}
		if shares[id] == nil {
			shares[id] = &Share{Role: r.Role, Model: r.Model}
		}
		s := shares[id]
		s.Replies++
		s.Spend = s.Spend.Plus(r.Spend)
		t.Spend = t.Spend.Plus(r.Spend)
		if r.Problem != "" {
			s.Unusable++
		}
		if r.Task == describing { // has no program of its own
			continue
		}
		for _, program := range r.Programs {
			if counted[program] {
				continue
			}
			counted[program] = true
			switch last, _ := r.decided(program); {
			case last.Admitted:
				s.Added++
				t.Added++
			case last.Kept && last.Lowered > 0:
				s.Kept++
				t.Edits++
				t.Lowered += last.Lowered
			}
		}
	}
	for _, s := range shares {
		t.Shares = append(t.Shares, *s)
	}
	slices.SortFunc(t.Shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Model, b.Model))
	})
	return t, nil
}
