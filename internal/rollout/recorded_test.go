package rollout_test

import (
	"context"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

func TestReplayDoesWhatWasRecorded(t *testing.T) {
	insts := tsp.Generate(9, 4, 1)
	own := func(int) []routing.Run { return []routing.Run{{Start: routing.OwnStart}} }
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, insts, own, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := routing.Solve(context.Background(), problems.NearestNeighbour{}, insts, own, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := routing.Solve(context.Background(), rollout.Replay(sh), insts, own, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range insts {
		if d := got[i][0].Cost - want[i][0].Cost; d > 1e-12 || d < -1e-12 { // the costs are summed in another order
			t.Errorf("instance %d costs %v, recorded at %v", i, got[i][0].Cost, want[i][0].Cost)
		}
	}

	d, err := rollout.Replay(sh).Decoder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Decode(&insts[0], []routing.Run{{Start: 3}}); err == nil {
		t.Error("a recorded policy was asked for another start and answered")
	}
	other := tsp.Generate(9, 1, 2)[0]
	if _, err := d.Decode(&other, []routing.Run{{Start: routing.OwnStart}}); err == nil {
		t.Error("a recorded policy solved an instance it never saw")
	}
}

// TestReplayKnowsCapacity: two instances that differ only in the vehicle's capacity keep their own trajectories. A
// third capacity was not recorded.
func TestReplayKnowsCapacity(t *testing.T) {
	in := cvrp.Generate(6, 1, 1)[0]
	in.Capacity = 9
	all := in
	for _, d := range in.Demand {
		all.Capacity += d
	}
	insts := []routing.Instance{in, all}
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := routing.Solve(context.Background(), rollout.Replay(sh), insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range insts {
		if !slices.Equal(got[i][0].Actions, sh.Tour(i)) {
			t.Errorf("capacity %d: %v, recorded %v", insts[i].Capacity, got[i][0].Actions, sh.Tour(i))
		}
	}
	all.Capacity++
	d, err := rollout.Replay(sh).Decoder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Decode(&all, routing.SingleRun(0)); err == nil {
		t.Error("an instance of another capacity was solved, which was not recorded")
	}
}

func TestSniff(t *testing.T) {
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, tsp.Generate(5, 2, 1),
		func(int) []routing.Run { return []routing.Run{{Start: 0}} }, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := sh.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := sh.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"a shard": data, "half of it": data[:len(data)/2],
		"a plain one": plain, "half of that": plain[:len(plain)/2],
	} {
		if !rollout.Sniff(data) {
			t.Errorf("%s is not recognised", name)
		}
	}
	weights, err := safetensors.Encode([]safetensors.Tensor{safetensors.New("embed", []float32{1}, 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"a zip file": []byte("PK\x03\x04 no rollouts"), "nothing": nil, "a checkpoint": weights,
	} {
		if rollout.Sniff(data) {
			t.Errorf("%s is taken for rollouts", name)
		}
	}
}
