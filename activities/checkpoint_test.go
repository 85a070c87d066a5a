package activities

import (
	"context"
	"reflect"
	"strings"
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
		out, _ := attempt(t, fx.elsewhere().Train, in, workflows.Progress{Train: &first})
		if out.Model != whole.Model || len(out.Points) != 3 {
			t.Errorf("%s lost: %+v, want %+v", name, out.Model, whole.Model)
		}
	}
}

// attempt runs an activity that an earlier attempt has told about, and returns what it told in turn.
func attempt[In, Out any](
	t *testing.T, do func(context.Context, In) (Out, error), in In, before workflows.Progress,
) (out Out, told []workflows.Progress) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.SetHeartbeatDetails(before)
	env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var p workflows.Progress
		if err := details.Get(&p); err != nil {
			t.Error(err)
		}
		told = append(told, p)
	})
	env.RegisterActivity(do)
	value, err := env.ExecuteActivity(do, in)
	if err == nil {
		err = value.Get(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, told
}

// The first heartbeat of an attempt tells the checkpoint of the one before: should this attempt fail before it has read
// the checkpoint, the next one still has it.
func TestHeartbeatKeepsTheCheckpoint(t *testing.T) {
	want := workflows.TrainOutput{Model: workflows.Model{Size: 7}}
	begin := func(ctx context.Context, _ struct{}) (struct{}, error) {
		hb := startHeartbeat(ctx, "loading")
		hb.send()
		hb.stop()
		return struct{}{}, nil
	}
	_, told := attempt(t, begin, struct{}{}, workflows.Progress{Train: &want})
	if len(told) == 0 || told[0].Train == nil || told[0].Train.Model.Size != want.Model.Size {
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
	whole, told := attempt(t, fx.Sketch, in, workflows.Progress{})
	last := workflows.Progress{Sketch: told[len(told)-1].Sketch}
	if last.Sketch == nil || last.Sketch.Stages == 0 || whole.Size != 2 {
		t.Fatalf("%+v with checkpoint %+v", whole, last.Sketch)
	}
	if got, _ := attempt(t, fx.elsewhere().Sketch, in, last); got != whole {
		t.Errorf("from a checkpoint: %+v, want %+v", got, whole)
	}
	other := in
	other.Seed = 2
	anew, _ := attempt(t, fx.elsewhere().Sketch, other, workflows.Progress{})
	if got, _ := attempt(t, fx.elsewhere().Sketch, other, last); got == anew {
		t.Error("with another seed the checkpoint makes no difference: it is not used")
	}
	fx.damage(last.Sketch.Model.Key())
	if got, _ := attempt(t, fx.elsewhere().Sketch, in, last); got != whole {
		t.Errorf("with a lost checkpoint: %+v, want %+v", got, whole)
	}
}

// A training of weights that goes on after any of its stages, and one whose checkpoint is lost, end as an undisturbed
// one does: with rounds that lower the loss, a term that goes, and a last round for what is left.
func TestWeightsGoOn(t *testing.T) {
	fx := newFixture(t)
	lone := strings.NewReplacer("const (", "const (\n\tlone = 1e-4 // of how isolated the city is, in [0, 1e-3]",
		"home*start[c]", "home*start[c] + lone*s.Isolation(k)").Replace(weighted)
	in := fx.tuningInput(fx.entry("weighted", lone), fx.entry("near", near))
	in.Weights.Rounds = 2
	whole := perform(fx, fx.Weights, in)
	stages := fx.stages(in)
	if len(stages) != 4 || len(whole.Events) != 1 {
		t.Fatalf("%d checkpoints, want those of two rounds, of the folding, and of a round more; events %+v",
			len(stages), whole.Events)
	}
	for i, p := range stages {
		if got, _ := attempt(t, fx.elsewhere().Weights, in, p); !reflect.DeepEqual(got, whole) {
			t.Errorf("from checkpoint %d: %+v, want %+v", i, got, whole)
		}
	}
	other := in
	other.Train.LR *= 10
	anew, _ := attempt(t, fx.elsewhere().Weights, other, workflows.Progress{})
	if got, _ := attempt(t, fx.elsewhere().Weights, other, stages[3]); !reflect.DeepEqual(got, whole) {
		t.Errorf("from the last checkpoint: %+v, want %+v though the learning rate is another", got, whole)
	} else if reflect.DeepEqual(anew, whole) {
		t.Error("the learning rate makes no difference, so that this does not show that the checkpoint is used")
	}
	for name, ref := range map[string]store.Ref{"router": stages[2].Weights.Student, "bank": stages[2].Weights.State} {
		fx.damage(ref.Key())
		if got, _ := attempt(t, fx.elsewhere().Weights, in, stages[2]); !reflect.DeepEqual(got, whole) {
			t.Errorf("%s of the checkpoint lost: %+v, want %+v", name, got, whole)
		}
	}
}

// stages trains weights, and returns the checkpoint of every stage.
func (fx *fixture) stages(in workflows.WeightsInput) (all []workflows.Progress) {
	ctx, hb := fx.t.Context(), startHeartbeat(fx.t.Context(), "")
	defer hb.stop()
	b := get[bank.Bank](fx, in.Model.Bank)
	w := tuningRun{Activities: fx.Activities, in: in, hb: hb, model: fx.model(in.Model)}
	for err := w.begin(ctx, &b); w.Stage < w.stages(); all = append(all, workflows.Progress{Weights: hb.now.Weights}) {
		if err == nil {
			err = w.next(ctx)
		}
		if err != nil {
			fx.t.Fatal(err)
		}
	}
	return all
}
