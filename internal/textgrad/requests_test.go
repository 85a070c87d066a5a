package textgrad_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

var update = flag.Bool("update", false, "rewrite the golden prompts in testdata")

// examples are a state of each problem with a program's scores.
var examples = map[routing.Problem]func() (sh *rollout.Shard, Vm []float32){routing.TSP: square,
	routing.CVRP: deliveries}

// requests returns every prompt of every SDK package: those of the first one by their names, the others in folders.
func requests(t *testing.T) map[string]llm.Request {
	t.Helper()
	all := map[string]llm.Request{}
	for i, p := range sdk.Packages {
		folder := ""
		if i > 0 {
			folder = p.Name + "/"
		}
		for name, req := range of(t, p) {
			all[folder+name] = req
		}
	}
	return all
}

func of(t *testing.T, p sdk.Package) map[string]llm.Request {
	t.Helper()
	example := examples[p.Problem]
	if example == nil {
		t.Fatalf("there is no state of %s to render prompts with: add one to examples", p.Problem)
	}
	sh, Vm := example()
	f := textgrad.NewFailure(sh, 0, Vm)
	f.Features = []evidence.Contrast{
		{Name: "missed", Call: "s.Missed(k)", Says: "how much its neighbours would miss it", Program: 0.25,
			Teacher: 1.5, Spreads: 2.1},
		{Name: "crowd_2", Call: "s.Crowd(k, 2)", Says: "how crowded it is near", Program: 1, Teacher: 0.5,
			Spreads: -1.2},
	}
	f.Terms = []evidence.Term{{Name: "lead", Program: 0.1, Teacher: 0.3}}
	f.Score = &evidence.Score{
		Total: evidence.Pair{Program: 0.6, Teacher: 0.4}, Rest: evidence.Pair{Program: 0.5, Teacher: 0.1},
	}
	record := &textgrad.Record{
		States: 900, Weight: 0.11, Trusted: true, NicheWeight: 0.35, Niche: textgrad.Tally{States: 100, Right: 83},
		Stages: [5]textgrad.Tally{{States: 60, Right: 48}, {States: 40, Right: 35}},
		Ranks:  [4]textgrad.Tally{{States: 80, Right: 78}, {States: 15, Right: 5}, {}, {States: 5}},
		Ties:   4, Right: []textgrad.Failure{f},
		Evidence: []evidence.Change{
			{Name: "missed", Call: "s.Missed(k)", Says: "how much its neighbours would miss it", Slope: -0.0123,
				Spread: 0.84},
			{Name: "skip_late", Call: "s.Progress() * s.Skip(k)",
				Says: "what it costs if left for later, late in the tour", Slope: 0.004, Spread: 1.2},
		},
	}
	ctx := textgrad.PromptContext{
		Setting: bank.Setting{Problem: p.Problem, View: p.View}, N: 20,
		Sharpness: agreement.Sharpness{Top1: 0.91, Top2: 0.07}, TauH: 0.05,
		Habits:      []string{"Direction: 1000 of 1000 tours run counterclockwise, a fixed habit."},
		Models:      map[llm.Role]string{llm.Critic: "c", llm.Writer: "w", llm.Proposer: "p"},
		Temperature: new(1.0), MaxTokens: 4096,
	}
	h := bank.Heuristic{
		Name: "near", TauH: 0.1, Description: "Score prefers the nearest city.",
		Source: "package near\n\n// Score prefers the nearest city.\nfunc Score(s *" + ctx.SDK() +
			".State, score []float32) {}\n",
	}
	g := textgrad.Gradient{Logic: "ranks by distance", Teacher: "lies alone", Flaw: "ignores isolation",
		Direction: "reward isolation"}
	d := textgrad.DescriptionGradient{Missing: "isolation", Misleading: "nothing",
		Direction: "mention cities that lie alone"}
	rejected := []textgrad.Rejected{
		{
			Source: "package near\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/" + ctx.SDK() +
				"\"\n\n// Score prefers near places that are cheap to leave.\nfunc Score(s *" + ctx.SDK() +
				".State, score []float32) {\n\tconst pull = 0.3 // of the way back\n" +
				"\tfor k, c := range s.Candidates {\n" +
				"\t\tscore[k] = -s.Dist(s.Current, c) - pull*s.Dist(c, s.Current)\n\t}\n}\n",
			Reason: "validation loss 0.3300 instead of 0.3100",
			Effect: "its own first choice was right in 80.0 % of 10 validation states and is in 70.0 %",
		},
		{Reason: "reply is no program"}, {Source: "package near", Reason: "it does not compile"}, {
			Source: "package near", Reason: "validation loss 0.3200 instead of 0.3100",
			Description: "Score prefers far places.",
		},
	}
	closest := f
	closest.Program = h.Name
	return map[string]llm.Request{
		"backward_code":        textgrad.BackwardRequest(h, f, ctx),
		"backward_description": textgrad.BackwardDescriptionRequest(h, f, ctx),
		"step": textgrad.StepRequest(h, textgrad.StepInput{
			Gradients: []textgrad.Gradient{g, g}, Persistent: []textgrad.Gradient{g},
			Rejected: []textgrad.Rejected{{Source: h.Source, Reason: "validation loss 0.31 → 0.33",
				Effect: "its own first choice was right in 80.0 % of 10 validation states and is in 70.0 %"},
				{Reason: "reply is no program"}}, Attempt: 2, Record: record,
			Accepted: "lowered the validation loss by 0.0041",
		}, ctx),
		"step_description": textgrad.StepDescriptionRequest(h, textgrad.RewriteInput{
			Gradients: []textgrad.DescriptionGradient{d}, Rejected: rejected, Others: []bank.Heuristic{h},
		}, ctx),
		"describe":  textgrad.DescribeRequest(h.Source, ctx),
		"implement": textgrad.ImplementRequest("Prefer the city that lies alone.", h, ctx),
		"propose": textgrad.ProposeRequest(textgrad.ProposeInput{Failures: []textgrad.Failure{closest},
			Bank: []bank.Heuristic{h}, Evidence: record.Evidence, Modes: 3}, ctx),
		"propose_empty": textgrad.ProposeRequest(textgrad.ProposeInput{Failures: []textgrad.Failure{f}, Modes: 3}, ctx),
		"again": textgrad.AgainRequest(textgrad.DescribeRequest(h.Source, ctx),
			&textgrad.FormatError{Want: "description", Got: "it is empty"}, 1),
		"repair": textgrad.RepairRequest(h.Source, errors.New("check: line 4: \"tsp\" is not imported"), 1,
			ctx),
	}
}

