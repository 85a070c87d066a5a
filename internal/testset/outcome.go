package testset

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
)

// Outcome is what was found on a set in a mode, as JSON has it.
type Outcome struct {
	Version   string `json:"epb_version"`
	Kernels   string `json:"kernels"`
	Instances string `json:"instances"`
	Count     int    `json:"count"`
	Nodes     int    `json:"nodes"` // of the largest instance
	// what cost and gap of the policies are in: "in the unit square" or "in the file's units"
	Measured string              `json:"measured"`
	Notes    []string            `json:"notes,omitempty"`
	Decode   evaluate.Mode       `json:"decode"`
	Start    string              `json:"start"` // in words
	Seed     uint64              `json:"seed"`  // of searches and of the bootstrap
	Teacher  teacher.Info        `json:"teacher"`
	Student  *distilled.Manifest `json:"student,omitempty"`
	// of student and teacher, on the teacher's greedy solutions
	Agreement *student.Eval     `json:"agreement,omitempty"`
	Overlap   *evaluate.Overlap `json:"edge_overlap,omitempty"`
	// Activation says how the student's router spreads its weight over the bank, on the same states.
	Activation *evaluate.Activation `json:"activation,omitempty"`
	Files      []Instance           `json:"files"`
	Policies   []Policy             `json:"policies"`
}

// Instance is what the file says of an instance.
type Instance struct {
	Name   string           `json:"name"`
	Nodes  int              `json:"nodes"`
	Metric instances.Metric `json:"metric"`
	// in the file's units, of the coordinates that were scaled to the unit square
	Span      float64 `json:"span"`
	BestKnown float64 `json:"best_known,omitempty"` // by the metric
}

// Policy is one policy's result; costs and tours are in the order of the instances.
type Policy struct {
	Name string        `json:"name"`
	Kind evaluate.Kind `json:"kind"`
	*evaluate.Costing
	Top1      *float64  `json:"top1,omitempty"`
	Seconds   float64   `json:"seconds_per_instance"` // wall time, all cores
	Cut       int       `json:"cut_by_time_limit,omitempty"`
	Costs     []float64 `json:"costs"`     // in the unit square
	Rounded   []float64 `json:"rounded"`   // in the file's units, by its metric's rounding rule
	Unrounded []float64 `json:"unrounded"` // in the file's units
	Tours     [][]int32 `json:"tours"`

	// Mean gaps to the best known solutions in per cent, over the instances where one is known; nil where none is.
	KnownGap          *bootstrap.Summary `json:"gap_to_best_known_rounded,omitempty"`
	KnownGapUnrounded *bootstrap.Summary `json:"gap_to_best_known_unrounded,omitempty"`
}

// Outcome returns what was found in a mode, for a teacher and, if trained is not nil, a student. The seed is that of
// the searches and of the bootstrap.
func (r Result) Outcome(
	mode evaluate.Mode, of teacher.Info, trained *distilled.Manifest, seed uint64,
) (Outcome, error) {
	c, reading := r.Comparison, r.Reading
	out := Outcome{
		Version: version.Commit(), Kernels: tensorops.CurrentIdentity().String(),
		Instances: r.Path, Count: c.Table.Instances, Decode: mode, Start: c.Table.Start, Seed: seed,
		Teacher: of, Measured: r.Measured(), Notes: r.Notes(), Files: r.describe(),
	}
	for _, file := range out.Files {
		out.Nodes = max(out.Nodes, file.Nodes)
	}
	if trained != nil {
		overlap := c.Overlap[mode]
		out.Student, out.Overlap = trained, &overlap
	}
	if reading != nil {
		out.Agreement, out.Activation = &reading.Fidelity, &reading.Activation
	}
	for i, row := range c.Table.Rows {
		d, ok := c.Tours[i][mode]
		if !ok {
			continue
		}
		p := Policy{Name: row.Name, Kind: row.Kind, Costing: row.Costing(mode), Top1: row.Top1, Costs: d.Costs,
			Tours: d.Tours, Cut: d.Cut,
			Seconds: d.Elapsed.Seconds() / float64(len(d.Costs))}
		if err := p.measure(r.Files, seed); err != nil {
			return out, err
		}
		out.Policies = append(out.Policies, p)
	}
	return out, nil
}

// measure fills in the costs in the files' units.
func (p *Policy) measure(files []instances.File, seed uint64) error {
	var rounded, unrounded []float64
	for i := range files {
		a, b, err := files[i].Cost(p.Tours[i])
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		p.Rounded, p.Unrounded = append(p.Rounded, a), append(p.Unrounded, b)
		if best := files[i].BestKnown; best > 0 {
			rounded, unrounded = append(rounded, 100*(a/best-1)), append(unrounded, 100*(b/best-1))
		}
	}
	if len(rounded) > 0 {
		a, b := bootstrap.Summarise(rounded, seed), bootstrap.Summarise(unrounded, seed)
		p.KnownGap, p.KnownGapUnrounded = &a, &b
	}
	return nil
}

// OwnUnits says whether a metric of the file's own measures costs, in its units.
func (out Outcome) OwnUnits() bool {
	return slices.ContainsFunc(out.Files, func(f Instance) bool { return f.Metric != instances.Euclidean })
}

// Scaled says whether the unit square's costs are not those of the file's coordinates.
func (out Outcome) Scaled() bool {
	return slices.ContainsFunc(out.Files, func(f Instance) bool { return f.Span != 1 })
}

// BelowBest reports, by instance, the cheapest solution that costs less than the best known one.
func BelowBest(problem routing.Problem, files []Instance, policies []Policy) []string {
	var below []string
	for i, f := range files {
		best := slices.MinFunc(policies, func(a, b Policy) int { return cmp.Compare(a.Rounded[i], b.Rounded[i]) })
		if instances.Below(best.Rounded[i], f.BestKnown) {
			how := best.Name
			if problems.Must(problem).Traits().Depot {
				routes := len(routing.Routes(best.Tours[i]))
				how += fmt.Sprintf(" with %d vehicle", routes)
				if routes != 1 {
					how += "s"
				}
			}
			below = append(below, fmt.Sprintf("%s (%v by %s)", f.Name, best.Rounded[i], how))
		}
	}
	return below
}
