package standin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Every program the stand-in can write passes the checks that a model's programs pass, and says in its description the
// phrase it is recognised by.
func TestCatalogueIsValid(t *testing.T) {
	for _, c := range settings {
		for _, s := range c.catalogue {
			for n := range s.variants {
				src := c.write(s, n)
				checked, err := compile.Check(src)
				if err != nil {
					t.Errorf("%s: %s %d: %v", c.sdk, s.name, n, err)
					continue
				}
				if !s.describes(strings.Join(strings.Fields(checked.Description), " ")) {
					t.Errorf("%s: %s: description %q lacks its phrase %q",
						c.sdk, s.name, checked.Description, s.says[0])
				}
			}
		}
	}
}

func TestParseReadsTheTable(t *testing.T) {
	f := tours.failures(1)[0]
	p := parse(textgrad.BackwardRequest(tours.nearest, f, tours.ctx).User)
	if p.task != "BACKWARD CODE" || p.program != strings.TrimSpace(tours.nearest.Source) || len(p.failures) != 1 {
		t.Fatalf("task %q, program %q, %d failures", p.task, p.program, len(p.failures))
	}
	got, want := p.failures[0].teacher1, f.Teacher[0]
	for _, c := range []struct{ got, want float64 }{
		{got.distance, want.Distance}, {got.isolation, want.Isolation}, {got.toStart, want.ToStart},
		{got.toCentroid, want.ToCentroid},
		{got.twoStep, want.TwoStep},
		{p.failures[0].progress, 0.25},
	} {
		if d := c.got - c.want; d < -6e-4 || d > 6e-4 {
			t.Errorf("row %+v of %+v: %v, want %v", got, want, c.got, c.want)
		}
	}
}

func TestParseReadsRoutes(t *testing.T) {
	for _, c := range []setting{routes, legs} {
		for _, f := range c.failures(20) {
			got := parse(textgrad.BackwardRequest(c.nearest, f, c.ctx).User).failures[0]
			for i, row := range []row{got.program1, got.program2, got.teacher1, got.teacher2} {
				readsRow(t, row, [...]textgrad.Choice{f.Heuristic[0], f.Heuristic[1], f.Teacher[0], f.Teacher[1]}[i])
			}
			progress := 3. / 11
			if c.craft == subcvrp { // which does not see who was served
				progress = 0
			}
			if !near(got.progress, progress) || !near(got.remaining, f.Remaining) || got.home != f.Home {
				t.Errorf("%s: %+v of %+v", c.sdk, got, f.Round)
			}
		}
	}
}

// readsRow wants a row to say what the prompt was made from.
func readsRow(t *testing.T, row row, want textgrad.Choice) {
	t.Helper()
	if row.where != want.Where || row.home() != (want.Where != "customer") {
		t.Errorf("row is a %q, want %q", row.where, want.Where)
	}
	for _, c := range []struct{ got, want float64 }{
		{row.distance, want.Distance}, {row.demand, want.Demand}, {row.room, want.RoomAfter},
		{row.toStart, want.ToStart},
		{row.saving, want.Saving}, {row.detour, want.Detour}, {row.bearing, want.Bearing}, {row.turn, want.Turn},
		{row.isolation, want.Isolation}, {row.toCentroid, want.ToCentroid},
	} {
		if !near(c.got, c.want) {
			t.Errorf("row %+v of %+v: %v, want %v", row, *want.Delivery, c.got, c.want)
		}
	}
}

// near allows for what the tables round: percentages are whole.
func near(got, want float64) bool { return math.Abs(got-want) <= 5e-3 }

func TestBackwardParses(t *testing.T) {
	for _, c := range settings {
		seen := map[string]bool{}
		for _, f := range c.failures(60) {
			g, err := textgrad.ParseGradient(answer(t, textgrad.BackwardRequest(c.nearest, f, c.ctx)))
			if err != nil {
				t.Fatal(err)
			}
			if w := c.wanted([]string{g.Direction}); len(w) != 1 {
				t.Errorf("direction %q is not one that step understands", g.Direction)
			}
			seen[g.Direction] = true
			described := answer(t, textgrad.BackwardDescriptionRequest(c.nearest, f, c.ctx))
			if _, err := textgrad.ParseDescriptionGradient(described); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) < 4 {
			t.Errorf("60 failures led to %d directions only: %v", len(seen), seen)
		}
	}
}