func TestPromptsMatchGolden(t *testing.T) {
	for name, req := range requests(t) {
		got := "Role: " + string(req.Role) + ", model: " + req.Model + "\n\n=== System ===\n\n" +
			withoutAPI(req.System) + "\n=== User ===\n\n" + req.User
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("prompt %s differs from %s; read the change, then run go test -update", name, file)
		}
	}
}

// withoutAPI removes the SDK's documentation, which changes with the SDK and not with the prompts.
func withoutAPI(prompt string) string {
	const begin, colon, end = "The SDK, with lengths in units of the square's side", ":\n\n", "\n\nRules:"
	before, rest, ok := strings.Cut(prompt, begin)
	if !ok {
		return prompt
	}
	units, rest, _ := strings.Cut(rest, colon)
	_, after, _ := strings.Cut(rest, end)
	return before + begin + units + colon + "(documentation)" + end + after
}

// The prompts' text on the ranking depends on the measured sharpness of the teacher.
func TestConclusionFollowsSharpness(t *testing.T) {
	const first, two, all = "the first is what counts", "the order of the top two or three is what counts",
		"reasonable candidates should score close to the teacher's"
	for _, tt := range []struct {
		top1, top2 float64
		want       string
	}{
		{0.97, 0.02, first}, {0.95, 0.05, first}, {0.94, 0.05, two}, {0.91, 0.07, two}, {0.55, 0.40, two}, {0.75, 0.13,
			all}, {0.30, 0.20, all},
	} {
		ctx := textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20,
			Sharpness: agreement.Sharpness{Top1: tt.top1, Top2: tt.top2}}
		system := textgrad.ImplementRequest("Prefer the nearest city.", bank.Heuristic{Name: "near"}, ctx).System
		for _, conclusion := range []string{first, two, all} {
			if strings.Contains(system, conclusion) != (conclusion == tt.want) {
				t.Errorf("%v, %v: the prompt does not conclude %q alone:\n%s", tt.top1, tt.top2, tt.want, system)
			}
		}
	}
}

// A request without a temperature differs from a request with any temperature.
func TestTemperatureIsOmitted(t *testing.T) {
	for want, temperature := range map[float64]*float64{0: new(0.0), 1: new(1.0), llm.OmitTemperature: nil} {
		ctx := textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20,
			Temperature: temperature}
		req := textgrad.ImplementRequest("Prefer the nearest city.", bank.Heuristic{Name: "near"}, ctx)
		if got := req.Temperature; got != want {
			t.Errorf("temperature %v, want %v", got, want)
		}
	}
}

