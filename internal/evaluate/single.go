package evaluate

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
)

// Single is one heuristic of a bank as a policy of its own: it takes its best-scored candidate, and its distribution is
// V_m = softmax(c_m/τ_h) of Eq. 2.
type Single struct {
	programs *Programs
	m        int
	start    startrule.Rule
}

// Singles returns every heuristic of a bank as a policy with the given start rule, in bank order.
func (p *Programs) Singles(start startrule.Rule) []Single {
	out := make([]Single, len(p.modules))
	for m := range out {
		out[m] = Single{p, m, start}
	}
	return out
}

// Name implements routing.Policy.
func (s Single) Name() string { return s.programs.Bank.Heuristics[s.m].Name }

// Decoder implements routing.Policy.
func (s Single) Decoder() (routing.Decoder, error) {
	gs, err := startGuests(s.programs.modules[s.m : s.m+1])
	if err != nil {
		return nil, err
	}
	chooser := &singleChooser{guests: gs, tauH: s.programs.Bank.Heuristics[s.m].TauH}
	return &constructor{
		name: s.Name(), start: s.start, viaDepot: s.programs.Bank.ViaDepot(), chooser: chooser,
	}, nil
}

type singleChooser struct {
	guests guests
	tauH   float64
	raw    [][]float32
	probs  []float32
}

func (c *singleChooser) begin(in *routing.Instance) error { return c.guests.setInstance(in) }
func (c *singleChooser) close()                           { c.guests.close() }

func (c *singleChooser) choose(f *frontier) (probs, preference []float32, err error) {
	if c.raw, err = c.guests.scores(f, c.raw); err != nil {
		return nil, nil, err
	}
	c.probs = dense.Sized(c.probs, len(c.raw[0]))
	for r := range f.run {
		agreement.Divided(f.of(r, c.probs), f.of(r, c.raw[0]), c.tauH)
	}
	return c.probs, c.raw[0], nil
}