// A round of attempts, each rejected, must try other edits all the time, every one a program that passes the checks.
func TestStepVariesAndCompiles(t *testing.T) {
	for _, c := range settings {
		for _, w := range c.causes {
			in := following(0, w.wants)
			tried := []string{c.nearest.Source}
			for attempt := 1; attempt <= 6; attempt++ {
				in.Attempt = attempt
				src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(c.nearest, in, c.ctx)))
				if err != nil {
					t.Fatal(err)
				}
				if err := typecheck(src); err != nil {
					t.Errorf("cause %s, attempt %d: %v\n%s", w.name, attempt, err, src)
				}
				if slices.Contains(tried, src) {
					t.Errorf("cause %s, attempt %d repeats an edit:\n%s", w.name, attempt, src)
				}
				tried = append(tried, src)
				in.Rejected = append(in.Rejected, textgrad.Rejected{Source: src, Reason: "no better"})
			}
		}
	}
}

// An attempt that never became a program is shown by its reason alone; the next one must still be another edit.
func TestStepMovesOnFromUnreadableReplies(t *testing.T) {
	in := following(1, tours.causes[0].wants)
	first := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	in.Attempt, in.Rejected = 2, []textgrad.Rejected{{Reason: "reply is no program"}}
	if second := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx)); second == first {
		t.Errorf("the second attempt repeats the first:\n%s", second)
	}
}

func TestStepServesTheDirection(t *testing.T) {
	in := textgrad.StepInput{Attempt: 1, Gradients: []textgrad.Gradient{
		{Direction: tours.causes[4].wants}, {Direction: tours.causes[1].wants}, {Direction: tours.causes[1].wants},
	}}
	for i := range in.Gradients {
		in.Gradients[i].Logic, in.Gradients[i].Teacher, in.Gradients[i].Flaw = "l", "t", "f"
	}
	src := answer(t, textgrad.StepRequest(tours.nearest, in, tours.ctx))
	if !strings.Contains(src, "NearestTwo") || strings.Contains(src, "Centroid") {
		t.Errorf("two of three gradients ask for isolation, the edit is\n%s", src)
	}
}

// following is a step that follows one gradient of a direction.
func following(attempt int, direction string) textgrad.StepInput {
	g := textgrad.Gradient{Logic: "l", Teacher: "t", Flaw: "f", Direction: direction}
	return textgrad.StepInput{Attempt: attempt, Gradients: []textgrad.Gradient{g}}
}

// The starting bank's programs are built in other ways than the stand-in's own: no edit of them may break a rule or a
// name.
func TestStepEditsForeignPrograms(t *testing.T) {
	for _, body := range []string{
		"path := s.NearestPath(s.Current)\ns.ScoreAlong(path, score)",
		"if s.K() == 1 {\nscore[0] = 0\nreturn\n}\n" +
			"for k := range score {\nd1, d2 := s.NearestTwo(k)\nscore[k] = d2 - d1\n}",
	} {
		h := tours.nearest
		h.TauH = 0.8
		h.Source = "package other\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n" +
			"// Score does it another way.\nfunc Score(s *tsp.State, score []float32) {\n" + body + "\n}\n"
		for _, c := range tours.causes {
			in := following(1, c.wants)
			for range 9 {
				src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, tours.ctx)))
				if err != nil {
					t.Fatal(err)
				}
				if err := typecheck(src); err != nil {
					t.Errorf("cause %s: %v\n%s", c.name, err, src)
				}
				in.Attempt++
				in.Rejected = append(in.Rejected, textgrad.Rejected{Source: src})
			}
		}
	}
}

func TestStepEditsBanks(t *testing.T) {
	for name, c := range map[string]setting{"cvrp-starter": routes, "lehd-cvrp100": legs} {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range b.Heuristics {
			for _, w := range c.causes {
				in := following(1, w.wants)
				src, err := textgrad.ParseProgram(answer(t, textgrad.StepRequest(h, in, c.ctx)))
				if err != nil {
					t.Fatal(err)
				}
				if err := typecheck(src); err != nil || src == strings.TrimSpace(h.Source) {
					t.Errorf("%s, cause %s: %v\n%s", h.Name, w.name, err, src)
				}
			}
		}
	}
}

