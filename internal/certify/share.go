package certify

import "github.com/epb-nco/epb/internal/evaluate"

// counter counts decisions and hits among them, by instance.
type counter struct{ hits, all []float64 }

func newCounter(instances int) *counter {
	return &counter{make([]float64, instances), make([]float64, instances)}
}

// count adds a decision of an instance.
func (c *counter) count(instance int32, hit bool) {
	c.all[instance]++
	if hit {
		c.hits[instance]++
	}
}

// share returns the share of hits, with an interval over instances.
func (c *counter) share(seed uint64) Share {
	hits, all := total(c.hits), total(c.all)
	if all == 0 {
		return Share{}
	}
	return Share{Of: hits / all, N: int(all), CI: evaluate.RatioInterval(c.hits, c.all, seed)}
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
