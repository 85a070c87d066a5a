package activities

import (
	"context"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// A segment whose own checkpoint is lost begins anew, and ends in the same bytes.
func TestLostCheckpointOfASegment(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	whole := fx.train(in).TrainOutput
	in.Epochs = 1
	first := fx.train(in).TrainOutput
	in.Epochs = 3
	for name, ref := range map[string]store.Ref{"student": first.Model.Student, "bank": first.Model.Bank} {
		fx.damage(ref.Key())
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		env.SetHeartbeatDetails(workflows.Progress{Train: &first})
		a := fx.elsewhere()
		env.RegisterActivity(a.Train)
		var out workflows.TrainOutput
		value, err := env.ExecuteActivity(a.Train, in)
		if err == nil {
			err = value.Get(&out)
		}
		if err != nil || out.Model != whole.Model || len(out.Points) != 3 {
			t.Errorf("%s lost: %+v (%v), want %+v", name, out.Model, err, whole.Model)
		}
	}
}

// The first heartbeat of an attempt tells the checkpoint of the one before: should this attempt fail before it has read
// the checkpoint, the next one still has it.
func TestHeartbeatKeepsTheCheckpoint(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	want := workflows.TrainOutput{Model: workflows.Model{Size: 7}}
	env.SetHeartbeatDetails(workflows.Progress{Train: &want})
	var told *workflows.TrainOutput
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var p workflows.Progress
		if err := details.Get(&p); err != nil {
			t.Error(err)
		}
		told = p.Train
	})
	begin := func(ctx context.Context) error {
		hb := startHeartbeat(ctx, "loading")
		hb.send()
		hb.stop()
		return nil
	}
	env.RegisterActivity(begin)
	if _, err := env.ExecuteActivity(begin); err != nil {
		t.Fatal(err)
	}
	if told == nil || told.Model.Size != want.Model.Size {
		t.Errorf("told %+v, want %+v", told, want)
	}
}

// A sketch that goes on from a checkpoint, and one whose checkpoint is lost, end in the same bytes as an undisturbed
// one.
func TestSketchGoesOn(t *testing.T) {
	fx := newFixture(t)
	in := workflows.SketchInput{
		Sketch: config.Sketch{Programs: 2, Terms: 2}, Train: config.Train{BatchStates: 64, LR: 1e-3}, Seed: 1,
	}
	in.Model.Bank = fx.put(&bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}})
	in.Data.Train = []workflows.Shard{fx.rollout()}
	sketch := func(a *Activities, in workflows.SketchInput, from *workflows.SketchCheckpoint) (
		out workflows.Model, last *workflows.SketchCheckpoint,
	) {
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		if from != nil {
			env.SetHeartbeatDetails(workflows.Progress{Sketch: from})
		}
		env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
			var p workflows.Progress
			if err := details.Get(&p); err != nil {
				t.Error(err)
			}
			last = p.Sketch
		})
		env.RegisterActivity(a.Sketch)
		value, err := env.ExecuteActivity(a.Sketch, in)
		if err == nil {
			err = value.Get(&out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out, last
	}
	whole, last := sketch(fx.Activities, in, nil)
	if last == nil || last.Stages == 0 || whole.Size != 2 {
		t.Fatalf("%+v with checkpoint %+v", whole, last)
	}
	if got, _ := sketch(fx.elsewhere(), in, last); got != whole {
		t.Errorf("from a checkpoint: %+v, want %+v", got, whole)
	}
	other := in
	other.Seed = 2
	anew, _ := sketch(fx.elsewhere(), other, nil)
	if got, _ := sketch(fx.elsewhere(), other, last); got == anew {
		t.Error("with another seed the checkpoint makes no difference: it is not used")
	}
	fx.damage(last.Model.Key())
	if got, _ := sketch(fx.elsewhere(), in, last); got != whole {
		t.Errorf("with a lost checkpoint: %+v, want %+v", got, whole)
	}
}
