package textgrad_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/textgrad"
)

// deliveries returns one state of a vehicle of capacity 10: customer 1 is served, and 4 no longer fits.
//
//	2 (0,0.5)  room for 6  4 (1,0.5)
//	depot 0 (0,0)          vehicle 1 (0.5,0)   3 (1,0)
//
// Candidates are the depot, 2 and 3 directly, and 4 by way of the depot.
func deliveries() (*rollout.Shard, []float32) {
	sh := &rollout.Shard{
		Problem: routing.CVRP, N: 5, ViaDepot: true,
		Coords:       dense.Of([]float32{0, 0, 0.5, 0, 0, 0.5, 1, 0, 1, 0.5}, 1, 5, 2),
		Demand:       dense.Of([]int32{0, 4, 3, 6, 7}, 1, 5),
		Capacity:     []int32{10},
		InstanceOf:   []int32{0},
		Actions:      []int32{1, 3, 0, 2, 4, 0},
		ActionOffset: []int64{0, 6},
		Traj:         []int32{0}, Step: []int32{1}, Remaining: []int32{6}, Offset: []int64{0, 4},
		Candidates: []uint16{0, 2, 3, 9},
		Probs:      dense.Vector([]float32{0.125, 0, 0.75, 0.125}),
	}
	return sh, []float32{0, 0.75, 0.125, 0.125}
}

func TestNewFailureCVRP(t *testing.T) {
	sh, Vm := deliveries()
	f := textgrad.NewFailure(sh, 0, Vm)
	if f.K != 4 || f.Rank != 2 || f.Served != 1 || f.Waiting != 3 || f.Remaining != 0.6 || f.Home {
		t.Errorf("failure %+v, vehicle %+v", f, *f.Vehicle)
	}

	wrong, right, depot := f.Heuristic[0], f.Teacher[0], f.Teacher[1]
	if wrong.Where != "customer" || right.Where != "customer" || depot.Where != "depot" {
		t.Fatalf("choices %+v, %+v, %+v", *wrong.Delivery, *right.Delivery, *depot.Delivery)
	}
	via := f.Nearest[3]
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"way", right.Distance, 0.5},
		{"demand", right.Demand, 0.6},
		{"room after", right.RoomAfter, 0},
		{"to depot", right.ToStart, 1},
		{"to centroid", right.ToCentroid, math.Hypot(1.0/3, 1.0/3)}, // of (2/3, 1/3)
		{"saving", right.Saving, 1},                                 // 0.5 + 1 - 0.5
		{"detour", right.Detour, 1},                                 // 0.5 + 1 - 0.5
		{"wrong bearing", wrong.Bearing, math.Pi / 2},
		{"wrong turn", wrong.Turn, math.Pi / 2},
		{"turn", right.Turn, 0},
		{"detour of the depot", depot.Detour, 0},
		{"isolation", right.Isolation, 0.5},
		{"wrong saving", wrong.Saving, 1 - math.Sqrt(0.5)},
		{"room at the depot", depot.RoomAfter, 1},
		{"saving of the depot", depot.Saving, 0},
		{"way via depot", via.Distance, 0.5 + math.Sqrt(1.25)},
		{"room after, via depot", via.RoomAfter, 0.3},
	} {
		near(t, c.name, c.got, c.want)
	}
	if via.Where != "customer via depot" || f.Nearest[0].Where != "depot" {
		t.Errorf("nearest %+v, farthest %+v", *f.Nearest[0].Delivery, *via.Delivery)
	}
}

// Failures are stored between attribution and the critic's question.
func TestFailuresSurviveStorage(t *testing.T) {
	for _, state := range []func() (*rollout.Shard, []float32){square, deliveries} {
		sh, Vm := state()
		f := textgrad.NewFailure(sh, 0, Vm)
		data, err := json.Marshal(f)
		var again textgrad.Failure
		if err == nil {
			err = json.Unmarshal(data, &again)
		}
		if err != nil || !reflect.DeepEqual(again, f) {
			t.Errorf("%+v became %+v (%v)", f, again, err)
		}
	}
}
