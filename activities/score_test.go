package activities

import (
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/workflows"
)

// A crash of a program of the bank ends the activity, with the program's name and the state: every retry would crash
// too.
func TestFaultsOfABankAreFinal(t *testing.T) {
	fx := newFixture(t)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	fx.Register(workflows.Workers{Compute: env, LLM: env})
	_, err := env.ExecuteActivity(workflows.Score.Name(), workflows.ScoreInput{
		Bank: fx.put(bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
			Heuristics: []bank.Heuristic{fx.entry("traps", traps)}}), Shards: []workflows.Shard{fx.rollout()},
	})
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || app.Type() != workflows.ErrCrash || !app.NonRetryable() ||
		!strings.Contains(app.Message(), "heuristic traps, state 0: ") {
		t.Errorf("error %v, want a final one of type %s that names the program and the state", err, workflows.ErrCrash)
	}
	var name, text string
	if err := app.Details(&name, &text); err != nil || name != "traps" || !strings.Contains(text, "state 0: ") {
		t.Errorf("details %q, %q (%v), want the program and its fault", name, text, err)
	}
}

// What cannot be made again fails with its name, is tried again, and goes on once it is restored.
func TestDamagedBankIsNamed(t *testing.T) {
	fx := newFixture(t)
	two := bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{fx.entry("near", near)}}
	in := workflows.ScoreInput{Bank: fx.put(two), Shards: []workflows.Shard{fx.rollout()}}
	fx.damage(in.Bank.Key())
	score := func() error {
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		fx.elsewhere().Register(workflows.Workers{Compute: env, LLM: env})
		_, err := env.ExecuteActivity(workflows.Score.Name(), in)
		return err
	}
	err := score()
	if err == nil || isFinal(err) || !strings.Contains(err.Error(), "bank: get "+in.Bank.Key()) ||
		!strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v, want one to be retried that names the bank", err)
	}
	fx.put(two)
	if err := score(); err != nil {
		t.Errorf("restored: %v", err)
	}
}
