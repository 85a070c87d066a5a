package config_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The columns of the paper's settings table. Two runs have no column there: they have that of the same teacher's other
// run.
func TestPresetsAreThePapers(t *testing.T) {
	tests := map[string]struct {
		problem                      routing.Problem
		nodes, layers, batch, epochs int
		lr                           float64
		every                        int    // batches between backward passes
		states                       int    // decision states an epoch
		view                         string // of the teacher
		proposer                     string
	}{
		"pomo-tsp50":   {routing.TSP, 50, 3, 4096, 144, 6e-4, 100, 100_000, "full", "claude-sonnet-4.6"},
		"pomo-tsp100":  {routing.TSP, 100, 4, 2048, 80, 3e-4, 200, 100_000, "full", "claude-sonnet-4.6"},
		"pomo-cvrp50":  {routing.CVRP, 50, 6, 16384, 50, 4e-4, 200, 1_600_000, "full", "claude-sonnet-4.6"},
		"pomo-cvrp100": {routing.CVRP, 100, 6, 16384, 50, 4e-4, 200, 1_600_000, "full", "claude-sonnet-4.6"},
		"lehd-tsp100":  {routing.TSP, 100, 3, 1024, 50, 1e-4, 200, 100_000, "subgraph", "gpt-5"},
		"lehd-cvrp100": {routing.CVRP, 100, 3, 1024, 50, 1e-4, 200, 100_000, "subgraph", "claude-sonnet-4.6"},
	}
	if got := config.Presets(); !slices.Equal(got, slices.Sorted(maps.Keys(tests))) {
		t.Errorf("presets %q", got)
	}
	for name, want := range tests {
		c, err := config.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		s, tr := c.Student, c.Train
		if c.Problem != want.problem || c.Nodes != want.nodes ||
			s.Dim != 128 || s.Heads != 8 || s.Layers != want.layers ||
			tr.BatchStates != want.batch || tr.LR != want.lr || c.Limits.Epochs+tr.AnnealEpochs != want.epochs {
			t.Errorf("%s: %+v %+v, %d nodes, %d epochs", name, s, tr, c.Nodes, c.Limits.Epochs+tr.AnnealEpochs)
		}
		states := c.Estimate().TrainStates
		if off := float64(states) / float64(want.states); off < 0.98 || off > 1.02 {
			t.Errorf("%s: %d decision states an epoch, want %d", name, states, want.states)
		}
		batches := float64(tr.SegmentEpochs) * float64(states) / float64(tr.BatchStates)
		if off := batches / float64(want.every); off < 0.9 || off > 1.1 {
			t.Errorf("%s: a backward pass every %.0f batches, want %d", name, batches, want.every)
		}
		if c.LLM.Proposer != want.proposer {
			t.Errorf("%s: proposer %s", name, c.LLM.Proposer)
		}
		paper, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Add.MaxBank != len(paper.Heuristics) || string(paper.View) != want.view {
			t.Errorf("%s: room for %d programs, the paper's bank has %d of view %s",
				name, c.Add.MaxBank, len(paper.Heuristics), paper.View)
		}
		if seed, ok := strings.CutPrefix(c.Bank, "builtin:"); ok {
			b, err := bank.Builtin(seed)
			if err != nil || b.Problem != want.problem || b.View != paper.View || len(b.Heuristics) >= c.Add.MaxBank {
				t.Errorf("%s begins with %s: another problem or view, or no room (%v)", name, c.Bank, err)
			}
		} else if c.Bank != config.EmptyBank {
			t.Errorf("%s begins with %s", name, c.Bank)
		}
		// Both blocks take part: the bank can grow to its size, in passes of segments that all fit between the
		// epochs.
		pass := tr.SegmentEpochs * tr.PassSegments
		passes := (c.Limits.Epochs + pass - 1) / pass
		adds := passes
		programs := 0
		if c.Bank == config.EmptyBank {
			adds++ // the one that founds it
		} else if b, err := bank.Builtin(strings.TrimPrefix(c.Bank, "builtin:")); err == nil {
			programs = len(b.Heuristics)
		}
		if passes < 3 || programs+adds*c.Add.Modes < c.Add.MaxBank || c.TextGrad.StartEpoch >= pass {
			t.Errorf("%s: %d passes; a bank of %d that grows %d times by %d cannot reach %d",
				name, passes, programs, adds, c.Add.Modes, c.Add.MaxBank)
		}
		if calls := c.Estimate().MaxLLMCalls; name == "lehd-tsp100" && (calls < 5471*2/3 || calls > 5471*3/2) {
			t.Errorf("%s: at most %d LLM calls, the paper's run took 5,471", name, calls)
		}
		if !slices.Equal(c.BankAllow, config.Classes{sdk.ClassLocal}) {
			t.Errorf("%s allows %v, want local programs", name, c.BankAllow)
		}
		c.Teacher = "checkpoint.pt"
		if err := c.Validate(); err != nil {
			t.Errorf("%s with a teacher: %v", name, err)
		}
	}
	all := strings.Join(config.Presets(), ", ")
	if _, err := config.Preset("am-tsp7"); err == nil || !strings.Contains(err.Error(), all) {
		t.Errorf("error %v, want one that names the presets", err)
	}
}

// Every example that names a bank of EPB allows the classes of its programs.
func TestExamplesAllowTheirBanks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata.Repo(t, "examples"), "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, file := range files {
		c, err := config.Read(file, "", nil)
		if err != nil {
			t.Error(err)
			continue
		}
		name, ok := strings.CutPrefix(c.Bank, "builtin:")
		if !ok {
			continue
		}
		b, err := bank.Builtin(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := b.Allowed(c.BankAllow); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
