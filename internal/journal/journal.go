package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/archive"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// Journal is the journal of one run.
type Journal struct {
	store *store.Store
	run   string
}

// Of returns the journal of a run, which is named by the ID of its workflow.
func Of(s *store.Store, run string) *Journal { return &Journal{s, run} }

// Reply is one answer of the LLM, or the server's refusal of a prompt. The prompt and the raw text of an answer are in
// its record, which all runs share. A prompt that was refused is kept here: it has no record, and may get one later.
type Reply struct {
	Key       string       `json:"key"` // of the request
	Time      time.Time    `json:"time"`
	Role      llm.Role     `json:"role"`
	Task      string       `json:"task"` // as in the prompt's first heading
	Heuristic string       `json:"heuristic"`
	Model     string       `json:"model"`
	Finish    string       `json:"finish"`
	Programs  []string     `json:"programs,omitempty"` // the code in it, each named by CodeOf
	Problem   string       `json:"problem,omitempty"`  // why it was of no use
	Spend     ledger.Spend `json:"spend"`              // nothing where the run had asked the same before
	Refused   *llm.Request `json:"refused,omitempty"`  // the prompt, where the server refused it
}

// NewReply begins the entry of a reply to a request about a heuristic. The caller adds what became of the request.
func NewReply(req llm.Request, heuristic string) Reply {
	return Reply{
		Key: req.Key(), Time: time.Now().UTC(), Role: req.Role, Task: req.Task(), Heuristic: heuristic,
		Model: req.Model,
	}
}

// Begin is for the first step of a run. It removes the journal of an earlier run of the same name, which failed: its
// questions would cost this run nothing, and its decisions would count as this run's. Answers stay, as all runs share
// them.
func (j *Journal) Begin(ctx context.Context) error {
	var all []string
	for _, part := range []string{"llm", "asked", "rulings", "tuned", "described"} {
		keys, err := j.store.List(ctx, j.prefix(part))
		if err != nil {
			return err
		}
		all = append(all, keys...)
	}
	return j.store.Delete(ctx, all)
}

// prefix returns where a part of the journal is.
func (j *Journal) prefix(part string) string { return "runs/" + j.run + "/" + part + "/" }

// FileAnswer enters an answer that cost spend, and reports whether it counts as an expense of the activity by. It does
// if this activity was the first of the run to ask the request, in this attempt or in an earlier one: the same question
// asked by another activity is free, and an attempt after a crash counts what the one before it counted.
func (j *Journal) FileAnswer(
	ctx context.Context, r Reply, answer llm.Answer, spend ledger.Spend, by string,
) (counts bool, err error) {
	r.Model, r.Finish = answer.Model, answer.Finish
	ending := ".json"
	if answer.Model == llm.StandIn { // a run that changes to a language model has both answers in its journal
		ending = ".standin.json"
	}
	if counts, err = j.firstToAsk(ctx, llm.RecordKey(r.Key, answer.Model), by); err != nil {
		return false, err
	}
	if counts {
		r.Spend = spend
	}
	return counts, j.enter(ctx, r, ending)
}

// FileRefusal enters a prompt that the server refused, beside the answer that it may get later.
func (j *Journal) FileRefusal(ctx context.Context, r Reply, req llm.Request, refusal error) error {
	r.Problem, r.Refused = refusal.Error(), &req
	return j.enter(ctx, r, ".refused.json")
}

// enter writes an entry, unless an earlier attempt of the activity wrote it.
func (j *Journal) enter(ctx context.Context, r Reply, ending string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = j.store.PutKeyIfAbsent(ctx, j.repliesPrefix()+r.Key+"/"+r.Heuristic+ending, data)
	return err
}

// firstToAsk reports whether the activity by was the first of the run with a request.
func (j *Journal) firstToAsk(ctx context.Context, record, by string) (bool, error) {
	key := j.askedKey(record)
	if created, err := j.store.PutKeyIfAbsent(ctx, key, []byte(by)); created || err != nil {
		return created, err
	}
	first, err := j.store.GetKey(ctx, key)
	return string(first) == by, err
}

// Paid reports whether the run has paid for a language model's answer to a request.
func (j *Journal) Paid(ctx context.Context, req llm.Request) (bool, error) {
	_, err := j.store.GetKey(ctx, j.askedKey(req.Key()))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (j *Journal) repliesPrefix() string { return j.prefix("llm") }

// askedKey is the key under which a run notes which activity asked a request first.
func (j *Journal) askedKey(record string) string { return j.prefix("asked") + record }

// Replies returns all replies, the oldest first.
func (j *Journal) Replies(ctx context.Context) ([]Reply, error) {
	replies, err := readAll[Reply](ctx, j.store, j.repliesPrefix())
	slices.SortStableFunc(replies, func(a, b Reply) int { return a.Time.Compare(b.Time) })
	return replies, err
}

// Record returns the prompt and the raw text of a reply. The text is empty where the prompt was refused.
func (j *Journal) Record(ctx context.Context, r Reply) (llm.Record, error) {
	if r.Refused != nil {
		return llm.Record{Request: *r.Refused, Answer: llm.Answer{Finish: "refused"}}, nil
	}
	record, ok, err := llm.Stored(ctx, store.AnswerCache(j.store), r.Key, r.Model)
	if err == nil && !ok {
		err = fmt.Errorf("answer to %s: %w", r.Key, store.ErrNotFound)
	}
	return record, err
}

// Archive returns all that the run asked and what came back, each once for each model. Two activities may have asked
// the same.
func (j *Journal) Archive(ctx context.Context) ([]archive.Entry, error) {
	replies, err := j.Replies(ctx)
	if err != nil {
		return nil, err
	}
	type outcome struct{ key, model, refusal string }
	seen := map[outcome]bool{}
	var entries []archive.Entry
	for _, r := range replies {
		e := archive.Entry{Key: r.Key}
		if r.Refused != nil {
			e.Request, e.Refusal = *r.Refused, r.Problem
		}
		this := outcome{r.Key, r.Model, e.Refusal}
		if seen[this] {
			continue
		}
		seen[this] = true
		if r.Refused == nil {
			record, err := j.Record(ctx, r)
			if err != nil {
				return nil, err
			}
			e.Request, e.Answer = record.Request, record.Answer
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// readAtOnce is how many objects readAll asks the store for at a time.
const readAtOnce = 16

// readAll reads all JSON objects under a prefix, in the order of their keys.
func readAll[T any](ctx context.Context, s *store.Store, prefix string) ([]T, error) {
	keys, err := s.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(keys))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readAtOnce)
	for i, key := range keys {
		group.Go(func() error {
			data, err := s.GetKey(ctx, key)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(data, &out[i]); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			return nil
		})
	}
	return out, group.Wait()
}
