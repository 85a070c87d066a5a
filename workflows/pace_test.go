package workflows

import (
	"testing"
	"time"
)

// Nothing is said before there is a basis. A pause moves the end by as long as it takes.
func TestPace(t *testing.T) {
	at := func(minutes int) time.Time { return time.Unix(0, 0).Add(time.Duration(minutes) * time.Minute) }
	var p Pace
	check := func(when string, want int) {
		t.Helper()
		end, ok := p.end(12, 2)
		if ok != (want > 0) || ok && !end.Equal(at(want)) {
			t.Errorf("%s: ends %v (%v), want minute %d", when, end, ok, want)
		}
	}
	check("before training", 0)
	p.paused(time.Hour)
	p.begin(at(0), 0)
	p.trained(time.Minute, 1)
	check("in the first pass", 0)
	p.begin(at(12), 3) // four minutes an epoch with all that belongs to it, one without
	check("in the second pass", 50)
	p.paused(10 * time.Minute)
	check("after a pause", 60)
	p.trained(6*time.Minute, 3)
	check("after slower training", 62)
	p.anneal(at(34), 6)
	check("annealing earlier than it might", 38)
}