// A prompt must not contain node indices, which a program could hard-code.
func TestPromptsNameNoCities(t *testing.T) {
	named := regexp.MustCompile(`(?i)\b(node|city|candidate)\s+#?\d`)
	for name, req := range requests(t) {
		if m := named.FindString(req.User); m != "" {
			t.Errorf("prompt %s names a city: %q", name, m)
		}
		if strings.Contains(req.System+req.User, "<no value>") {
			t.Errorf("prompt %s has a hole", name)
		}
	}
}

func TestCallsShowsWhatAProgramCalls(t *testing.T) {
	got := textgrad.Calls("tsp", "row := s.Row(s.Current)\nscore[0] = row[c] + s.Progress()")
	if !strings.Contains(got, "Row: ") || !strings.Contains(got, "Progress: ") ||
		strings.Contains(got, "type State") || strings.Contains(got, "Dist: ") {
		t.Errorf("calls:\n%s", got)
	}
	got = textgrad.Calls("tsp", "score[k] = s.NearestLeftBehind(k) - s.Distance(k)")
	if !strings.Contains(got, "\nViaNearest: ") || strings.Contains(got, "Distance: ") {
		t.Errorf("calls, with what explains them and without what needs no word:\n%s", got)
	}
	if got := textgrad.Calls("tsp", "score[0] = 1"); got != "" {
		t.Errorf("a program without calls calls\n%s", got)
	}
}

// A comment that names terms that are gone is shown neither to the one who describes the program nor to the one who
// changes it, wherever its lines break.
func TestOldCommentsAreNotShown(t *testing.T) {
	ctx := textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20}
	for comment, shown := range map[string]bool{
		"// Score prefers the far end.\n": true,
		"// Score prefers the far end and what lies alone. No\n// longer counted: alone.\n": false,
	} {
		src := "package far\n\n" + comment + "func Score(s *tsp.State, score []float32) {}\n"
		for task, req := range map[string]llm.Request{
			"DESCRIBE": textgrad.DescribeRequest(src, ctx),
			"STEP":     textgrad.StepRequest(bank.Heuristic{Name: "far", Source: src}, textgrad.StepInput{}, ctx),
		} {
			if got := strings.Contains(req.User, "the far end"); got != shown {
				t.Errorf("%s shows the comment: %v, want %v:\n%s", task, got, shown, req.User)
			}
		}
	}
}

func TestAPIShowsWhatProgramsUse(t *testing.T) {
	for name, wants := range map[string][]string{
		"tsp":     {"Candidates", "s.Row(i Node) []float32", "s.Progress() float32"},
		"subtsp":  {"Candidates", "s.Row(i Node) []float32"},
		"cvrp":    {"Demand", "const Depot Node = 0", "s.Saving("},
		"subcvrp": {"Demand", "s.ViaDepot("},
	} {
		api := textgrad.API(name, nil, all)
		for _, want := range wants {
			if !strings.Contains(api, want) {
				t.Errorf("API of %s lacks %q", name, want)
			}
		}
		for _, no := range []string{"NewState", "dist ", "Set("} {
			if strings.Contains(api, no) {
				t.Errorf("API of %s shows %q, which is the host's business", name, no)
			}
		}
		if strings.HasPrefix(name, "sub") && strings.Contains(api, "Progress()") {
			t.Errorf("API of %s shows progress, which its teacher does not see", name)
		}
	}
}

// TestPromptsOfAllowedClasses: a prompt shows and invites nothing that the run refuses.
func TestPromptsOfAllowedClasses(t *testing.T) {
	for _, tt := range []struct {
		allow     []sdk.Class
		with, out []string
	}{
		{nil, []string{"GreedyChain(", "InsertionPath(", "a plan of the rest"}, []string{"is refused", "are refused"}},
		{[]sdk.Class{sdk.ClassLocal, sdk.ClassLookahead},
			[]string{"GreedyChain(", "s.Dist(", "constant number of steps"},
			[]string{"InsertionPath(", "ScoreAlong(", "a plan of the rest"}},
		{[]sdk.Class{sdk.ClassLocal}, []string{"s.Dist(", "at most one step past a candidate"},
			[]string{"GreedyChain(", "InsertionPath(", "ScoreAlong(", "Uncross(", "a plan of the rest"}},
	} {
		c := textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20,
			Allow: tt.allow}
		system := textgrad.ImplementRequest("Prefer the city that lies alone.", bank.Heuristic{Name: "x"}, c).System
		for _, want := range tt.with {
			if !strings.Contains(system, want) {
				t.Errorf("%v: the prompt lacks %q", tt.allow, want)
			}
		}
		for _, no := range tt.out {
			if strings.Contains(system, no) {
				t.Errorf("%v: the prompt holds %q", tt.allow, no)
			}
		}
	}
}

func all(string) bool { return true }
