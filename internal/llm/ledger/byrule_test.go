package ledger_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// Both authors that are no language model leave a mark that sums keep.
func TestByRule(t *testing.T) {
	for _, c := range []struct {
		standIn, null bool
		want          string
	}{
		{false, false, ""}, {true, false, "stand-in"}, {false, true, "null writer"},
		{true, true, "stand-in and null writer"},
	} {
		sum := ledger.Spend{StandIn: c.standIn}.Plus(ledger.Spend{NullWriter: c.null})
		if got := ledger.ByRule(sum.StandIn, sum.NullWriter); got != c.want {
			t.Errorf("%+v: %q, want %q", sum, got, c.want)
		}
	}
}
