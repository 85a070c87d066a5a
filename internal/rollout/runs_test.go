package rollout_test

import (
	"reflect"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Starts are distinct nodes that are allowed as starts. They differ between instances, and repeat for the same seed.
func TestStarts(t *testing.T) {
	starts := rollout.Starts(1, 6, 4, 7)
	var all [][]int
	for i := range 3 {
		var nodes []int
		for _, run := range starts(i) {
			if run.Start < 1 || run.Start > 6 || slices.Contains(nodes, run.Start) {
				t.Errorf("instance %d: run %+v after starts %v, want another of nodes 1 to 6", i, run, nodes)
			}
			nodes = append(nodes, run.Start)
		}
		all = append(all, nodes)
		if again := rollout.Starts(1, 6, 4, 7)(i); !reflect.DeepEqual(again, starts(i)) {
			t.Errorf("instance %d: %v, then %v", i, starts(i), again)
		}
	}
	if reflect.DeepEqual(all[0], all[1]) && reflect.DeepEqual(all[1], all[2]) {
		t.Errorf("all instances have the starts %v", all[0])
	}
	if got := rollout.Starts(1, 6, 0, 7)(2); !reflect.DeepEqual(got, routing.SingleRun(2)) {
		t.Errorf("no given starts: %+v, want the policy's own", got)
	}
}

// Weights are 1 + β·regret/mean regret over the states of all shards.
func TestWeights(t *testing.T) {
	regrets := []*tensor.Dense{dense.Vector([]float32{0, 1}), dense.Vector([]float32{3, 0})} // the mean is 1
	want := [][]float32{{1, 3}, {7, 1}}
	for i, weights := range rollout.Weights(regrets, 2) {
		if got := dense.Must[float32]("weights", weights, 2); !slices.Equal(got, want[i]) {
			t.Errorf("shard %d: weights %v, want %v", i, got, want[i])
		}
	}
	if got := rollout.Weights([]*tensor.Dense{dense.Vector([]float32{0, 0})}, 2); got != nil {
		t.Errorf("where no step is wrong: %v", got)
	}
}
