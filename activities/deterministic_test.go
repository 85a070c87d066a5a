package activities

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// isFinal reports whether an activity's error ends its retries.
func isFinal(err error) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.NonRetryable()
}

// attempts runs an activity, retried for ever, in a workflow, and returns how often it ran and what the workflow saw.
func attempts(t *testing.T, do func() error) (int, error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	n := 0
	register(env, "Compute", func(context.Context, int) (int, error) {
		if n++; n > 9 {
			return 0, nil // enough is seen
		}
		return 0, do()
	})
	env.ExecuteWorkflow(func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 1e9, RetryPolicy: &temporal.RetryPolicy{BackoffCoefficient: 1}})
		return workflow.ExecuteActivity(ctx, "Compute", 0).Get(ctx, nil)
	})
	return n, env.GetWorkflowError()
}

// What the input alone explains is final after a few attempts, and what the world may mend is not.
func TestDeterministicFailuresAreFinal(t *testing.T) {
	away := fmt.Errorf("get scores/x: the store does not answer")
	for name, tt := range map[string]struct {
		do   func() error
		n    int
		kind string
		says string
	}{
		"panic":        {func() error { return fmt.Errorf("%v", make([]int, -len(name(away)))) }, 3, workflows.ErrDeterministic, "Compute panicked: runtime error: makeslice: len out of range"},
		"not finite":   {func() error { return fmt.Errorf("epoch 3: %w", student.ErrNotFinite) }, 3, workflows.ErrDeterministic, "epoch 3"},
		"shapes":       {func() error { return fmt.Errorf("set 1: %w", student.ErrUnfit) }, 3, workflows.ErrDeterministic, "set 1"},
		"unreadable":   {func() error { return fmt.Errorf("bank: %w", errUnreadable) }, 3, workflows.ErrDeterministic, "bank"},
		"fault":        {func() error { return &runtime.Fault{Heuristic: "near", Kind: runtime.Trap} }, 1, workflows.ErrFault, "near"},
		"store away":   {func() error { return away }, 10, "", ""},
		"store full":   {func() error { return fmt.Errorf("put x: %w", store.ErrFull) }, 10, "", ""},
		"damaged":      {func() error { return fmt.Errorf("get x: %w", store.ErrDamaged) }, 10, "", ""},
		"input":        {func() error { return badInput(errors.New("nodes is 2")) }, 1, workflows.ErrBadInput, "nodes is 2"},
		"several line": {func() error { return errors.New("one\ntwo") }, 10, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := attempts(t, tt.do)
			if n != tt.n {
				t.Errorf("%d attempts, want %d", n, tt.n)
			}
			if tt.kind == "" {
				if err != nil {
					t.Errorf("error %v, want none in the end", err)
				}
			} else if !workflows.IsType(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one of type %s that says %q", err, tt.kind, tt.says)
			}
		})
	}
}

// name keeps the compiler from seeing a length.
func name(err error) string { return err.Error() }

// What a status shows of a retry is one line that one can read.
func TestFailuresAreOneLine(t *testing.T) {
	for _, long := range []error{errors.New("first\nsecond\n\n third"), errors.New("first " + strings.Repeat("ü", 1<<20) + " third")} {
		got := final(fmt.Errorf("score: %w", long), 1).Error()
		if strings.Contains(got, "\n") || len(got) > maxLine+50 || !strings.Contains(got, "score: first") || !strings.Contains(got, "third") {
			t.Errorf("%d bytes: %.200s", len(got), got)
		}
	}
	if err := fmt.Errorf("get x: %w", store.ErrDamaged); final(err, 1) != err {
		t.Error("a short line has become another error")
	}
}

// A program whose scores leave float32 is at fault for what training comes to; where none does, those of the widest
// scores are named.
func TestDivergedTrainingNamesPrograms(t *testing.T) {
	shard := &rollout.Shard{
		Problem: routing.TSP, N: 3, Traj: []int32{0}, Step: []int32{1},
		Candidates: []uint16{1, 2}, Probs: []float32{1, 0}, Offset: []int64{0, 2},
	}
	scores := func(pairs ...[]float32) []student.Set { return []student.Set{{Shard: shard, Scores: pairs}} }
	b := func(tau ...float64) *bank.Bank {
		var b bank.Bank
		for m, name := range []string{"low", "mid", "top"} {
			b.Heuristics = append(b.Heuristics, bank.Heuristic{Name: name, TauH: tau[m]})
		}
		return &b
	}
	trouble := fmt.Errorf("epoch 1: %w", student.ErrNotFinite)
	for name, tt := range map[string]struct {
		bank  *bank.Bank
		sets  []student.Set
		fault string
	}{
		"scores": {b(1, 1, 1), scores([]float32{1, 2}, []float32{-3.4e38, 3.4e38}, []float32{1, 9}), "mid"},
		"τ_h":    {b(1, 1, 1e-300), scores([]float32{1, 2}, []float32{3, 4}, []float32{1, 9}), "top"},
		"none":   {b(1, 1, 1), scores([]float32{1, 2}, []float32{-3, 3}, []float32{1, 9}), ""},
	} {
		err := diverged(trouble, tt.bank, tt.sets)
		var fault *runtime.Fault
		switch {
		case tt.fault == "":
			if !errors.Is(err, student.ErrNotFinite) || !strings.Contains(err.Error(), "top (8), mid (6), low (1)") {
				t.Errorf("%s: %v, want all by width", name, err)
			}
		case !errors.As(err, &fault) || fault.Heuristic != tt.fault:
			t.Errorf("%s: %v, want a fault of %s", name, err, tt.fault)
		}
	}
	if other := errors.New("other"); diverged(other, b(1, 1, 1), nil) != other {
		t.Error("another error has changed")
	}
}

// A bank with a program that drives training out of float32 ends it with that program's name.
func TestTrainingEndsByTheProgramAtFault(t *testing.T) {
	b := newBench(t)
	in := b.training()
	two := get[bank.Bank](b, in.Model.Bank)
	two.Heuristics[1].TauH = 1e-300
	in.Model.Bank = b.put(two)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	b.RegisterCompute(env)
	_, err := env.ExecuteActivity(workflows.ActTrain, in)
	if !workflows.IsType(err, workflows.ErrFault) || !isFinal(err) || !strings.Contains(err.Error(), "heuristic far") {
		t.Errorf("error %v, want a final one of %s that names the program", err, workflows.ErrFault)
	}
}

// A student of absurd size is the user's to mend, before anything is computed.
func TestAbsurdStudent(t *testing.T) {
	b := newBench(t)
	in := b.training()
	for _, c := range []config.Student{
		{Dim: 1_000_000_000, Layers: 1, Heads: 8, FF: 512},
		{Dim: 128, Layers: math.MaxInt, Heads: 8, FF: 512},
		{Dim: 100_000, Layers: 3, Heads: 8, FF: 512},
	} {
		in.Config = c
		if _, err := b.Train(t.Context(), in); !workflows.IsType(err, workflows.ErrBadInput) || !strings.Contains(err.Error(), "parameters") {
			t.Errorf("%+v: error %v, want one about its parameters", c, err)
		}
	}
}
