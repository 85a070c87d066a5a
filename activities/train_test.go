package activities

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/testsuite"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/workflows"
)

// A τ_h that an older version stored, and that training cannot bear, is named. The third attempt is the last.
func TestTrainingRefusesAnUnfitTauH(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	two := get[bank.Bank](fx, in.Model.Bank)
	two.Heuristics[1].TauH = 1e-300
	in.Model.Bank = fx.put(two)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	fx.Register(workflows.Workers{Compute: env, LLM: env})
	_, err := env.ExecuteActivity(workflows.Train.Name(), in)
	if !workflows.IsType(err, workflows.ErrDeterministic) ||
		!strings.Contains(err.Error(), "τ_h of heuristic 1 is 1e-300") {
		t.Errorf("error %v, want one of %s that names the τ_h", err, workflows.ErrDeterministic)
	}
}

// training returns a segment on the states of the teacher that ships with EPB, with a bank of two programs that
// disagree.
func (fx *fixture) training() workflows.TrainInput {
	s := fx.rollout()
	ref, err := fx.Store.Put(fx.t.Context(), teachers.POMOTSP20)
	if err != nil {
		fx.t.Fatal(err)
	}
	two := bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}, Heuristics: []bank.Heuristic{
		fx.entry("near", near), fx.entry("far", strings.NewReplacer("package near", "package far", "= -from",
			"= from").Replace(near)),
	}}
	return workflows.TrainInput{
		NamedTeacher: workflows.NamedTeacher{Teacher: ref,
			Name: "pomo_tsp20.pt"}, ModelAndData: workflows.ModelAndData{Model: workflows.Model{Bank: fx.put(two),
			Size: 2}, Data: workflows.Dataset{Train: []workflows.Shard{s}, Val: []workflows.Shard{s}}},
		Config: config.Student{Dim: 128, Layers: 1, Heads: 8, FF: 512, Decoder: 1},
		Train:  config.Train{BatchStates: 64, LR: 1e-2}, Seed: 1, Epochs: 3,
	}
}

// TestFirstTrainingFitsWhatIsUnfitted: before the first epoch, training fits τ_h of the programs that nobody gave one.
// A τ_h that somebody gave stays, be it the default.
func TestFirstTrainingFitsWhatIsUnfitted(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	in.Train.Off, in.Epochs = true, 1 // no step of SGD changes a τ_h
	b := get[bank.Bank](fx, in.Model.Bank)
	b.Heuristics[0].TauH = bank.DefaultTauH
	b.Heuristics[1].TauH, b.Heuristics[1].Unfitted = bank.DefaultTauH, true
	in.Model.Bank = fx.put(b)
	sets, _, err := fx.scoredSets(t.Context(), &b, in.Data.Train, startHeartbeat(t.Context(), "test"))
	if err != nil {
		t.Fatal(err)
	}
	fit := agreement.FitTauH(sets[0].Shard, sets[0].Scores[1], nil)
	if got := fx.train(in).tau; got[0] != bank.DefaultTauH || got[1] != fit || fit == bank.DefaultTauH {
		t.Errorf("τ_h %v, want %v, which was given, and %v, which fits", got, bank.DefaultTauH, fit)
	}
	in.Config.FixedTauH = true
	if got := fx.train(in).tau; got[0] != bank.DefaultTauH || got[1] != bank.DefaultTauH {
		t.Errorf("τ_h %v with fixed_tau_h, want the default", got)
	}
}

// tauH returns every τ_h of a bank.
func tauH(b *bank.Bank) []float64 { return dense.Must[float64]("τ_h", b.TauH(), dense.Any) }

// trained is what came of a segment.
type trained struct {
	workflows.TrainOutput
	model *student.Model
	tau   []float64
}

func (fx *fixture) train(in workflows.TrainInput) trained {
	fx.t.Helper()
	out, err := fx.Train(fx.t.Context(), in)
	if err != nil {
		fx.t.Fatal(err)
	}
	model, err := fx.Store.Model(fx.t.Context(), out.Model.Student)
	if err != nil {
		fx.t.Fatal(err)
	}
	two, err := fx.Store.Bank(fx.t.Context(), out.Model.Bank)
	if err != nil {
		fx.t.Fatal(err)
	}
	return trained{out, model, tauH(two)}
}

