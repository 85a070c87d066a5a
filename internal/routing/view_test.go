package routing_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

func TestViewShows(t *testing.T) {
	for _, c := range []struct {
		view, other routing.View
		want        bool
	}{
		{routing.Full, routing.Full, true}, {routing.Full, routing.Subgraph, true},
		{routing.Subgraph, routing.Subgraph, true}, {routing.Subgraph, routing.Full, false},
	} {
		if got := c.view.Shows(c.other); got != c.want {
			t.Errorf("%s shows what %s shows: %v, want %v", c.view, c.other, got, c.want)
		}
	}
}
