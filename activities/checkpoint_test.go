package activities

import (
	"context"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

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
