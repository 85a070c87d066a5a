package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/prompts"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/workflows"
)

func TestPromptsShow(t *testing.T) {
	compiletest.Toolchain(t)
	sh, b, err := samples(t.Context(), "", "", 20)
	if err != nil {
		t.Fatal(err)
	}
	requests, err := prompts.Sample(t.Context(), config.Default(), b, sh)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what string
		want []string // headings
	}{
		{"all", []string{"BACKWARD CODE", "BACKWARD CODE", "STEP", "REPAIR", "DESCRIBE", "BACKWARD DESCRIPTION",
			"STEP DESCRIPTION", "IMPLEMENT", "PROPOSE", "PROPOSE"}},
		{"critic", []string{"BACKWARD CODE", "BACKWARD CODE", "BACKWARD DESCRIPTION"}},
		{"again", []string{"BACKWARD CODE"}},
		{"propose first", []string{"PROPOSE"}},
		{"step", []string{"STEP"}},
	} {
		var out bytes.Buffer
		some, err := promptsOf(requests, tt.what)
		if err != nil {
			t.Fatal(err)
		}
		some[0].User += "\x1b[2J"
		if err := printPrompts(&out, some); err != nil || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s prints what a terminal obeys (%v)", tt.what, err)
		}
		var got []string
		for _, line := range strings.Split(out.String(), "\n") {
			if task, ok := strings.CutPrefix(line, "# Task: "); ok {
				got = append(got, task)
			}
		}
		if strings.Join(got, ",") != strings.Join(tt.want, ",") {
			t.Errorf("%s shows %q, want %q", tt.what, got, tt.want)
		}
	}
	if _, err := promptsOf(requests, "judge"); err == nil ||
		!strings.Contains(err.Error(), "step description") {
		t.Errorf("error %v, want one that lists what there is", err)
	}
}

