package evidence

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
)

// Change is what a feature, added to a program as a term, would do to the loss.
type Change struct {
	Name, Call, Says string
	// Slope is ∂L/∂w at w = 0, the mean over states, where the program's score becomes c + w·τ_h·f/spread_f. It is in
	// nats. A term with a negative slope lowers the loss with a positive weight, and the other way round.
	Slope float64
	// Spread is spread_f: the root mean square of the feature's differences from its mean over the candidates of a
	// state. It tells a writer what size of a weight, a cap or a threshold makes a difference.
	Spread float64
}

// Shown is how many changes a prompt shows each way.
const Shown = 6

// Meter sums up the slopes of all features of a set over states.
type Meter struct {
	set        *features.Set
	slope      []float64 // [F] Σ_s Σ_n ∂ℓ/∂c(n)·f(n), of features as they are
	squares    []float64 // [F] of the differences from the mean of a state
	candidates int
	states     int
}

// NewMeter returns a meter without states.
func NewMeter(set *features.Set) *Meter {
	F := len(set.Node)
	return &Meter{set: set, slope: make([]float64, F), squares: make([]float64, F)}
}

// Add reads states of a shard, in increasing order. grad is ∂ℓ/∂c·τ_h, the gradient of each state's loss by the
// program's scores as multiples of τ_h, [C].
func (m *Meter) Add(sh *rollout.Shard, states []int32, grad []float32) error {
	F := len(m.set.Node)
	m.states += len(states)
	return read(m.set, sh, states, func(s int32, f []float32) {
		g := grad[sh.Offset[s]:sh.Offset[s+1]]
		m.candidates += len(g)
		for i := range F {
			for k, gk := range g {
				m.slope[i] += float64(gk) * float64(f[k*F+i])
			}
			m.squares[i] += features.Squares(f, i, F)
		}
	})
}

// Changes returns what the features would do that a program does not use yet: the n with the most negative slope, the
// steepest first, and then the n with the most positive one, the steepest last. Of equal ones the first of the set
// comes first.
func (m *Meter) Changes(source string, n int) []Change {
	var all []Change
	for i, f := range m.set.Node {
		unit := spread(m.squares[i], m.candidates)
		if unit == 0 || f.Call == "" || uses(source, f.Call) {
			continue
		}
		slope := m.slope[i] / unit / float64(m.states)
		if math.Abs(slope) < 1e-9 { // of all candidates the same
			continue
		}
		all = append(all, Change{f.Name, f.Call, f.Says, slope, unit})
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(a.Slope, b.Slope) })
	falling, _ := slices.BinarySearchFunc(all, 0, func(c Change, zero float64) int {
		return cmp.Compare(c.Slope, zero)
	})
	rising := all[falling:]
	return slices.Concat(all[:min(n, falling)], rising[max(0, len(rising)-n):])
}

// spaces are what gofmt may put into an expression or leave out.
var spaces = strings.NewReplacer(" ", "", "\t", "", "\n", "")

// uses reports whether a program holds the expression of a feature. With one radius it does not use another.
func uses(source, call string) bool {
	return strings.Contains(spaces.Replace(source), spaces.Replace(call))
}
