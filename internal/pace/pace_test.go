package pace

import (
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// A pace is measured for what a run does, and no more: a bank that is given needs no sketch.
func TestMeasure(t *testing.T) {
	policy, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	tools := compiletest.Toolchain(t)
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}}
	in := &input.Checked{Teacher: policy, Bank: b}
	cfg := config.Default()
	cfg.Nodes, cfg.Bank = 10, config.SketchBank
	cfg.Student.Router, cfg.Sketch = config.NamedRouter, &config.Sketch{Programs: 2, Terms: 2}
	p, err := Measure(t.Context(), cfg, in, tools)
	if err != nil || p.Rollouts <= 0 || p.Sketch <= 0 || p.Scores <= 0 || p.SGD <= 0 || p.Weights != 0 ||
		p.Features <= 0 || p.Kept != p.Features {
		t.Fatalf("%+v, %v", p, err)
	}
	cfg.Sketch = nil
	if larger, err := Measure(t.Context(), cfg, in, tools); err != nil || larger.Stored <= p.Stored {
		t.Errorf("with a sketch of the usual size: %+v, %v", larger, err)
	}
	scores := 4 * 2 * 45 * (cfg.Data.Train + cfg.Data.Val) // of 45 candidates in the 9 states of an instance
	if p.Stored < int64(scores) || p.Stored > int64(2*scores) {
		t.Errorf("%d bytes are stored, want the solutions beside %d bytes of scores", p.Stored, scores)
	}
	cfg.Student.Router = config.AttentionRouter
	if p, err = Measure(t.Context(), cfg, in, tools); err != nil || p.Features != 0 {
		t.Errorf("a router without named features: %+v, %v", p, err)
	}
	cfg.Student.Router = config.NamedRouter
	cfg.Bank, cfg.Weights = "builtin:tsp-local", &config.Weights{States: 100, Rounds: 2, Epochs: 1}
	if in.Bank, err = bank.Builtin("tsp-local"); err != nil {
		t.Fatal(err)
	}
	if p, err = Measure(t.Context(), cfg, in, tools); err != nil || p.Sketch != 0 || p.Weights <= p.Scores {
		t.Errorf("with a bank: %+v, %v", p, err)
	}
}

// A teacher of routes decides as the programs do, by way of the depot, when its pace is measured for them.
func TestMeasureByWayOfTheDepot(t *testing.T) {
	policy, err := teacher.Load(testdata.Shared(t, "teachers/am/cvrp_20"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := bank.Builtin("lehd-cvrp100")
	if err != nil {
		t.Fatal(err)
	}
	two := *all
	two.Heuristics = all.Heuristics[:2]
	cfg := config.Default()
	cfg.Problem, cfg.Nodes, cfg.Bank = routing.CVRP, 10, "builtin:lehd-cvrp100"
	p, err := Measure(t.Context(), cfg, &input.Checked{Teacher: policy, Bank: &two}, compiletest.Toolchain(t))
	if err != nil || p.Scores <= 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestPaceInWords(t *testing.T) {
	p := Pace{Rollouts: 40 * time.Second, Sketch: 20 * time.Second, SGD: 3 * time.Hour}
	if got := p.String(); !strings.HasPrefix(got, "about 3.0 hours on") ||
		!strings.Contains(got, "the teacher's solutions 1 minute, SGD at most 3.0 hours;") {
		t.Error(got)
	}
	if got := (Pace{SGD: 80 * time.Second}).String(); !strings.Contains(got, "SGD at most 1 minute;") {
		t.Error(got)
	}
	if got := (Pace{Features: 48 << 30, Kept: 4<<30 - 1}).String(); !strings.Contains(got,
		"Of 48.0 GiB of named features a worker keeps 4.0 in memory, and") ||
		!strings.Contains(got, "EPB_SCRATCH=FOLDER") {
		t.Error(got)
	}
	if got := (Pace{Features: 48 << 30, Scratch: "/fast"}).String(); !strings.Contains(got, "in files of /fast") ||
		!strings.HasPrefix(got, "at least ") {
		t.Error(got)
	}
	if got := (Pace{Features: 1 << 30, Kept: 1 << 30}).String(); strings.Contains(got, "features") {
		t.Error(got)
	}
	p = Pace{Stored: 13 << 30, Features: 48 << 30, Kept: 4 << 30}
	if got := p.Disk(); !strings.HasPrefix(got, "13.0 GiB in the store") || strings.Contains(got, "features") ||
		strings.Contains(got, "weights") {
		t.Error(got)
	}
	if p.Weights = time.Minute; !strings.Contains(p.Disk(), "while weights are trained both the old and") {
		t.Error(p.Disk())
	}
	if p.Scratch = "/fast"; !strings.HasSuffix(p.Disk(), "; 44.0 GiB for named features in /fast") {
		t.Error(p.Disk())
	}
	if got := (Pace{}).String(); !strings.Contains(got, "as it is loaded now; edits") {
		t.Error(got)
	}
}

// Features that are computed in every epoch slow it down by their share.
func TestPaceWithSomeFeaturesKept(t *testing.T) {
	for _, tt := range []struct {
		p    Pace
		want float64
	}{
		{Pace{}, 1}, {Pace{Features: 100, Kept: 100}, 1}, {Pace{Features: 100}, 5}, {Pace{Features: 100, Kept: 25}, 4},
		{Pace{Features: 100, Kept: 25, Scratch: "/fast"}, 1},
	} {
		if got := tt.p.mean(1, 5); got != tt.want {
			t.Errorf("%+v: %v, want %v", tt.p, got, tt.want)
		}
	}
}
