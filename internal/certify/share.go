package certify

import (
	"github.com/epb-nco/epb/internal/bootstrap"
)

// counter counts decisions and hits among them, by instance.
type counter struct{ *bootstrap.Tally }

func newCounter(instances int) counter { return counter{bootstrap.NewTally(instances)} }

// count adds a decision of an instance.
func (c counter) count(instance int32, hit bool) { c.Add(instance, bootstrap.Indicator(hit)) }

// share returns the share of hits, with an interval over instances.
func (c counter) share(seed uint64) Share {
	_, n := c.Totals()
	if n == 0 {
		return Share{}
	}
	return Share{Of: c.Mean(), N: int(n), CI: c.Interval(seed), Instances: c.Instances()}
}
