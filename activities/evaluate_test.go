package activities

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/workflows"
)

// The tours that a report draws are also explained, the same tours, with what the teacher would have done. The student
// comes along as a module that solves other instances.
func TestEvaluateExplains(t *testing.T) {
	fx := newFixture(t)
	training := fx.training()
	training.Config.Router = config.NamedRouter
	in := workflows.EvaluateInput{
		Config: config.Default(), NamedTeacher: training.NamedTeacher,
		ModelAndData: on(fx.train(training).Model, training.Data),
	}
	in.Config.Nodes, in.Config.Data.Test, in.Config.Data.Search = 20, 3, 0
	d := get[report.Data](fx, perform(fx, fx.Evaluate, in))
	if !bytes.HasPrefix(d.Solver, []byte("\x00asm")) || d.NoSolver != "" {
		t.Errorf("the solver has %d bytes: %s", len(d.Solver), d.NoSolver)
	}
	if len(d.Explained) != 3 || len(d.Tours) != 3 {
		t.Fatalf("%d explanations of %d tours, want 3", len(d.Explained), len(d.Tours))
	}
	for i, e := range d.Explained {
		if !slices.Equal(e.Actions, d.Tours[i].Student.Actions) {
			t.Errorf("explained %v, drew %v", e.Actions, d.Tours[i].Student.Actions)
		}
		if e.Teacher != d.Teacher.Name || len(e.Steps) == 0 || len(e.Steps[0].Teacher) == 0 {
			t.Errorf("%s has teacher %q, and no probabilities of it", e.Instance.Name, e.Teacher)
		}
		if len(e.Others) == 0 {
			t.Errorf("%s has no costs of classic methods", e.Instance.Name)
		}
	}
}

// A teacher that is known by its rollouts only cannot be asked: its run's tours are explained without it.
func TestEvaluateExplainsRollouts(t *testing.T) {
	fx := newFixture(t)
	training := fx.training()
	in := workflows.EvaluateInput{
		Config: config.Default(), NamedTeacher: training.NamedTeacher,
		ModelAndData: on(fx.train(training).Model, training.Data),
	}
	in.Config.Nodes, in.Data.Test = 20, training.Data.Val
	d := get[report.Data](fx, perform(fx, fx.Evaluate, in))
	if len(d.Explained) != len(d.Tours) || len(d.Tours) == 0 {
		t.Fatalf("%d explanations of %d tours", len(d.Explained), len(d.Tours))
	}
	for i, e := range d.Explained {
		if !slices.Equal(e.Actions, d.Tours[i].Student.Actions) || e.Teacher != "" {
			t.Errorf("explained %v with teacher %q, drew %v", e.Actions, e.Teacher, d.Tours[i].Student.Actions)
		}
	}
	if d.Solver != nil || !strings.Contains(d.NoSolver, "attention") {
		t.Errorf("a network came along in %d bytes: %q", len(d.Solver), d.NoSolver)
	}
}

// An error says which part of the evaluation failed. A bad input stays one, which is not retried.
func TestEvaluateNamesThePart(t *testing.T) {
	fx := newFixture(t)
	training := fx.training()
	in := workflows.EvaluateInput{
		Config: config.Default(), NamedTeacher: training.NamedTeacher,
		ModelAndData: on(fx.train(training).Model, training.Data),
	}
	in.Config.Nodes, in.Config.Data.Test = 20, 3
	in.Data.Val = nil
	if _, err := fx.Evaluate(t.Context(), in); err == nil || !strings.HasPrefix(err.Error(), "habits: ") {
		t.Errorf("without validation states: %v, want an error of the habits", err)
	}
	in.Config.Problem = "vrp"
	var bad *temporal.ApplicationError
	if _, err := fx.Evaluate(t.Context(), in); !errors.As(err, &bad) || bad != err || !bad.NonRetryable() {
		t.Errorf("an unknown problem: %v, want a bad input, not wrapped", err)
	}
}
