package routing

import (
	"math"
	"testing"
)

// Draws must follow the distribution over seeds at one step, over steps of one seed, and in pairs of consecutive steps.
func TestDrawFollowsTheDistribution(t *testing.T) {
	probs := []float32{0, 0.4, 0, 1, 0.6, 0} // not normalised
	const n = 20000
	for name, c := range map[string]struct{ draw func(i int) int }{
		"seeds": {func(i int) int { return Draw(uint64(i+1), 7, probs) }},
		"steps": {func(i int) int { return Draw(5, i, probs) }},
	} {
		count, pairs, last := make([]int, len(probs)), 0, -1
		for i := range n {
			k := c.draw(i)
			count[k]++
			if k == 3 && last == 3 {
				pairs++
			}
			last = k
		}
		for k, p := range probs {
			want := n * float64(p) / 2
			if math.Abs(float64(count[k])-want) > 4*math.Sqrt(n*0.25) {
				t.Errorf("%s: index %d drawn %d times of %d, want about %v", name, k, count[k], n, want)
			}
		}
		if count[0]+count[2]+count[5] > 0 {
			t.Errorf("%s: probability 0 drawn: %v", name, count)
		}
		if want := n * 0.25; math.Abs(float64(pairs)-want) > 5*math.Sqrt(n*0.25) {
			t.Errorf("%s: index 3 twice in a row %d times of %d, want about %v", name, pairs, n, want)
		}
	}
}

func TestTopTwo(t *testing.T) {
	for _, c := range []struct {
		probs         []float32
		first, second int
	}{
		{[]float32{1}, 0, 0},
		{[]float32{.2, .5, .3}, 1, 2},
		{[]float32{.3, .2, .5}, 2, 0},
		{[]float32{.1, .4, .1, .4}, 1, 3},
		{[]float32{.4, .2, .2, .2}, 0, 1},
		{[]float32{0, 0, 1}, 2, 0},
	} {
		if first, second := TopTwo(c.probs); first != c.first || second != c.second {
			t.Errorf("of %v: %d and %d, want %d and %d", c.probs, first, second, c.first, c.second)
		}
	}
}

func TestLead(t *testing.T) {
	for _, c := range []struct {
		probs []float32
		want  float32
	}{
		{[]float32{1}, 1},
		{[]float32{.25, .125, .625}, .375},
		{[]float32{.5, .5}, 0},
	} {
		if got := Lead(c.probs); got != c.want {
			t.Errorf("the lead in %v is %v, want %v", c.probs, got, c.want)
		}
	}
}
