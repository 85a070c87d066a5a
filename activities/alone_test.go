package activities

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// A term that training takes to 0 goes before the candidate is judged, and its description does not tell of it.
func TestProposeFoldsWhatComesToNothing(t *testing.T) {
	fx := newFixture(t)
	shard := fx.rollout()
	states := make([]int32, shard.States)
	for s := range states {
		states[s] = int32(s)
	}
	withDetour := strings.NewReplacer(
		"const (", "const (\n\tdetour = 0.02 // bonus of the distance once more, in [0, 1]",
		"home*start[c]", "home*start[c] + detour*here[c]", "near cities,", "near cities",
	).Replace(weighted)
	h := fx.entry("weighted", withDetour)
	f := faultSet{Shards: []workflows.Shard{shard}, Refine: [][]int32{states},
		Weights: &config.Weights{States: 1, Rounds: 1, Judge: 1}}
	tuned, err := fx.tuneToFaults(t.Context(), h, f)
	said := strings.Join(strings.Fields(tuned.Description), " ")
	if err != nil || strings.Contains(tuned.Source, "detour") ||
		!strings.HasSuffix(said, "No longer counted: the distance once more.") {
		t.Errorf("%v, the candidate is\n%s", err, tuned.Source)
	}
	if n := fx.scored(); n > 1 {
		t.Errorf("the store keeps the scores of %d programs, want those of one at most: the others were tried", n)
	}
}

// A candidate of Add whose structure is right and whose numbers are wrong is admitted for its structure: its weights
// are trained on the faults that refine it before it is judged on the others.
func TestProposeTunesCandidates(t *testing.T) {
	fx := newFixture(t)
	farFirst := strings.Replace(weighted, "away = -0.1", "away = 0.9", 1)
	shard := fx.rollout()
	var refine, heldOut []int32
	for s := range int32(shard.States) {
		if s%2 == 0 {
			refine = append(refine, s)
		} else {
			heldOut = append(heldOut, s)
		}
	}
	propose := func(weights *config.Weights) (candidate, faults store.Ref) {
		fx.asks(&server{Steps: []handler{says("<failure_mode>all rows\n<description>Score is new.</description>\n" +
			"<new_program>\n" + farFirst + "</new_program></failure_mode>\n")}})
		faults = fx.put(faultSet{
			Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 20},
			Shards:  []workflows.Shard{shard}, Refine: [][]int32{refine}, HeldOut: [][]int32{heldOut},
			Shown: []textgrad.Failure{{Step: 1, N: 20, K: 17}}, Weights: weights,
		})
		out := perform(fx, fx.Propose, workflows.ProposeInput{LLMAccess: workflows.LLMAccess{LLM: fx.in.LLM},
			Add: config.Add{Modes: 1}, Bank: fx.even(fx.entry("near", near)).Bank, Faults: faults})
		if len(out.Candidates) != 1 || out.Candidates[0].Problem != "" {
			t.Fatalf("proposed %+v", out)
		}
		return out.Candidates[0].Heuristic, faults
	}
	guessed, faults := propose(nil)
	tuned, _ := propose(&config.Weights{States: 1, Rounds: 3, Judge: 1})
	if again, _ := propose(&config.Weights{States: 1, Rounds: 3, Judge: 1}); again != tuned {
		t.Errorf("tuned again, the candidate is %+v, want %+v", again, tuned)
	}
	top1 := perform(fx, fx.Agree, workflows.AgreeInput{Faults: faults, Items: []store.Ref{guessed, tuned}}).Top1
	fx.ruled(fx.entry("weighted", farFirst), "+agreement on held-out faults", "+improved by an edit, agreement")
	t.Logf("agreement on the held-out states: %.3f as guessed, %.3f tuned", top1[0], top1[1])
	if top1[1] < top1[0]+0.3 {
		t.Errorf("agreement on the held-out states %v, want much more after tuning\n%s", top1,
			get[bank.Heuristic](fx, tuned).Source)
	}
}

// A candidate that crashes on states of another shard than that which fits its τ_h is left as it is: Assign and Admit
// find it out. It does not end the activity.
func TestTuningSurvivesCrashes(t *testing.T) {
	fx := newFixture(t)
	fx.asks(&server{Steps: []handler{says("<failure_mode>high rows\n<description>Score is new.</description>\n" +
		"<new_program>\n" + source("traps", trapsOnC) + "</new_program></failure_mode>\n")}})
	f := fx.put(faultSet{
		Context: textgrad.PromptContext{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, N: 3},
		Shards:  []workflows.Shard{fx.kinds("BABAB"), fx.kinds("BABAC")},
		Refine:  [][]int32{{0, 2}, {0, 4}}, HeldOut: [][]int32{{1, 3}, {1, 3}},
		Shown: []textgrad.Failure{{Step: 1, N: 3, K: 2}}, Weights: &config.Weights{States: 100, Rounds: 1, Judge: 1},
	})
	out := perform(fx, fx.Propose, workflows.ProposeInput{LLMAccess: workflows.LLMAccess{LLM: fx.in.LLM},
		Add: config.Add{Modes: 1}, Bank: fx.even(fx.scoring("near", byNear, 0.1)).Bank, Faults: f})
	if len(out.Candidates) != 1 || out.Candidates[0].Problem != "" || out.Candidates[0].Name != "traps" {
		t.Fatalf("proposed %+v, want the candidate as it was written", out)
	}
}

// Weights with which a program is none, as an expression of constants overflows float32, leave it as it is.
func TestReweightedKeepsWhatCompiles(t *testing.T) {
	h := bank.Heuristic{Name: "steep", Source: strings.NewReplacer(
		"in [0.5, 2.6]", "in [0.5, 100]", "home*start[c]", "1e37*home*start[c]",
	).Replace(weighted)}
	for home, changes := range map[float64]bool{2: true, 50: false} {
		got, err := reweighted(h, []float64{-0.1, home})
		if err != nil || (got.Source != h.Source) != changes {
			t.Errorf("home at %v: changed %v, want %v (%v)", home, got.Source != h.Source, changes, err)
		}
	}
}
