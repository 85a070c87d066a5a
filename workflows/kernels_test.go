package workflows_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/workflows"
)

// If workers of another commit continue a run, it says from which epoch on.
func TestDistillNotesAnotherBuild(t *testing.T) {
	w := &fakes{loss: 1}
	env := w.environment(t)
	builds := []string{"aaaa", "bbbb", "bbbb"}
	override(env, workflows.Train, func(in workflows.TrainInput) (workflows.TrainOutput, error) {
		out := workflows.TrainOutput{Model: in.Model, Build: builds[0]}
		builds = builds[1:]
		out.Model.Student.Hash = "s"
		for e := range in.Epochs {
			out.Points = append(out.Points, workflows.Point{Epoch: in.From + e + 1, ValLoss: 1})
		}
		return out, nil
	})
	var told []workflows.Event
	override(env, workflows.Report, func(in workflows.ReportInput) (workflows.Result, error) {
		told = in.Events
		return workflows.Result{}, nil
	})
	env.ExecuteWorkflow(workflows.Distill, plan(), nil)
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
	var noted []string
	for _, e := range told {
		if e.Kind == workflows.EventBuild {
			noted = append(noted, e.Detail)
		}
	}
	const want = "epochs from 3 on are by workers of commit bbbb, those before by aaaa"
	if got := strings.Join(noted, "; "); got != want {
		t.Errorf("noted %q, want %q", got, want)
	}
}
