package activities

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
	"strings"
	"time"

	"go.temporal.io/sdk/activity"
	"golang.org/x/sync/errgroup"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Reply is one answer of the LLM in the log of a run, or the server's refusal of a prompt. Prompt and raw text of an answer are its
// record, which all runs share; a prompt that was refused is kept here, since it has no answer and may have one some day.
type Reply struct {
	Key       string       `json:"key"` // of the request
	Time      time.Time    `json:"time"`
	Role      llm.Role     `json:"role"`
	Task      string       `json:"task"` // as in the prompt's first heading
	Heuristic string       `json:"heuristic"`
	Model     string       `json:"model"`
	Finish    string       `json:"finish"`
	Programs  []string     `json:"programs,omitempty"` // the code in it, as codeOf identifies it
	Problem   string       `json:"problem,omitempty"`  // why it was of no use
	Spend     ledger.Spend `json:"spend"`              // nothing where the run had asked the same before
	Refused   *llm.Request `json:"refused,omitempty"`  // the prompt, where the server did not take it
}

// Ruling is what a run decided about a program: kept or not, and why.
type Ruling struct {
	Time time.Time `json:"time"`
	Name string    `json:"name"`
	Kept bool      `json:"kept"`
	Text string    `json:"text"`
}

func repliesPrefix(run string) string { return "runs/" + run + "/llm/" }

func rulingsPrefix(run, program string) string { return "runs/" + run + "/rulings/" + program + "/" }

// codeOf identifies what a program does, however it is described: a description written after an edit was accepted is another
// heuristic, of which the run decides on the same code.
func codeOf(h bank.Heuristic) string {
	sum := sha256.New()
	file := token.NewFileSet().AddFile("", -1, len(h.Source))
	var s scanner.Scanner
	s.Init(file, []byte(h.Source), nil, 0) // comments are no tokens
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return hex.EncodeToString(sum.Sum(nil))
		}
		fmt.Fprintln(sum, tok, text)
	}
}

// runOf returns the ID of the distillation an activity belongs to: its workflow, or the one that is a child of.
func runOf(info activity.Info) string {
	id := info.WorkflowExecution.ID
	if i := strings.LastIndex(id, "/"); i >= 0 && info.WorkflowType != nil && info.WorkflowType.Name != workflows.NameDistill {
		id = id[:i]
	}
	return id
}

// file enters a reply into the run's log and reports whether it counts as this activity's expense.
func (t *talk) file(ctx context.Context, req llm.Request, answer llm.Answer, spend ledger.Spend, made any, problem error) (counts bool, err error) {
	if t.run == "" {
		return true, nil
	}
	r := t.reply(req)
	r.Model, r.Finish, r.Programs = modelOf(answer), answer.Finish, programsOf(made)
	if problem != nil {
		r.Problem = problem.Error()
	}
	ending := ".json"
	if answer.StandIn { // a model may be asked the same later, and that is news
		ending = ".standin.json"
	}
	if counts, err = t.firstToAsk(ctx, llm.RecordKey(r.Key, answer.StandIn)); err != nil {
		return false, err
	}
	if counts {
		r.Spend = spend
	}
	return counts, t.enter(ctx, r, ending)
}

// fileRefusal enters a prompt that the server did not take into the run's log, beside the answer it may get later.
func (t *talk) fileRefusal(ctx context.Context, req llm.Request, refusal error) error {
	if t.run == "" {
		return nil
	}
	r := t.reply(req)
	r.Problem, r.Refused = refusal.Error(), &req
	return t.enter(ctx, r, ".refused.json")
}

// reply begins an entry of the log.
func (t *talk) reply(req llm.Request) Reply {
	return Reply{Key: req.Key(), Time: time.Now().UTC(), Role: req.Role, Task: textgrad.Task(req), Heuristic: t.about, Model: req.Model}
}

// enter writes an entry of the log, unless a former attempt of the activity has.
func (t *talk) enter(ctx context.Context, r Reply, ending string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = t.a.Store.PutKeyIfAbsent(ctx, repliesPrefix(t.run)+r.Key+"/"+t.about+ending, data)
	return err
}

