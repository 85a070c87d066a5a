package contrast

import (
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
)

// AsPolicy returns a student as a policy that can be asked where it would begin. A student of tours without a start
// rule, whose teacher was given its starts, begins at the first node.
func AsPolicy(s *evaluate.Student) routing.Policy {
	if s.Start != startrule.None || problems.Must(s.Programs.Bank.Problem).Traits().Depot {
		return s
	}
	return fromFirst{s}
}

// fromFirst is a student that begins at the first node where no other is given.
type fromFirst struct{ *evaluate.Student }

// Decoder implements routing.Policy.
func (p fromFirst) Decoder() (routing.Decoder, error) {
	d, err := p.Student.Decoder()
	return firstDecoder{d}, err
}

type firstDecoder struct{ routing.Decoder }

// Decode implements routing.Decoder.
func (d firstDecoder) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	given := make([]routing.Run, len(runs))
	for i, run := range runs {
		if run.Start == routing.OwnStart {
			if run.Start = 0; len(run.Force) > 0 {
				run.Start = int(run.Force[0])
			}
		}
		given[i] = run
	}
	return d.Decoder.Decode(in, given)
}
