package testset

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
)

// Solved is what a student found on a set by itself, without a teacher, as JSON has it.
type Solved struct {
	Version   string             `json:"epb_version"`
	Kernels   string             `json:"kernels"`
	Instances string             `json:"instances"`
	Count     int                `json:"count"`
	Notes     []string           `json:"notes,omitempty"`
	Decode    evaluate.Mode      `json:"decode"`
	Start     string             `json:"start"` // in words
	Student   distilled.Manifest `json:"student"`
	Files     []Instance         `json:"files"`
	Policies  []Policy           `json:"policies"` // the student's come first
}

// SolveOptions say how a student solves a set.
type SolveOptions struct {
	Mode      evaluate.Mode
	Start     int    // first node of each solution, routing.OwnStart for the student's own; MultiStart ignores it
	Words     string // what the start is, in words
	Baselines bool   // the classic methods that build whole solutions, too
	Progress  func(policy string, done, total int)
}

// Solve solves a set with a student.
func Solve(
	ctx context.Context, set Set, s *evaluate.Student, m distilled.Manifest, o SolveOptions,
) (Solved, error) {
	out := Solved{
		Version: version.Commit(), Kernels: tensorops.CurrentIdentity().String(), Instances: set.Path,
		Count: len(set.Files), Notes: set.Notes(), Decode: o.Mode, Start: o.Words, Student: m,
		Files: set.describe(),
	}
	starts := make([]int, len(set.Instances))
	for i := range starts {
		starts[i] = o.Start
	}
	add := func(p routing.Policy, name string, kind evaluate.Kind, search evaluate.Search) error {
		search.Progress = func(done int) { o.Progress(name, done, len(set.Instances)) }
		d, err := search.Run(ctx, p, set.Instances)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		row := Policy{
			Name: name, Kind: kind, Costs: d.Costs, Tours: d.Tours,
			Seconds: d.Elapsed.Seconds() / float64(len(d.Costs)),
		}
		err = row.measure(set.Files, 1)
		out.Policies = append(out.Policies, row)
		return err
	}
	student := evaluate.Search{Mode: o.Mode, Starts: starts, Price: instances.Price(set.Files)}
	if err := add(s, "student", evaluate.KindStudent, student); err != nil || !o.Baselines {
		return out, err
	}
	for _, method := range problems.Must(set.Instances[0].Problem).Constructions() {
		err := add(problems.Construction(method), method.Label, evaluate.KindBaseline,
			evaluate.Search{Mode: evaluate.Greedy})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// describe says what the files say of the instances.
func (s Set) describe() []Instance {
	var all []Instance
	for i := range s.Files {
		f := &s.Files[i]
		all = append(all, Instance{f.Instance.Name, f.Instance.N(), f.Metric, f.Span, f.BestKnown})
	}
	return all
}
