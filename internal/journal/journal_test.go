package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

func newJournal(t *testing.T) *journal.Journal {
	t.Helper()
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	return journal.Of(s, "run")
}

// An answer counts for the activity that asked first, in each of its attempts, and is entered once for each heuristic.
func TestAnswersCountOnce(t *testing.T) {
	j := newJournal(t)
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\n"}
	answer, spend := llm.Answer{Text: "hi", Model: "m-2026", Finish: "stop"}, ledger.Spend{Calls: 1, Input: 10}
	if paid, err := j.Paid(t.Context(), req); err != nil || paid {
		t.Errorf("before it is asked, it is paid: %v (%v)", paid, err)
	}
	for _, tt := range []struct {
		by, about string
		counts    bool
	}{
		{"first", "near", true}, {"second", "far", false}, {"first", "near", true},
	} {
		counts, err := j.FileAnswer(t.Context(), journal.NewReply(req, tt.about), answer, spend, tt.by)
		if err != nil || counts != tt.counts {
			t.Errorf("%s asks about %s: it counts %v (%v), want %v", tt.by, tt.about, counts, err, tt.counts)
		}
	}
	if paid, err := j.Paid(t.Context(), req); err != nil || !paid {
		t.Errorf("after it is asked, it is paid: %v (%v)", paid, err)
	}
	replies, err := j.Replies(t.Context())
	if err != nil || len(replies) != 2 || replies[0].Heuristic != "near" || replies[1].Heuristic != "far" {
		t.Fatalf("replies %+v (%v), want those about near and far", replies, err)
	}
	if replies[0].Spend != spend || replies[1].Spend != (ledger.Spend{}) || replies[0].Model != "m-2026" {
		t.Errorf("replies %+v, want that the first one cost %v and the second nothing", replies, spend)
	}
}

// A prompt that the server refuses stands beside the answer that it gets later, with its words.
func TestRefusalsAreKept(t *testing.T) {
	j := newJournal(t)
	req := llm.Request{Role: llm.Writer, Model: "m", User: "# Task: STEP\nlong"}
	for range 2 { // the second one by a retry
		if err := j.FileRefusal(t.Context(), journal.NewReply(req, "near"), req, errors.New("too long")); err != nil {
			t.Fatal(err)
		}
	}
	reply, answer := journal.NewReply(req, "near"), llm.Answer{Model: "m"}
	if _, err := j.FileAnswer(t.Context(), reply, answer, ledger.Spend{}, "by"); err != nil {
		t.Fatal(err)
	}
	replies, err := j.Replies(t.Context())
	if err != nil || len(replies) != 2 || replies[0].Problem != "too long" || replies[1].Refused != nil {
		t.Fatalf("replies %+v (%v), want the refusal and the answer", replies, err)
	}
	if r, err := j.Record(t.Context(), replies[0]); err != nil || r.Request != req || r.Answer.Text != "" {
		t.Errorf("record %+v (%v), want the prompt without an answer", r, err)
	}
}

// A decision is about code: it holds for the same code under another description, and is entered once.
func TestRulingsFollowTheCode(t *testing.T) {
	j := newJournal(t)
	const code = "package near\n\n// Score prefers the nearest city.\nfunc Score() { return 1 }\n"
	program := bank.Heuristic{Name: "near", Source: code}
	described := bank.Heuristic{Name: "near", Source: strings.Replace(code, "the nearest city", "what is near", 1)}
	other := bank.Heuristic{Name: "near", Source: strings.Replace(code, "return 1", "return 2", 1)}
	for _, h := range []bank.Heuristic{described, described, other} {
		if err := j.Decide(t.Context(), h, false, "dropped"); err != nil {
			t.Fatal(err)
		}
	}
	rulings, err := j.Rulings(t.Context(), journal.Reply{Programs: []string{journal.CodeOf(program)}})
	if err != nil || len(rulings) != 1 || rulings[0].Text != "dropped" || rulings[0].Kept {
		t.Errorf("rulings %+v (%v), want one", rulings, err)
	}
}
