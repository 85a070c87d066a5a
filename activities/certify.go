package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/workflows"
)

// certified is on how many test instances a run's certificate is measured at most. It takes seconds for most teachers;
// epb certify measures more.
const certified = 100

// certifyChanges is how often each of them is changed.
const certifyChanges = 4

// certificate measures how far the run's explanation may be trusted, on test instances. It is nil where the teacher
// takes no decision on them.
func certificate(
	ctx context.Context, in workflows.EvaluateInput, test testSet, s *evaluate.Student, rivals []evaluate.Rival,
	hb *heartbeat,
) (*certify.Certificate, error) {
	states := test.states.Slice(0, min(certified, test.states.Instances()))
	if states.States() == 0 {
		return nil, nil
	}
	of := certify.Input{
		Student: s, States: states, Data: "instances of the run’s test set", Changes: certifyChanges, Rivals: rivals,
		Seed:  in.Config.Seed,
		Doing: func(what string) { hb.step("certificate: " + what) },
	}
	if len(in.Data.Test) == 0 { // a teacher that is known by its rollouts has no answers on changed instances
		of.Teacher = test.teacher
	}
	return certify.Compute(ctx, of)
}
