package workflows

import "testing"

// The inputs of all programs that are scored at a time fit into one message to Temporal.
func TestAtOnce(t *testing.T) {
	for _, c := range []struct{ programs, shards, want int }{
		{0, 0, 1}, {14, 41, 14}, {25, 1000, 25}, {36, 1000, 10}, {1000, 100, 100}, {1000, 20_000, 1},
	} {
		if got := atOnce(c.programs, c.shards); got != c.want {
			t.Errorf("%d programs on %d shards: %d at once, want %d", c.programs, c.shards, got, c.want)
		}
	}
}
