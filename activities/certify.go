package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
)

// certified is the largest number of test instances on which a run's certificate is measured. That takes seconds for
// most teachers. epb certify measures more.
const certified = 100

// certifyChanges is how many times each of these instances is changed.
const certifyChanges = 4

// certify measures how far the run's explanation may be trusted, on test instances. There is no certificate where they
// are too few, or the teacher takes no decision on them.
func (e *evaluation) certify(ctx context.Context) (err error) {
	states := e.test.states.Slice(0, min(certified, e.test.states.Instances()))
	if states.Instances() < bootstrap.FewestInstances || states.States() == 0 {
		return nil
	}
	of := certify.Input{
		Student: e.student, States: states, Data: "instances of the run’s test set", Changes: certifyChanges,
		Rivals: e.rivals, Seed: e.in.Config.Seed,
		Doing: func(what string) { e.hb.step("certificate: " + what) },
	}
	if !e.test.recorded() { // otherwise it has no answers on changed instances
		of.Teacher = e.test.teacher
	}
	e.report.Certificate, err = certify.Compute(ctx, of)
	return err
}