func same(t *testing.T, a, b *student.Model) bool {
	t.Helper()
	x, err := a.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

// Every option of the student and its training changes what it says, and nothing without it.
func TestOptionsOfTraining(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	with := func(change func(*workflows.TrainInput)) trained {
		other := in
		change(&other)
		return fx.train(other)
	}
	both, err := fx.Store.Bank(t.Context(), in.Model.Bank)
	if err != nil {
		t.Fatal(err)
	}
	fresh := student.New(student.Configured(in.Config, both.Problem, both.View, len(both.Heuristics)), in.Seed)
	plain := with(func(*workflows.TrainInput) {})
	off := with(func(in *workflows.TrainInput) { in.Train.Off = true })
	if same(t, plain.model, fresh) || !same(t, off.model, fresh) || len(off.Points) != in.Epochs ||
		off.Points[0].ValLoss == 0 {
		t.Errorf("train.off: the router must stay as it began, be measured all the same, and learn otherwise")
	}
	fixed := with(func(in *workflows.TrainInput) { in.Config.FixedTauH = true })
	if slices.Equal(plain.tau, tauH(both)) || !slices.Equal(fixed.tau, tauH(both)) {
		t.Errorf("τ_h %v, learned %v, with fixed_tau_h %v", tauH(both), plain.tau, fixed.tau)
	}
	warm := with(func(in *workflows.TrainInput) { in.Config.WarmStart, in.Train.Off = true, true })
	if !reflect.DeepEqual(warm.model.Config, fresh.Config) || same(t, warm.model, fresh) {
		t.Errorf("warm_start: the encoder is random, or another student")
	}
	costly := with(func(in *workflows.TrainInput) { in.Train.CostWeight = 3 })
	if same(t, costly.model, plain.model) {
		t.Errorf("cost_weight changes nothing")
	}
	if got := with(func(in *workflows.TrainInput) { in.Config.TauR = 2 }); got.model.Config.TauR != 2 {
		t.Errorf("tau_r is %v, want 2", got.model.Config.TauR)
	}
	blind := with(func(in *workflows.TrainInput) { in.Config.NoGlimpse = true })
	if blind.model.Config.Glimpse || !plain.model.Config.Glimpse {
		t.Errorf("glimpse %v with no_glimpse, %v without", blind.model.Config.Glimpse, plain.model.Config.Glimpse)
	}

	// Dynamic keys follow what the programs say in a state (Eq. 4), static ones only their place in the bank.
	static := with(func(in *workflows.TrainInput) { in.Config.StaticKeys = true })
	sets, tau, err := fx.scoredSets(t.Context(), both, in.Data.Train, startHeartbeat(t.Context(), "test"))
	if err != nil {
		t.Fatal(err)
	}
	swapped := sets[0]
	swapped.Scores = []*tensor.Dense{sets[0].Scores[1], sets[0].Scores[0]}
	for _, tt := range []struct {
		name    string
		model   *student.Model
		follows bool
	}{{"dynamic", plain.model, true}, {"static", static.model, false}} {
		var W [2][]float32
		for i, set := range []student.Dataset{sets[0], swapped} {
			fwd, err := student.Forward(t.Context(), tt.model, set, tau, student.WantW)
			if err != nil {
				t.Fatal(err)
			}
			W[i] = dense.Must[float32]("w", fwd.W, set.Shard.States(), 2)
		}
		if slices.Equal(W[0], W[1]) == tt.follows {
			t.Errorf("%s keys: the weights follow the programs' answers: %v", tt.name, !tt.follows)
		}
	}
}

// With hard routing, annealing takes in the expected loss. Without annealing, and with soft routing, training is the
// same as ever.
func TestHardRoutingHardens(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	in.Config.Router, in.Anneal = config.NamedRouter, true
	with := func(routing string, harden float64, anneal bool) *student.Model {
		other := in
		other.Config.Routing, other.Train.Harden, other.Anneal = routing, harden, anneal
		m := fx.train(other).model
		if string(m.Config.Routing) != routing {
			t.Errorf("the student's routing is %q, want %q", m.Config.Routing, routing)
		}
		return m.Routed("")
	}
	plain := with(config.HardRouting, 0, true)
	if same(t, with(config.HardRouting, 1, true), plain) {
		t.Error("train.harden changes nothing")
	}
	if !same(t, with(config.SoftRouting, 1, true), plain) {
		t.Error("train.harden changes a soft student")
	}
	if !same(t, with(config.HardRouting, 1, false), with(config.HardRouting, 0, false)) {
		t.Error("train.harden changes training before annealing")
	}
}

// A fresh named router measures features in their spread on the training states.
func TestNamedRouterIsStandardised(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	in.Config.Router, in.Train.Off = config.NamedRouter, true
	scale := fx.train(in).model.FeatureScale()
	slices.Sort(scale)
	if scale[0] == scale[len(scale)-1] {
		t.Errorf("all features have the spread %v", scale[0])
	}
}

// A state weighs 1, and more by the share that its wrong step has in what wrong steps cost: 1 + β in the mean.
func TestCostWeight(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	both, err := fx.Store.Bank(t.Context(), in.Model.Bank)
	if err != nil {
		t.Fatal(err)
	}
	hb := startHeartbeat(t.Context(), "test")
	sets, _, err := fx.scoredSets(t.Context(), both, in.Data.Train, hb)
	if err != nil {
		t.Fatal(err)
	}
	in.Train.CostWeight = 3
	if err := fx.priceStates(t.Context(), in, sets, hb); err != nil {
		t.Fatal(err)
	}
	weight := dense.Must[float32]("weight", sets[0].Weight, sets[0].Shard.States())
	sum := 0.0
	for _, w := range weight {
		sum += float64(w)
	}
	if mean := sum / float64(len(weight)); math.Abs(mean-4) > 1e-4 || slices.Min(weight) < 1 ||
		slices.Max(weight) <= 4 {
		t.Errorf("weights from %v to %v, mean %v, want at least 1 and 4 in the mean", slices.Min(weight),
			slices.Max(weight), mean)
	}
}
