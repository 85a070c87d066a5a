package rollout_test

import (
	"context"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// On four cities in a row, from an end, stepping over the neighbour costs the way back: the regret is known by hand.
func TestRegretIsThePriceOfTheSecondChoice(t *testing.T) {
	line := routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, 0.1, 0, 0.2, 0, 1, 0}}
	sh, err := rollout.Record(context.Background(), routing.NearestNeighbour{}, []routing.Instance{line},
		func(int) []routing.Run { return []routing.Run{{Start: 0}} }, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rollout.Regret(context.Background(), routing.NearestNeighbour{}, sh, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Step 1: 0 2 1 3 instead of 0 1 2 3 walks 0.2 + 0.1 + 0.9 + 1 instead of 2. Step 2: 0 1 3 2 is as long as 0 1 2 3.
	want := []float32{0.2, 0}
	if len(got) != len(want) {
		t.Fatalf("%d states, want %d", len(got), len(want))
	}
	for s := range want {
		if d := got[s] - want[s]; d > 1e-6 || d < -1e-6 {
			t.Errorf("regret of state %d is %v, want %v", s, got[s], want[s])
		}
	}
}
