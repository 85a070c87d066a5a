package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/store"
)

// Ruling is a run's decision about a program: whether it was kept, and why.
type Ruling struct {
	Time time.Time `json:"time"`
	Name string    `json:"name"`
	Kept bool      `json:"kept"`
	Text string    `json:"text"`

	// Lowered is by how much an edit lowers the validation loss, where that decided. Admitted is set where Add took the
	// program into the bank, Left where it was in the bank and was taken out. Rulings of earlier versions of EPB do not
	// have them.
	Lowered  float64 `json:"lowered,omitempty"`
	Admitted bool    `json:"admitted,omitempty"`
	Left     bool    `json:"left,omitempty"`

	program string // that it is about, as in Reply.Programs
}

// Rule enters a decision about a program, under what the model sent (see Tuned), and sets its time and name. The same
// decision made again, by an activity that is tried again, stays one.
func (j *Journal) Rule(ctx context.Context, h bank.Heuristic, r Ruling) error {
	r.Time, r.Name = time.Now().UTC(), h.Name
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	sent, err := j.sent(ctx, h)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(r.Text))
	_, err = j.store.PutKeyIfAbsent(ctx, j.rulingsPrefix(sent)+hex.EncodeToString(sum[:8])+".json", data)
	return err
}

// Tuned notes that training the weights of a program made another one of it. Later decisions about that one are
// decisions about what the model sent.
func (j *Journal) Tuned(ctx context.Context, h, tuned bank.Heuristic) error {
	if CodeOf(h) == CodeOf(tuned) {
		return nil
	}
	sent, err := j.sent(ctx, h)
	if err != nil {
		return err
	}
	key, err := j.tunedKey(tuned)
	if err != nil {
		return err
	}
	_, err = j.store.PutKeyIfAbsent(ctx, key, []byte(sent))
	return err
}

// sent returns the name (CodeOf) of the program that a model sent and that became h by training; h's own if none did.
func (j *Journal) sent(ctx context.Context, h bank.Heuristic) (string, error) {
	key, err := j.tunedKey(h)
	if err != nil {
		return "", err
	}
	sent, err := j.store.GetKey(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return CodeOf(h), nil
	}
	return string(sent), err
}

// tunedKey is the key under which a run notes what a program was before its weights were trained. The lineage is
// part of it: if a model sends back, with its trained weights, the program that it was shown, that is another program.
func (j *Journal) tunedKey(h bank.Heuristic) (string, error) {
	h.Lineage.Gain = 0 // is known later
	lineage, err := json.Marshal(h.Lineage)
	sum := sha256.Sum256(lineage)
	return j.prefix("tuned") + CodeOf(h) + "/" + hex.EncodeToString(sum[:8]), err
}

// Redescribed enters that a program of the bank got another description outside of an edit. That is no decision about
// its code, so it stands apart from those.
func (j *Journal) Redescribed(ctx context.Context, h bank.Heuristic) error {
	data, err := json.Marshal(Ruling{Time: time.Now().UTC(), Name: h.Name, Kept: true, Text: "described anew"})
	if err != nil {
		return err
	}
	_, err = j.store.PutKeyIfAbsent(ctx, j.describedPrefix(CodeOf(h))+"anew.json", data)
	return err
}

// redescribed returns what Redescribed entered about the programs of a reply.
func (j *Journal) redescribed(ctx context.Context, r Reply) ([]Ruling, error) {
	return j.readRulings(ctx, r, j.describedPrefix)
}

// Rulings returns the run's decisions about the programs of a reply, the oldest decision first.
func (j *Journal) Rulings(ctx context.Context, r Reply) ([]Ruling, error) {
	return j.readRulings(ctx, r, j.rulingsPrefix)
}

// readRulings returns the rulings under the prefixes of a reply's programs, the oldest first.
func (j *Journal) readRulings(ctx context.Context, r Reply, prefix func(program string) string) ([]Ruling, error) {
	var all []Ruling
	for _, id := range r.Programs {
		rulings, err := readAll[Ruling](ctx, j.store, prefix(id))
		if err != nil {
			return nil, err
		}
		for i := range rulings {
			rulings[i].program = id
		}
		all = append(all, rulings...)
	}
	sortByTime(all)
	return all, nil
}

func sortByTime(rulings []Ruling) {
	slices.SortStableFunc(rulings, func(a, b Ruling) int { return a.Time.Compare(b.Time) })
}

func (j *Journal) rulingsPrefix(program string) string {
	return j.prefix("rulings") + program + "/"
}

func (j *Journal) describedPrefix(program string) string {
	return j.prefix("described") + program + "/"
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
