package activities

import (
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/workflows"
)

// A run's own evaluation certifies its explanation on the test instances, on a hundred of them at most. The same run
// gives the same certificate again.
func TestEvaluateCertifies(t *testing.T) {
	fx := newFixture(t)
	training := fx.training()
	in := workflows.EvaluateInput{
		Config: config.Default(), NamedTeacher: training.NamedTeacher,
		ModelAndData: on(fx.train(training).Model, training.Data),
	}
	in.Config.Nodes, in.Config.Data.Test, in.Config.Data.Search = 20, certified+1, 0
	first := perform(fx, fx.Evaluate, in)
	if again := perform(fx, fx.Evaluate, in); again != first {
		t.Errorf("the second evaluation is %v, the first %v", again, first)
	}
	d := get[report.Data](fx, first)
	c := d.Certificate
	if c == nil || c.Instances != certified || c.Decisions != 18*certified || len(c.Programs) != len(d.Bank) {
		t.Fatalf("certificate %+v, want one of %d instances with 18 decisions each", c, certified)
	}
	if len(c.Changes) != 2 || c.Changes[0].Teacher.N < certified || len(c.Tours) == 0 ||
		len(c.Good)+len(c.Warnings) < 5 {
		t.Errorf("changes %+v, solutions %+v, findings %q %q", c.Changes, c.Tours, c.Good, c.Warnings)
	}
	in.Config.Data.Test = bootstrap.FewestInstances - 1
	if few := get[report.Data](fx, perform(fx, fx.Evaluate, in)); few.Certificate != nil {
		t.Errorf("%d instances give a certificate", in.Config.Data.Test)
	}
}
