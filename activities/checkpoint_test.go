package activities

import (
	"testing"

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
