package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// isFinal reports whether no retry follows an activity's error.
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
	env.RegisterActivityWithOptions(guarded("Compute", func(context.Context, int) (int, error) {
		if n++; n > 9 {
			return 0, nil // enough is seen
		}
		return 0, do()
	}), activity.RegisterOptions{Name: "Compute"})
	env.ExecuteWorkflow(func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 1e9,
			RetryPolicy: &temporal.RetryPolicy{BackoffCoefficient: 1}})
		return workflow.ExecuteActivity(ctx, "Compute", 0).Get(ctx, nil)
	})
	return n, env.GetWorkflowError()
}

// Attempts that ended otherwise do not count: a worker that was restarted says nothing about the input.
func TestOtherAttemptsDoNotCount(t *testing.T) {
	calls := 0
	n, err := attempts(t, func() error {
		if calls++; calls <= 5 {
			return errors.New("the store does not answer")
		}
		return fmt.Errorf("epoch 3: %w", student.ErrNotFinite)
	})
	if n != 8 || !workflows.IsType(err, workflows.ErrDeterministic) || !strings.Contains(err.Error(), "3 attempts") {
		t.Errorf("after %d attempts: %v, want 8", n, err)
	}
}

// A failure that the input alone causes is final after a few attempts. One that may pass is not.
func TestDeterministicFailuresAreFinal(t *testing.T) {
	away := fmt.Errorf("get scores/x: the store does not answer")
	for name, tt := range map[string]struct {
		do   func() error
		n    int
		kind string
		says string
	}{
		"panic": {func() error { return fmt.Errorf("%v", make([]int, -len(name(away)))) }, 3,
			workflows.ErrDeterministic, "Compute panicked: runtime error: makeslice: len out of range"},
		"not finite": {func() error { return fmt.Errorf("epoch 3: %w", student.ErrNotFinite) }, 3,
			workflows.ErrDeterministic, "epoch 3"},
		"a result that is not finite": {func() error {
			_, err := json.Marshal(math.NaN())
			return fmt.Errorf("table: %w", err)
		}, 3, workflows.ErrDeterministic, "table"},
		"shapes": {func() error { return fmt.Errorf("set 1: %w", student.ErrUnfit) }, 3,
			workflows.ErrDeterministic, "set 1"},
		"unreadable": {func() error { return fmt.Errorf("bank: %w", artifact.ErrUnreadable) }, 3,
			workflows.ErrDeterministic, "bank"},
		"a program that a later version refuses": {func() error {
			_, err := heuristic.Check("package heuristic\n\nimport \"os\"\n")
			return fmt.Errorf("bank: %w", err)
		}, 3, workflows.ErrDeterministic, "bank"},
		"a build out of time": {func() error { return &heuristic.Error{Stage: heuristic.StageTinyGo} }, 10, "", ""},
		"crash": {func() error { return &runtime.Crash{Heuristic: "near", Kind: runtime.Trap} }, 1,
			workflows.ErrCrash, "near"},
		"store away": {func() error { return away }, 10, "", ""},
		"store full": {func() error { return fmt.Errorf("put x: %w", store.ErrFull) }, 10, "", ""},
		"damaged":    {func() error { return fmt.Errorf("get x: %w", store.ErrDamaged) }, 10, "", ""},
		"input": {func() error { return badInput(errors.New("nodes is 2")) }, 1, workflows.ErrBadInput,
			"nodes is 2"},
		"input, with more words": {func() error {
			return fmt.Errorf("rivals: %w", badInput(errors.New("nodes is 2")))
		}, 1, workflows.ErrBadInput, "rivals: nodes is 2"},
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

// A status shows one readable line for each retry.
func TestFailuresAreOneLine(t *testing.T) {
	for _, long := range []error{errors.New("first\nsecond\n\n third"),
		errors.New("first " + strings.Repeat("ü", 1<<20) + " third")} {
		got := classified(fmt.Errorf("score: %w", long), 1).Error()
		if strings.Contains(got, "\n") || len(got) > maxLine+50 || !strings.Contains(got, "score: first") ||
			!strings.Contains(got, "third") {
			t.Errorf("%d bytes: %.200s", len(got), got)
		}
	}
	if err := fmt.Errorf("get x: %w", store.ErrDamaged); classified(err, 1) != err {
		t.Error("a short line has become another error")
	}
}
