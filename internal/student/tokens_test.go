package student

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

// TestTokenise checks the example in tokenise's comment: the depot and the current node are the first and last tokens,
// and a customer that can be reached in two ways is one token.
func TestTokenise(t *testing.T) {
	const n = 5
	cfg := defaultLEHD()
	cfg.Problem = routing.CVRP
	d := lehdHead{stack: stack{cfg: cfg}}
	var st states
	st.reset(1)
	st.add(0, 1, []uint16{0, 2, 4, n + 2, n + 3})
	st.endInstance()
	st.endStates()
	d.tokenise(&st, n)
	if want := []int32{0, 2, 3, 4, 1}; !slices.Equal(d.node, want) {
		t.Errorf("tokens %v, want %v", d.node, want)
	}
	if want := []int32{0, 1, 3, 1, 2}; !slices.Equal(d.row, want) {
		t.Errorf("token of each candidate %v, want %v", d.row, want)
	}
}