func TestEstimate(t *testing.T) {
	cfg := config.Default()
	cfg.LLM.Prices = ledger.Prices{"gpt-5": {Input: 1.25, Output: 10}}
	compiletest.Toolchain(t)
	e, err := estimateRun(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls, candidates := 0, 0
	for _, r := range e.Rows {
		calls += r.Calls
		if r.Task == "PROPOSE" {
			candidates = r.Calls * cfg.Add.Modes
		}
		if r.Calls == 0 || r.Prompt < 300 || r.Answer < 10 || r.Model == "" {
			t.Errorf("row %+v is no estimate", r)
		}
	}
	if want := cfg.Estimate().MaxLLMCalls; calls != want || e.Total.Calls != want ||
		e.Longest.Calls != want*(1+cfg.LLM.Repairs)+candidates*cfg.LLM.Repairs ||
		e.Longest.Tokens() <= e.Total.Tokens() {
		t.Errorf("%d calls, total %v, longest %v, want %d calls in all", calls, e.Total, e.Longest, want)
	}
	var out bytes.Buffer
	cfg.Limits.USD = 1000
	printEstimate(&out, e, cfg)
	if text := out.String(); !strings.Contains(text, "llm.prices has no gpt-5-mini") ||
		!strings.Contains(text, "wants the price of every model") {
		t.Errorf("no word on the missing price:\n%s", text)
	}
	if strings.Contains(out.String(), " USD.") {
		t.Errorf("the money of one model is told for all:\n%s", out.String())
	}
	cfg.LLM.Prices["gpt-5-mini"] = ledger.Price{Input: 0.25, Output: 2}
	cfg.Limits.USD = 0.01
	if e, err = estimateRun(t.Context(), cfg, nil); err != nil || e.Total.MicroUSD == 0 {
		t.Fatalf("total %v (%v), want a price", e.Total, err)
	}
	out.Reset()
	if printEstimate(&out, e, cfg); !strings.Contains(out.String(), "may not fit") {
		t.Errorf("a cent is said to be enough:\n%s", out.String())
	}
	// The writer repairs proposed programs, even where it has no task of its own.
	cfg.TextGrad.Off, cfg.Add.Rounds, cfg.LLM.Writer = true, 0, "unpriced"
	if e, err = estimateRun(t.Context(), cfg, nil); err != nil || !e.Unpriced["unpriced"] || e.Longest.MicroUSD != 0 {
		t.Errorf("no price of %v (%v), want of the writer; longest %v", e.Unpriced, err, e.Longest)
	}
}

// An example in a help text that starts from a preset names the price of every model.
func TestPresetExamplesNameAllPrices(t *testing.T) {
	sets := regexp.MustCompile(`--set (?:'([^']+)'|(\S+))`)
	for _, cmd := range []*cobra.Command{estimateCommand(), startCommand()} {
		_, example, ok := strings.Cut(cmd.Example, "--preset ")
		if !ok {
			t.Fatalf("%s shows no preset", cmd.Name())
		}
		example, _, _ = strings.Cut(example, "\n  epb")
		changes := []string{"limits.usd=1", "teacher=checkpoint.pt"}
		for _, m := range sets.FindAllStringSubmatch(example, -1) {
			changes = append(changes, m[1]+m[2])
		}
		cfg, err := config.Read("", strings.Fields(example)[0], changes)
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil || len(changes) < 3 {
			t.Errorf("the example of epb %s: %v", cmd.Name(), err)
		}
	}
}

// What is rendered is of the run's problem and of its bank's view, whatever the teacher that ships with EPB solves.
func TestSamplesFollowTheRun(t *testing.T) {
	compiletest.Toolchain(t)
	for _, tt := range []struct {
		problem       routing.Problem
		bank, teacher string
		sdk           string
	}{
		{routing.TSP, config.EmptyBank, config.BuiltinTeacher, "tsp"},
		{routing.CVRP, "builtin:pomo-cvrp50", "checkpoint.pt", "cvrp"},
		{routing.CVRP, config.EmptyBank, "", "subcvrp"}, // as the preset for LEHD, before its teacher is named
		{routing.TSP, "builtin:lehd-tsp100", "checkpoint.pt", "subtsp"},
		{routing.CVRP, "builtin:lehd-cvrp100", "checkpoint.pt", "subcvrp"},
		{routing.TSP, config.EmptyBank, testdata.Shared(t, "teachers/lehd/tsp_init.pt"), "subtsp"},
		{routing.CVRP, "given:lehd-cvrp100", "checkpoint.pt", "subcvrp"}, // as a dry run has read it
		{routing.CVRP, "empty:lehd-cvrp100", "rollouts", "subcvrp"},      // likewise, without a program
	} {
		cfg := config.Default()
		cfg.Problem, cfg.Bank, cfg.Teacher, cfg.Nodes = tt.problem, tt.bank, tt.teacher, 12
		var begin *bank.Bank
		if name, ok := strings.CutPrefix(tt.bank, "given:"); ok {
			var err error
			if begin, err = bank.Builtin(name); err != nil {
				t.Fatal(err)
			}
		}
		if name, ok := strings.CutPrefix(tt.bank, "empty:"); ok {
			all, err := bank.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			begin, cfg.Bank = &bank.Bank{Setting: all.Setting}, config.EmptyBank
		}
		prompts, err := promptsByTask(t.Context(), cfg, begin)
		if err != nil {
			t.Errorf("%s, %s: %v", tt.problem, tt.bank, err)
			continue
		}
		if _, err := estimateRun(t.Context(), cfg, begin); err != nil {
			t.Errorf("%s, %s: %v", tt.problem, tt.bank, err)
		}
		for _, call := range cfg.LLMCalls() {
			req := prompts[call.Task]
			shown := strings.Contains(req.System+req.User, "(s *"+tt.sdk+".State")
			if named := strings.Contains(req.System, " package "+tt.sdk+","); !shown && !named {
				t.Errorf("%s, %s: prompt %s is not about package %s", tt.problem, tt.bank, call.Task, tt.sdk)
			}
		}
	}
	cfg := config.Default()
	cfg.Problem = routing.CVRP
	if _, err := promptsByTask(t.Context(), cfg, nil); err == nil ||
		!strings.Contains(err.Error(), "bank builtin:tsp-starter is for tsp, the config's problem is cvrp") {
		t.Errorf("error %v, want one that names bank and problem", err)
	}
}

func TestLLMLog(t *testing.T) {
	offline(t)
	stack := devstacktest.Start(t, devstack.MinIO)
	s, err := store.Open(t.Context(), stack.Store())
	if err != nil {
		t.Fatal(err)
	}
	put := func(key string, v any) {
		data, err := json.Marshal(v)
		if err == nil {
			err = s.PutKey(t.Context(), key, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i, r := range []journal.Reply{
		{Key: "key-critic", Role: llm.Critic, Task: "BACKWARD CODE", Heuristic: "near"},
		{Key: "key-writer", Role: llm.Writer, Task: "STEP", Heuristic: "near", Programs: []string{"kept"}},
		{Key: "key-unread", Role: llm.Writer, Task: "STEP", Heuristic: "far", Problem: "reply is no program"},
		{Key: "key-worse1", Role: llm.Proposer, Task: "PROPOSE", Programs: []string{"worse", "new"}},
	} {
		r.Time, r.Spend = at.Add(time.Duration(i)*time.Minute), ledger.Spend{Calls: 1, Input: 1000, Output: 10,
			MicroUSD: 5000}
		put("runs/r1/llm/"+r.Key+"/"+r.Heuristic+".json", r)
		put("llm/"+r.Key+".json", llm.Record{Request: llm.Request{User: "question of " + r.Key},
			Answer: llm.Answer{Text: "answer of " + r.Key}})
	}
	put("runs/r1/llm/key-refuse/near.refused.json", journal.Reply{
		Key: "key-refuse", Time: at.Add(time.Hour), Role: llm.Writer, Task: "STEP", Heuristic: "near",
		Problem: "the server refuses the prompt (status 413)",
		Refused: &llm.Request{User: "far too long a question"},
	})
	put("runs/r1/rulings/kept/1.json", journal.Ruling{Name: "near", Kept: true, Text: "validation loss 0.5 → 0.4",
		Lowered: 0.1})
	put("runs/r1/rulings/worse/1.json", journal.Ruling{Name: "wild", Text: "not admitted"})
	put("runs/r1/rulings/new/1.json", journal.Ruling{Name: "bold", Kept: true, Admitted: true,
		Text: "admitted, coverage"})

	for _, tt := range []struct {
		name     string
		flags    logFlags
		has, not []string
	}{
		{"all", logFlags{}, []string{"key-crit", "near kept: validation loss 0.5 → 0.4",
			"wild turned down: not admitted", "4 calls, 4040 tokens, 0.02 USD; 2 of 5", "5 shown"},
			[]string{"question"}},
		{"role", logFlags{role: "writer"}, []string{"key-writ", "key-unre", "key-refu", "3 shown"},
			[]string{"key-crit", "key-wors"}},
		{"heuristic", logFlags{heuristic: "wild"}, []string{"key-wors", "wild turned down: not admitted\n  ",
			"  bold kept: admitted, coverage", "1 shown"},
			[]string{"key-crit", "key-unre"}},
		{"heuristic and role", logFlags{heuristic: "near", role: "critic"}, []string{"key-crit", "1 shown"},
			[]string{"key-writ"}},
		{"summary", logFlags{summary: true}, []string{"critic", "writer", "proposer", "4 calls, 4040 tokens, 0.02 USD",
			"ADDED", "Programs added: 1. Edits kept: 1.", "by 0.1000 in all: 404 tokens and 0.0020 USD for each 0.01"},
			[]string{"key-"}},
		{"rejected", logFlags{rejected: true}, []string{"unusable: reply is no program",
			"unusable: the server refuses the prompt (status 413)", "wild", "3 shown"},
			[]string{"key-crit", "key-writ"}},
		{"full", logFlags{role: "critic", full: true}, []string{"question of key-critic", "answer of key-critic",
			"verdict", "1 shown"}, []string{"key-writer"}},
		{"refused in full", logFlags{role: "writer", rejected: true, full: true},
			[]string{"far too long a question", "reply (refused)"}, []string{"key-critic"}},
	} {
		var out bytes.Buffer
		if err := printLog(t.Context(), &out, s, "r1", tt.flags); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.has {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, out.String())
			}
		}
		for _, no := range tt.not {
			if strings.Contains(out.String(), no) {
				t.Errorf("%s: %q in\n%s", tt.name, no, out.String())
			}
		}
	}
	for _, role := range []string{"", "critic"} {
		err := printLog(t.Context(), &bytes.Buffer{}, s, "r1", logFlags{heuristic: "foo", role: role})
		if want := "--heuristic foo: no reply is about it, there are replies about bold, far, near, wild"; err == nil ||
			err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	var none bytes.Buffer
	if err := printLog(t.Context(), &none, s, "r1", logFlags{heuristic: "wild", role: "critic"}); err != nil ||
		!strings.Contains(none.String(), "; 2 of 5 replies could not be used; 0 shown.") {
		t.Errorf("a program that another role was asked about: %v\n%s", err, none.String())
	}
	// Many replies are read at once, and listed in the order of their keys where they came at one time; what was ruled
	// about other roles' programs is not asked for.
	for i := range 40 {
		key := fmt.Sprintf("key-%04d", i)
		put("runs/r3/llm/"+key+"/near.json", journal.Reply{Key: key, Time: at, Role: llm.Critic, Task: "BACKWARD CODE",
			Programs: []string{"odd"}})
	}
	put("runs/r3/llm/key-odd1/near.json", journal.Reply{Key: "key-odd1", Time: at, Role: llm.Writer, Task: "STEP",
		Programs: []string{"broken"}})
	put("runs/r3/rulings/broken/1.json", "no ruling")
	var out bytes.Buffer
	if err := printLog(t.Context(), &out, s, "r3", logFlags{role: "critic"}); err != nil {
		t.Error(err)
	}
	for i, line := range strings.SplitN(out.String(), "\n", 41)[:40] {
		if want := fmt.Sprintf("key-%04d", i); !strings.Contains(line, want) {
			t.Errorf("line %d is not about %s: %s", i, want, line)
		}
	}
	if err := printLog(t.Context(), &bytes.Buffer{}, s, "r3", logFlags{role: "writer"}); err == nil ||
		!strings.Contains(err.Error(), "runs/r3/rulings/broken/1.json") {
		t.Errorf("error %v, want one that names the damaged ruling", err)
	}
	// The store knows a run with a result. Whether there is another one, Temporal would have to say.
	put("runs/r4/result.json", workflows.Result{Summary: "bank of 5"})
	for run, want := range map[string]string{
		"r4": "r4 has asked no language model",
		"r2": "r2 has asked no language model, or there is no such run, which Temporal would know: ",
	} {
		err := printLog(t.Context(), &bytes.Buffer{}, s, run, logFlags{})
		if err == nil || !strings.HasPrefix(err.Error(), want) || run == "r4" && err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
