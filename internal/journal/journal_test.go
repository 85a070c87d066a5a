package journal_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

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
	// A later run of the same name pays for its own questions, and shows them alone.
	if err := j.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if paid, err := j.Paid(t.Context(), req); err != nil || paid {
		t.Errorf("before the next run asks, it is paid: %v (%v)", paid, err)
	}
	counts, err := j.FileAnswer(t.Context(), journal.NewReply(req, "near"), answer, spend, "second")
	if err != nil || !counts {
		t.Errorf("asked in the next run, it counts %v (%v)", counts, err)
	}
	replies, err = j.Replies(t.Context())
	if err != nil || len(replies) != 1 || replies[0].Spend != spend {
		t.Errorf("the next run has the replies %+v (%v), want one that cost %v", replies, err, spend)
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
		if err := j.Rule(t.Context(), h, journal.Ruling{Text: "dropped"}); err != nil {
			t.Fatal(err)
		}
	}
	rulings, err := j.Rulings(t.Context(), journal.Reply{Programs: []string{journal.CodeOf(program)}})
	if err != nil || len(rulings) != 1 || rulings[0].Text != "dropped" || rulings[0].Kept {
		t.Errorf("rulings %+v (%v), want one", rulings, err)
	}
}

// What is decided about a program whose weights were trained is found by the program that was sent. A model that sends
// back the trained program it was shown has sent another one.
func TestRulingsFollowTraining(t *testing.T) {
	j := newJournal(t)
	program := func(weight string, pass int) bank.Heuristic {
		return bank.Heuristic{Name: "near", Source: "package near\n\nconst near = " + weight + "\n",
			Lineage: bank.Lineage{Origin: "textgrad", Pass: pass}}
	}
	sent, tuned, again := program("1", 1), program("2", 1), program("3", 1)
	if err := errors.Join(
		j.Tuned(t.Context(), sent, tuned), j.Tuned(t.Context(), tuned, again), j.Tuned(t.Context(), sent, sent),
		j.Rule(t.Context(), again, journal.Ruling{Kept: true, Text: "the edit"}),
		j.Rule(t.Context(), program("2", 2), journal.Ruling{Text: "sent back in the next pass"}),
	); err != nil {
		t.Fatal(err)
	}
	again.Lineage.Gain = 0.5
	if err := j.Rule(t.Context(), again, journal.Ruling{Left: true, Text: "dropped"}); err != nil {
		t.Fatal(err)
	}
	for want, h := range map[string]bank.Heuristic{"the edit, dropped": sent, "sent back in the next pass": tuned} {
		rulings, err := j.Rulings(t.Context(), journal.Reply{Programs: []string{journal.CodeOf(h)}})
		var got []string
		for _, r := range rulings {
			got = append(got, r.Text)
		}
		if err != nil || strings.Join(got, ", ") != want {
			t.Errorf("rulings %q (%v), want %q", got, err, want)
		}
	}
}

// An edit counts once, as it was judged last before it left the bank, and the description that was written for it does
// not count. Journals of earlier versions have the second judgement under the program that was described.
func TestTally(t *testing.T) {
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	rulings := map[string][]journal.Ruling{
		"edit":     {{Kept: true, Lowered: 0.01, Text: "first"}, {Kept: true, Lowered: 0.02, Text: "second"}},
		"old":      {{Kept: true, Lowered: 0.01, Text: "first"}},
		"oldTuned": {{Kept: true, Lowered: 0.04, Text: "second"}},
		"undone":   {{Kept: true, Lowered: 0.01, Text: "first"}, {Lowered: 1e-5, Text: "second"}},
		"crashes":  {{Kept: true, Lowered: 0.01, Text: "first"}, {Text: "state 1: trap"}},
		"pruned":   {{Kept: true, Lowered: 0.08, Text: "first"}, {Left: true, Text: "dropped: loss"}},
		"mode":     {{Kept: true, Text: "improved by an edit"}},
		"refined":  {{Kept: true, Text: "agreement"}, {Kept: true, Admitted: true, Text: "admitted"}},
		"asItWas":  {{Kept: true, Admitted: true, Text: "admitted"}, {Left: true, Text: "dropped: loss"}},
		"tooAlike": {{Text: "not admitted"}},
	}
	start := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	put := func(key string, v any) {
		data, err := json.Marshal(v)
		if err == nil {
			err = s.PutKey(t.Context(), key, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for program, of := range rulings {
		for i, r := range of {
			r.Time, r.Name = start.Add(time.Duration(i)*time.Minute), program
			put(fmt.Sprintf("runs/run/rulings/%s/%d.json", program, i), r)
		}
	}
	put("runs/run/described/folded/anew.json", journal.Ruling{Kept: true, Name: "near", Text: "described anew"})
	var wants []string
	for i, r := range []struct {
		role     llm.Role
		task     string
		programs string
		verdict  string
	}{
		{llm.Writer, "STEP", "edit", "edit kept: first\nedit kept, judged again: second"},
		{llm.Writer, "DESCRIBE", "edit", "kept with the edit"},
		{llm.Writer, "STEP", "old", "old kept: first\noldTuned kept, judged again: second"},
		{llm.Writer, "DESCRIBE", "oldTuned", "kept with the edit"},
		{llm.Writer, "STEP", "undone", "undone kept: first\nundone turned down, judged again: second"},
		{llm.Writer, "DESCRIBE", "other", "not used: the edit was turned down"},
		{llm.Writer, "DESCRIBE", "folded", "near kept: described anew"},
		{llm.Writer, "STEP", "crashes", "crashes kept: first\ncrashes turned down: state 1: trap"},
		{llm.Writer, "IMPLEMENT", "pruned", "pruned kept: first\npruned taken out: dropped: loss"},
		{llm.Writer, "STEP", "new", "read"},
		{llm.Writer, "DESCRIBE", "new", "read"},
		{llm.Proposer, "PROPOSE", "mode asItWas tooAlike", "mode kept: improved by an edit\nasItWas kept: admitted\n" +
			"tooAlike turned down: not admitted\nasItWas taken out: dropped: loss"},
		{llm.Writer, "STEP", "refined", "refined kept: agreement\nrefined kept: admitted"},
	} {
		key := fmt.Sprintf("key-%02d", i)
		put("runs/run/llm/"+key+"/near.json", journal.Reply{Key: key, Time: start.Add(time.Duration(i) * time.Minute),
			Role: r.role, Task: r.task, Heuristic: "near", Programs: strings.Fields(r.programs)})
		wants = append(wants, r.verdict)
	}
	j := journal.Of(s, "run")
	replies, err := j.Replies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := j.Judged(t.Context(), replies)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if r.Verdict() != wants[i] {
			t.Errorf("%s %q: %q, want %q", r.Task, r.Programs, r.Verdict(), wants[i])
		}
	}
	tally, err := j.Tally(t.Context(), replies)
	if err != nil || tally.Edits != 3 || math.Abs(tally.Lowered-0.14) > 1e-9 || tally.Added != 2 {
		t.Fatalf("tally %+v (%v), want 3 edits that lower the loss by 0.14, and 2 programs added", tally, err)
	}
	proposer, writer := tally.Shares[0], tally.Shares[1]
	if proposer.Kept != 0 || proposer.Added != 1 || writer.Kept != 3 || writer.Added != 1 || writer.Replies != 12 {
		t.Errorf("shares %+v", tally.Shares)
	}
}