// firstToAsk reports whether this activity, in this attempt or an earlier one, was the run's first with a request: neither a retry nor
// a second question of the same words counts again.
func (t *talk) firstToAsk(ctx context.Context, record string) (bool, error) {
	key := askedKey(t.run, record)
	if created, err := t.a.Store.PutKeyIfAbsent(ctx, key, []byte(t.by)); created || err != nil {
		return created, err
	}
	by, err := t.a.Store.GetKey(ctx, key)
	return string(by) == t.by, err
}

// paid reports whether the run has a language model's answer to a request already.
func (t *talk) paid(ctx context.Context, req llm.Request) (bool, error) {
	if t.run == "" {
		return false, nil
	}
	_, err := t.a.Store.GetKey(ctx, askedKey(t.run, llm.RecordKey(req.Key(), false)))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// askedKey is the key under which a run notes which activity was the first to ask a request.
func askedKey(run, record string) string { return "runs/" + run + "/asked/" + record }

// programsOf identifies the programs in what was made of a reply.
func programsOf(made any) []string {
	switch m := made.(type) {
	case bank.Heuristic:
		return []string{codeOf(m)}
	case []proposed:
		var ids []string
		for _, p := range m {
			if p.Problem == "" {
				ids = append(ids, codeOf(p.Heuristic))
			}
		}
		return ids
	}
	return nil
}

// rule enters a decision about a program into the run's log. The same decision made again, by a retry, stays one.
func (a *Activities) rule(ctx context.Context, h bank.Heuristic, kept bool, format string, args ...any) error {
	if !activity.IsActivity(ctx) {
		return nil
	}
	r := Ruling{Time: time.Now().UTC(), Name: h.Name, Kept: kept, Text: fmt.Sprintf(format, args...)}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(r.Text))
	_, err = a.Store.PutKeyIfAbsent(ctx, rulingsPrefix(runOf(activity.GetInfo(ctx)), codeOf(h))+hex.EncodeToString(sum[:8])+".json", data)
	return err
}

// refuse enters into the run's log that a program is turned down for a problem of its own.
func (a *Activities) refuse(ctx context.Context, h bank.Heuristic, problem string) error {
	return a.rule(ctx, h, false, "%s", problem)
}

// Replies returns the log of a run, oldest first.
func Replies(ctx context.Context, s *store.Store, run string) ([]Reply, error) {
	replies, err := readAll[Reply](ctx, s, repliesPrefix(run))
	slices.SortStableFunc(replies, func(a, b Reply) int { return a.Time.Compare(b.Time) })
	return replies, err
}

// Rulings returns what a run decided about the programs of a reply, oldest first.
func Rulings(ctx context.Context, s *store.Store, run string, r Reply) ([]Ruling, error) {
	var all []Ruling
	for _, id := range r.Programs {
		rulings, err := readAll[Ruling](ctx, s, rulingsPrefix(run, id))
		if err != nil {
			return nil, err
		}
		all = append(all, rulings...)
	}
	slices.SortStableFunc(all, func(a, b Ruling) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// Record returns the prompt and the raw reply, which is empty where the prompt was refused.
func (r Reply) Record(ctx context.Context, s *store.Store) (llm.Record, error) {
	if r.Refused != nil {
		return llm.Record{Request: *r.Refused, Answer: llm.Answer{Finish: "refused"}}, nil
	}
	record, ok, err := llm.Stored(ctx, store.AnswerCache(s), r.Key, r.Model == StandInModel)
	if err == nil && !ok {
		err = fmt.Errorf("answer to %s: %w", r.Key, store.ErrNotFound)
	}
	return record, err
}

// readAtOnce is how many objects readAll asks the store for at a time.
const readAtOnce = 16

// readAll reads all JSON objects under a prefix, in the order of their keys.
func readAll[T any](ctx context.Context, s *store.Store, prefix string) ([]T, error) {
	entries, err := s.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(entries))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readAtOnce)
	for i, e := range entries {
		group.Go(func() error {
			data, err := s.GetKey(ctx, e.Key)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(data, &out[i]); err != nil {
				return fmt.Errorf("%s: %w", e.Key, err)
			}
			return nil
		})
	}
	return out, group.Wait()
}