func TestProposeAvoidsTheBank(t *testing.T) {
	for _, c := range settings {
		known := c.nearest
		known.Name, known.Description = c.catalogue[0].name, describe(c.write(c.catalogue[0], 0))
		in := textgrad.ProposeInput{
			Failures: c.failures(10), Bank: []bank.Heuristic{c.nearest, known}, Modes: 5, Attempt: 1,
		}
		proposals, err := textgrad.ParseProposals(answer(t, textgrad.ProposeRequest(in, c.ctx)), 5)
		if err != nil || len(proposals) != 5 {
			t.Fatalf("%d proposals, %v", len(proposals), err)
		}
		sources := map[string]bool{}
		for _, p := range proposals {
			if _, err := compile.Check(p.Source); err != nil {
				t.Errorf("%v\n%s", err, p.Source)
			}
			if c.catalogue[0].describes(p.Description) {
				t.Errorf("proposal repeats the bank's %q", p.Description)
			}
			sources[p.Source] = true
		}
		if len(sources) != 5 {
			t.Errorf("%d different programs among 5", len(sources))
		}
		in.Attempt = 2
		again, err := textgrad.ParseProposals(answer(t, textgrad.ProposeRequest(in, c.ctx)), 5)
		if err != nil || sources[again[0].Source] {
			t.Errorf("a second call proposes the same program (%v)", err)
		}
		in.Bank = nil
		first, err := textgrad.ParseProposals(answer(t, textgrad.ProposeRequest(in, c.ctx)), 5)
		if err != nil || len(first) != 5 {
			t.Errorf("%d first programs for an empty bank, %v", len(first), err)
		}
	}
}

func TestOtherTasks(t *testing.T) {
	for _, c := range settings {
		d, err := textgrad.ParseDescription(answer(t, textgrad.DescribeRequest(c.nearest.Source, c.ctx)))
		if err != nil || d != c.nearest.Description {
			t.Errorf("described as %q, %v", d, err)
		}
		g := []textgrad.DescriptionGradient{{Missing: "m", Misleading: "nothing", Direction: c.causes[2].wants}}
		d, err = textgrad.ParseDescription(answer(t, textgrad.StepDescriptionRequest(c.nearest, g, nil, 1, c.ctx)))
		if err != nil || d == c.nearest.Description {
			t.Fatalf("new description %q, %v", d, err)
		}
		src, err := textgrad.ParseProgram(answer(t, textgrad.ImplementRequest(d, c.nearest, c.ctx)))
		if err != nil || describe(src) != d {
			t.Errorf("%q was implemented as %q, %v", d, describe(src), err)
		}
		repair := textgrad.RepairRequest("package x", errors.New("parse: line 1"), 1, c.ctx)
		src, err = textgrad.ParseProgram(answer(t, repair))
		if err != nil {
			t.Error(err)
		} else if _, err := compile.Check(src); err != nil {
			t.Error(err)
		}
	}
	for _, user := range []string{"", "Hello!", "# Task: SING", "# Task: STEP\n\nnothing"} {
		if text, err := Answer(textgrad.DescribeRequest("", tours.ctx).System, user); err == nil {
			t.Errorf("%q answered with %q", user, text)
		}
	}
}

func TestServer(t *testing.T) {
	var log bytes.Buffer
	srv := httptest.NewServer(Handler(&log))
	defer srv.Close()
	client, err := llm.New(llm.Config{BaseURL: srv.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	req := textgrad.BackwardRequest(tours.nearest, tours.failures(1)[0], tours.ctx)
	first, err := client.Complete(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	second, err := client.Complete(t.Context(), req)
	if err != nil || second != first {
		t.Errorf("the same request is answered differently (%v)", err)
	}
	if first.Model != llm.StandIn || first.PromptTokens == 0 || first.CompletionTokens == 0 {
		t.Errorf("answer %+v does not say that it is a stand-in, or what it cost", first)
	}
	req.User = "Hello!"
	if _, err := client.Complete(t.Context(), req); !errors.Is(err, llm.ErrRequest) {
		t.Errorf("a foreign prompt: %v, want ErrRequest", err)
	}

	var entries []Entry
	for lines := bufio.NewScanner(&log); lines.Scan(); {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	if len(entries) != 3 || entries[0].Hash != entries[1].Hash || entries[1].Hash == entries[2].Hash ||
		entries[0].Task != "BACKWARD CODE" {
		t.Errorf("log %+v, want the same request twice and another one", entries)
	}

	res, err := srv.Client().Get(srv.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	list, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(list), `"id":"`+llm.StandIn+`"`) {
		t.Errorf("GET /v1/models: %s, %s (%v), want that it names itself", res.Status, list, err)
	}
}
