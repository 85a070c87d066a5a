package activities_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/activities"
	"github.com/epb-nco/epb/workflows"
)

// registered notes the names under which activities are registered on a worker.
type registered struct {
	worker.ActivityRegistry
	names []string
}

func (r *registered) RegisterActivityWithOptions(_ any, options activity.RegisterOptions) {
	r.names = append(r.names, options.Name)
}

// handles returns the wire names of the handles that the source of package workflows declares, by task queue. The
// source knows all of them; a list beside it could lack one.
func handles(t *testing.T) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob("../workflows/*.go")
	if err != nil {
		t.Fatal(err)
	}
	queues := map[string]string{"ComputeQueue": workflows.ComputeQueue, "LLMQueue": workflows.LLMQueue}
	byQueue := map[string][]string{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			generic, ok := literal.Type.(*ast.IndexListExpr)
			if !ok {
				return true
			}
			if base, ok := generic.X.(*ast.Ident); !ok || base.Name != "Activity" {
				return true
			}
			name, err := strconv.Unquote(literal.Elts[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			queue := queues[literal.Elts[1].(*ast.Ident).Name]
			byQueue[queue] = append(byQueue[queue], name)
			return true
		})
	}
	return byQueue
}

// Every handle is registered once, on the worker of its task queue. No two handles have the same name.
func TestEveryHandleIsRegistered(t *testing.T) {
	var compute, llm registered
	(&activities.Activities{}).Register(workflows.Workers{Compute: &compute, LLM: &llm})
	got := map[string][]string{workflows.ComputeQueue: compute.names, workflows.LLMQueue: llm.names}
	want := handles(t)
	if len(want) != len(got) {
		t.Fatalf("handles of the queues %v", slices.Sorted(maps.Keys(want)))
	}
	for queue, names := range want {
		slices.Sort(names)
		slices.Sort(got[queue])
		if !slices.Equal(got[queue], names) {
			t.Errorf("on %s are registered\n%v, its handles are\n%v", queue, got[queue], names)
		}
	}
	all := slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(want))...)))
	if distinct := slices.Compact(slices.Clone(all)); len(distinct) != len(all) {
		t.Errorf("%d names for %d handles: %v", len(distinct), len(all), all)
	}
}
