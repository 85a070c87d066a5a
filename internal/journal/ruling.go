package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/bank"
)

// Ruling is a run's decision about a program: whether it was kept, and why.
type Ruling struct {
	Time time.Time `json:"time"`
	Name string    `json:"name"`
	Kept bool      `json:"kept"`
	Text string    `json:"text"`

	// Lowered is by how much an edit lowers the validation loss, where that decided. Rulings of earlier versions of EPB
	// do not have it.
	Lowered float64 `json:"lowered,omitempty"`
}

// Decide enters a decision about a program. The same decision made again, by an activity that is tried again, stays
// one.
func (j *Journal) Decide(ctx context.Context, h bank.Heuristic, kept bool, text string) error {
	return j.enterRuling(ctx, h, Ruling{Kept: kept, Text: text})
}

// DecideByLoss is Decide for an edit that lowers the validation loss by lowered, or raises it where that is negative.
func (j *Journal) DecideByLoss(ctx context.Context, h bank.Heuristic, kept bool, lowered float64, text string) error {
	return j.enterRuling(ctx, h, Ruling{Kept: kept, Text: text, Lowered: lowered})
}

// enterRuling writes a decision about a program, under a name made of its text.
func (j *Journal) enterRuling(ctx context.Context, h bank.Heuristic, r Ruling) error {
	r.Time, r.Name = time.Now().UTC(), h.Name
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(r.Text))
	_, err = j.store.PutKeyIfAbsent(ctx, j.rulingsPrefix(CodeOf(h))+hex.EncodeToString(sum[:8])+".json", data)
	return err
}

// Rulings returns the run's decisions about the programs of a reply, the oldest decision first.
func (j *Journal) Rulings(ctx context.Context, r Reply) ([]Ruling, error) {
	var all []Ruling
	for _, id := range r.Programs {
		rulings, err := readAll[Ruling](ctx, j.store, j.rulingsPrefix(id))
		if err != nil {
			return nil, err
		}
		all = append(all, rulings...)
	}
	slices.SortStableFunc(all, func(a, b Ruling) int { return a.Time.Compare(b.Time) })
	return all, nil
}

func (j *Journal) rulingsPrefix(program string) string {
	return "runs/" + j.run + "/rulings/" + program + "/"
}

// CodeOf names a program by its code without comments, as a hash in hex. A description that was written after an edit
// was accepted makes another heuristic, but the run's decision about its code still holds.
func CodeOf(h bank.Heuristic) string {
	sum := sha256.New()
	file := token.NewFileSet().AddFile("", -1, len(h.Source))
	var s scanner.Scanner
	s.Init(file, []byte(h.Source), nil, 0) // mode 0: comments are no tokens
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return hex.EncodeToString(sum.Sum(nil))
		}
		fmt.Fprintln(sum, tok, text)
	}
}
