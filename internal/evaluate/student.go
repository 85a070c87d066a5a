package evaluate

import (
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
)

// Student is a distilled policy: its programs, the router that mixes them (Eq. 5), and the rule for the first node.
// It is safe for concurrent use.
type Student struct {
	Model    *student.Model
	Programs *Programs
	Start    startrule.Rule // None where the start is given
}

// Name implements routing.Policy.
func (s *Student) Name() string { return "student" }

// Decoder implements routing.Policy.
func (s *Student) Decoder() (routing.Decoder, error) { return s.decoder() }

func (s *Student) decoder() (*constructor, error) {
	c, err := s.mixture()
	if err != nil {
		return nil, err
	}
	return s.constructor(s.Name(), c), nil
}

// constructor returns a decoder that begins as the student does and chooses by c.
func (s *Student) constructor(name string, c chooser) *constructor {
	return &constructor{name: name, start: s.Start, viaDepot: s.Programs.Bank.ViaDepot(), chooser: c}
}

// mixture returns the chooser of the student itself.
func (s *Student) mixture() (*mixture, error) {
	gs, err := startGuests(s.Programs.modules)
	if err != nil {
		return nil, err
	}
	tauH := dense.Must[float64]("τ_h", s.Programs.Bank.TauH(), dense.Any)
	return &mixture{guests: gs, session: s.Model.Session(), tauH: tauH}, nil
}

// mixture scores a frontier with every program and mixes the scores.
type mixture struct {
	guests  guests
	session *student.Session
	tauH    []float64

	raw [][]float32 // [M] ragged
	wm  []float32   // [T,M] Eq. 3
	mix []float32   // ragged, what decides: see student.Out.Mix
}

func (c *mixture) begin(in *routing.Instance) error {
	if err := c.guests.setInstance(in); err != nil {
		return err
	}
	c.session.Encode(in)
	return nil
}

func (c *mixture) choose(f *frontier) (probs, preference []float32, err error) {
	if c.raw, err = c.guests.scores(f, c.raw); err != nil {
		return nil, nil, err
	}
	c.wm, c.mix = dense.Sized(c.wm, f.Len()*len(c.tauH)), dense.Sized(c.mix, len(f.Candidates))
	c.session.MixLive(f.live(), c.raw, c.tauH, c.wm, c.mix)
	return c.mix, c.mix, nil
}

func (c *mixture) close() { c.guests.close() }
