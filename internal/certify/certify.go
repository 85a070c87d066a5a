package certify

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/dense"
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
	Teacher routing.Policy
	// Instances, all of one size, on which nothing was fitted. The teacher solves them greedily.
	Instances []routing.Instance
	// Plan, unless nil, holds programs that draft the rest of a solution and begin with its first step. The one that
	// agrees with the teacher most often is compared.
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
	doing("asking the teacher")
	sh, err := rollout.Record(ctx, in.Teacher, in.Instances, rollout.OwnStart, nil)
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	doing("asking the student")
	d, err := decide(ctx, in.Student, sh)
	if err != nil {
		return nil, err
	}
	names := make([]string, d.M)
	for m, h := range in.Student.Programs.Bank.Heuristics {
		names[m] = h.Name
	}
	plan, err := d.planned(ctx, in.Plan)
	if err != nil {
		return nil, err
	}
	doing("measuring agreement and leaders")
	c := &Certificate{
		Teacher: in.Teacher.Name(), Problem: string(sh.Problem), Instances: sh.Instances(), Decisions: sh.States(),
		Nodes: sh.N - problems.Must(sh.Problem).Traits().Depots(), Seed: in.Seed,
		Routing: string(in.Student.Model.Config.Routing), Agreement: d.agree(in.Seed, plan), KL: d.meanKL(),
		Leader: d.attribute(in.Seed), Programs: d.programs(in.Seed, names), Twins: d.twins(names),
	}
	c.Rivals = d.rivals(in.Seed, c.Programs, plan)
	for _, r := range in.Rivals {
		choices, err := r.Choices(ctx, sh)
		if err != nil {
			return nil, fmt.Errorf("certify: %w", err)
		}
		rival := d.rival(r.Name, in.Seed, choices)
		rival.Opaque = r.Opaque
		c.Rivals = append(c.Rivals, rival)
	}
	doing("changing instances")
	if c.Changes, err = d.counterfactuals(ctx, in.Teacher, in.Student, in.Seed); err != nil {
		return nil, err
	}
	for _, o := range in.Also {
		doing("asking " + o.Name)
		other, err := decide(ctx, o.Student, sh)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Name, err)
		}
		c.Stability = append(c.Stability, d.stability(o.Name, other, in.Seed))
	}
	c.judge()
	return c, nil
}

// planned returns the first choices, in every state, of the program that has the teacher's most often; nil without any.
func (d *decisions) planned(ctx context.Context, plans *evaluate.Programs) (best []int32, err error) {
	if plans == nil {
		return nil, nil
	}
	set, err := plans.Score(ctx, d.sh)
	if err != nil {
		return nil, fmt.Errorf("certify: plan: %w", err)
	}
	most := -1
	for _, scores := range set.Scores {
		first, right := d.argmax(dense.Must[float32]("scores", scores, len(d.sh.Candidates))), 0
		for s, k := range first {
			if k == d.teacher[s] {
				right++
			}
		}
		if right > most {
			best, most = first, right
		}
	}
	return best, nil
}

// meanKL returns the mean KL(π_T‖π_S) over the decisions.
func (d *decisions) meanKL() (sum float64) {
	for s := range d.sh.States() {
		a, b := d.sh.Offset[s], d.sh.Offset[s+1]
		sum += kl(d.piT[a:b], d.piS[a:b]) / float64(d.sh.States())
	}
	return sum
}
