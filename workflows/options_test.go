package workflows_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/workflows"
)

// story runs a whole distillation, pass after pass, and returns the names of the deciding activities in the order in
// which they began.
func (w *fakes) story(t *testing.T, cfg config.Distill) string {
	t.Helper()
	var told []string
	var state *workflows.State
	for {
		env := w.environment(t)
		env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, _ converter.EncodedValues) {
			switch name := info.ActivityType.Name; name {
			case workflows.Train.Name(), workflows.Attribute.Name(), workflows.Faults.Name(), workflows.Drop.Name(),
				workflows.Dagger.Name():
				told = append(told, name)
			}
		})
		env.ExecuteWorkflow(workflows.Distill, cfg, state)
		var next *workflow.ContinueAsNewError
		if !errors.As(env.GetWorkflowError(), &next) {
			result(t, env)
			return strings.Join(told, " ")
		}
		told = append(told, "|")
		if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &cfg, &state); err != nil {
			t.Fatal(err)
		}
	}
}

// Every option of the schedule has its effect. The last Train is the annealing.
func TestOptionsOfTheSchedule(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*config.Distill)
		want   string
	}{
		"all": {func(*config.Distill) {}, "Train Attribute Train Attribute Faults Drop Train"},
		"numeric only": {func(c *config.Distill) { c.TextGrad.Off, c.Add.Off, c.Drop.Off = true, true, true },
			"Train Train Train"},
		"no TextGrad": {func(c *config.Distill) { c.TextGrad.Off = true }, "Train Train Faults Drop Train"},
		"late TextGrad": {func(c *config.Distill) { c.TextGrad.StartEpoch = 4 },
			"Train Train Attribute Faults Drop Train"},
		"no Add": {func(c *config.Distill) { c.Add.Off = true }, "Train Attribute Train Attribute Drop Train"},
		"no Drop": {func(c *config.Distill) { c.Drop.Off = true },
			"Train Attribute Train Attribute Faults Train"},
		"no Add or Drop": {func(c *config.Distill) { c.Add.Off, c.Drop.Off = true, true },
			"Train Attribute Train Attribute Train"},
		"late Add": {func(c *config.Distill) { c.Add.Start = 6 },
			"Train Attribute Train Attribute Drop | Train Attribute Train Attribute Faults Drop Train"},
		"late Drop": {func(c *config.Distill) { c.Drop.Start = 6 },
			"Train Attribute Train Attribute Faults | Train Attribute Train Attribute Faults Drop Train"},
		"DAgger": {func(c *config.Distill) { c.Add.Start, c.Data.Dagger = 6, c.Data.Shard },
			"Train Attribute Train Attribute Drop | Dagger Train Attribute Train Attribute Faults Drop Train"},
		"no plateau": {func(c *config.Distill) { c.Train.PlateauDelta, c.Limits.Epochs = 0, 8 },
			"Train Attribute Train Attribute Faults Drop | Train Attribute Train Attribute Faults Drop Train"},
		"a plateau before TextGrad": {func(c *config.Distill) { c.TextGrad.StartEpoch = 6 },
			"Train Train Faults Drop | Train Attribute Train Attribute Faults Drop Train"},
		"no annealing": {func(c *config.Distill) { c.Train.AnnealEpochs = 0 },
			"Train Attribute Train Attribute Faults Drop"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := plan()
			tt.change(&cfg)
			if got := (&fakes{loss: 1}).story(t, cfg); got != tt.want {
				t.Errorf("done:\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

// Each pass but the first takes the instances of the next shards for DAgger, also where a sketch made the student
// before the first pass.
func TestDaggerTakesTheNextShards(t *testing.T) {
	cfg := plan()
	cfg.Bank, cfg.Student.Router = config.SketchBank, config.NamedRouter
	cfg.Train.PlateauDelta, cfg.TextGrad.Off, cfg.Add.Off = 0, true, true
	cfg.Limits.Passes, cfg.Limits.Epochs = 4, 16
	cfg.Data.Train, cfg.Data.Shard, cfg.Data.Dagger = 500, 100, 200
	w := &fakes{loss: 1, empty: true}
	const pass = "Train Train Drop"
	const later = " | Dagger Dagger " + pass
	if got := w.story(t, cfg); got != pass+later+later+later+" Train" {
		t.Errorf("done:\n%s", got)
	}
	for pass := range slices.Chunk(w.daggers, 2) {
		slices.Sort(pass) // the activities of a pass run side by side
	}
	want := []string{"train", "train 1", "train 2", "train 3", "train", "train 4"}
	if !slices.Equal(w.daggers, want) {
		t.Errorf("shards %q, want %q", w.daggers, want)
	}
}

// The activities get the options of a run that they need.
func TestOptionsReachTraining(t *testing.T) {
	cfg := plan()
	cfg.Train.Off, cfg.Train.CostWeight, cfg.Student.FixedTauH, cfg.Student.WarmStart = true, 2, true, true
	w := &fakes{loss: 1}
	env := w.environment(t)
	var seen []workflows.TrainInput
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		if info.ActivityType.Name != workflows.Train.Name() {
			return
		}
		var in workflows.TrainInput
		if err := args.Get(&in); err != nil {
			t.Error(err)
		}
		seen = append(seen, in)
	})
	env.ExecuteWorkflow(workflows.Distill, cfg, nil)
	result(t, env)
	other := func(in workflows.TrainInput) bool { return in.Train != cfg.Train || in.Config != cfg.Student }
	if len(seen) == 0 || slices.ContainsFunc(seen, other) {
		t.Errorf("trained with %+v, want %+v and %+v", seen, cfg.Train, cfg.Student)
	}
}
