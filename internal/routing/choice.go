package routing

import "math/rand/v2"

// Draw returns the index that a run with this seed takes at a step. The result depends on seed, step and probs alone.
// probs need not be normalised. An index of probability 0 is never drawn.
func Draw(seed uint64, step int, probs []float32) int {
	var sum float64
	for _, p := range probs {
		sum += float64(p)
	}
	left := rand.New(rand.NewPCG(seed, uint64(step))).Float64() * sum
	last := 0
	for k, p := range probs {
		if p <= 0 {
			continue
		}
		last = k
		if left -= float64(p); left < 0 {
			break
		}
	}
	return last
}

// TopTwo returns the indices of the two largest of probs, the lower index on a tie. Of a single value both are 0.
func TopTwo(probs []float32) (first, second int) {
	second = -1
	for k, p := range probs {
		switch {
		case p > probs[first]:
			first, second = k, first
		case k != first && (second < 0 || p > probs[second]):
			second = k
		}
	}
	return first, max(second, 0)
}

// Lead returns by how much the largest of probs exceeds the second one. Of a single value it is that value.
func Lead(probs []float32) float32 {
	first, second := TopTwo(probs)
	if first == second {
		return probs[first]
	}
	return probs[first] - probs[second]
}

// Tie is the difference of two weights, or of two probabilities, below which they count as equal: one percentage
// point. A program that is ahead by less cannot be said to lead.
const Tie = 0.01
