package certify

import (
	"context"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Other is a further student of the same teacher.
type Other struct {
	Name    string
	Student *evaluate.Student
}

// Input is what is certified, and with what.
type Input struct {
	Student *evaluate.Student
	// States are the teacher's on its greedy solutions of instances to which nothing was fitted.
	States *rollout.Shard
	Data   string // what the instances are, in words that follow their number: "fresh instances"
	// Teacher, unless nil, is asked about changed instances. One that is known by its rollouts has no answers.
	Teacher routing.Policy
	Changes int // how many times each instance is changed, in decisions drawn by lot
	// Plan, unless nil, holds programs that draft the rest of a solution and begin with its first step. The one that
	// agrees with the teacher most often on the other half of the instances is compared.
	Plan *evaluate.Programs
	// Rivals are policies that were fitted to the teacher's decisions on other instances.
	Rivals []evaluate.Rival
	Also   []Other
	Seed   uint64            // of intervals, changes and lots
	Doing  func(what string) // told what is being done, unless nil
}

// Compute measures a certificate.
func Compute(ctx context.Context, in Input) (*Certificate, error) {
	doing := in.Doing
	if doing == nil {
		doing = func(string) {}
	}
	sh := in.States
	if sh.States() == 0 {
		return nil, errors.New("certify: the teacher has taken no decision: every step was forced")
	}
	doing("asking the student")
	d, err := decide(ctx, in.Student, sh)
	if err != nil {
		return nil, err
	}
	d.seed = in.Seed
	plan, err := d.planned(ctx, in.Plan)
	if err != nil {
		return nil, err
	}
	doing("measuring agreement and leaders")
	c := &Certificate{
		Teacher: sh.Teacher, Problem: string(sh.Problem), Instances: sh.Instances(), Data: in.Data,
		Decisions: sh.States(), Nodes: problems.Size(sh.Problem, sh.N), Seed: in.Seed,
		Routing: string(in.Student.Model.Config.Routing), Agreement: d.agree(plan),
		Leader: d.attribute(), Programs: d.programs(), Twins: d.twins(),
	}
	c.KL, c.KLCI = d.divergence()
	c.Rivals = d.rivals(d.best(d.first), plan)
	for _, r := range in.Rivals {
		choices, err := r.Choices(ctx, sh)
		if err != nil {
			return nil, fmt.Errorf("certify: %w", err)
		}
		rival := d.rival(r.Name, choices)
		rival.Opaque = r.Opaque
		c.Rivals = append(c.Rivals, rival)
	}
	doing("solving instances without leaders")
	if c.Tours, err = d.tours(ctx, in.Student); err != nil {
		return nil, err
	}
	if in.Teacher != nil {
		doing("changing instances")
		if c.Changes, err = d.counterfactuals(ctx, in.Teacher, in.Student, in.Changes); err != nil {
			return nil, err
		}
	}
	for _, o := range in.Also {
		doing("asking " + o.Name)
		other, err := decide(ctx, o.Student, sh)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Name, err)
		}
		c.Stability = append(c.Stability, d.stability(o.Name, other))
	}
	c.judge()
	return c, nil
}

// planned returns the first choices, in every state, of the program that has the teacher's most often on the other half
// of the instances; nil without any.
func (d *decisions) planned(ctx context.Context, plans *evaluate.Programs) ([]int32, error) {
	if plans == nil {
		return nil, nil
	}
	set, err := plans.Score(ctx, d.sh)
	if err != nil {
		return nil, fmt.Errorf("certify: plan: %w", err)
	}
	first := agreement.FirstChoicesOf(d.sh, set.Scores)
	return d.stitch(d.best(first), first), nil
}

// divergence returns the mean KL(π_T‖π_S) of the mixture, Eq. 5, also where the leader decides alone: the loss of Eq. 6
// is that of the mixture.
func (d *decisions) divergence() (float64, bootstrap.Interval) {
	mix := make([]float32, 2*d.sh.N)
	return d.mean(func(s int) float64 {
		q := mix[:d.candidates(s)]
		d.mix(s, d.weights(s), q)
		return agreement.KL(d.piT[d.sh.Offset[s]:d.sh.Offset[s+1]], q)
	})
}
