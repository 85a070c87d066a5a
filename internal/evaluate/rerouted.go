package evaluate

import (
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// Reroute changes the weights of the programs in a state, w [M] of Eq. 3, before they mix the programs. A program with
// weight 0 has no say. The weights need not add up to 1 afterwards: the mixture is divided by their sum.
type Reroute func(w []float32)

// Rerouted is a student whose weights are changed in every state. It shows how much its solutions depend on a program.
type Rerouted struct {
	Label   string
	Student *Student
	// Of returns what changes the weights on an instance. It is called once an instance, and what it returns once a
	// state, in the order of the steps: what it draws may depend on the instance, but not on other instances, which
	// other cores solve at the same time.
	Of func(in *routing.Instance) Reroute
	// Hard lets the program of the largest weight decide alone, as it always does where the student's routing is hard.
	Hard bool
}

// Name implements routing.Policy.
func (r Rerouted) Name() string { return r.Label }

// Decoder implements routing.Policy.
func (r Rerouted) Decoder() (routing.Decoder, error) {
	mix, err := r.Student.mixture()
	if err != nil {
		return nil, err
	}
	hard := r.Hard || r.Student.Model.Config.Routing == student.Hard
	return r.Student.constructor(r.Name(), &reroutedMixture{mixture: mix, of: r.Of, hard: hard}), nil
}

// reroutedMixture mixes scores with other weights than the router's.
type reroutedMixture struct {
	*mixture
	of      func(in *routing.Instance) Reroute
	hard    bool
	reroute Reroute
	Vm      []float32 // [K] of a state, Eq. 2
}

func (c *reroutedMixture) begin(in *routing.Instance) error {
	c.reroute = c.of(in)
	return c.mixture.begin(in)
}

func (c *reroutedMixture) choose(f *frontier) (probs, preference []float32, err error) {
	if _, _, err = c.mixture.choose(f); err != nil {
		return nil, nil, err
	}
	M := len(c.tauH)
	for t := range f.Len() {
		w, mix := c.wm[t*M:(t+1)*M], f.of(t, c.mix)
		c.reroute(w)
		clear(mix)
		c.Vm = dense.Sized(c.Vm, len(mix))
		leader, sum := agreement.Argmax(w), float32(0)
		for m := range M {
			if w[m] == 0 || c.hard && m != leader {
				continue
			}
			agreement.Softmax(c.Vm, f.of(t, c.raw[m]), c.tauH[m])
			for k, v := range c.Vm {
				mix[k] += w[m] * v
			}
			sum += w[m]
		}
		for k := range mix {
			mix[k] /= max(sum, math.SmallestNonzeroFloat32)
		}
	}
	return c.mix, c.mix, nil
}
