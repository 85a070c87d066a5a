package bootstrap

// Tally sums a value over decisions and counts them, by instance: decisions of one instance are not independent.
type Tally struct{ Sum, Count []float64 } // [I]

// NewTally returns an empty tally.
func NewTally(instances int) *Tally {
	return &Tally{make([]float64, instances), make([]float64, instances)}
}

// Add counts a decision of an instance.
func (t *Tally) Add(instance int32, v float64) {
	t.Sum[instance] += v
	t.Count[instance]++
}

// Totals returns the sum over all decisions and how many they are.
func (t *Tally) Totals() (sum, count float64) {
	for i := range t.Sum {
		sum, count = sum+t.Sum[i], count+t.Count[i]
	}
	return sum, count
}

// Instances returns how many instances have a decision.
func (t *Tally) Instances() (sum int) {
	for _, n := range t.Count {
		if n > 0 {
			sum++
		}
	}
	return sum
}

// Mean returns the mean over all decisions, 0 of none.
func (t *Tally) Mean() float64 {
	sum, count := t.Totals()
	return sum / max(count, 1)
}

// Interval returns the interval of the mean over instances that are resampled. The seed is the bootstrap's. Samples
// without a decision say nothing and are left out.
func (t *Tally) Interval(seed uint64) Interval {
	return Of(len(t.Sum), seed, func(pick []int) float64 {
		var sum, count float64
		for _, i := range pick {
			sum += t.Sum[i]
			count += t.Count[i]
		}
		return sum / count // NaN of nothing
	})
}

// Indicator returns 1 where something holds, else 0.
func Indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
