package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
)

// evalOutput is what --json prints.
type evalOutput struct {
	Instances string             `json:"instances"`
	Count     int                `json:"count"`
	Nodes     int                `json:"nodes"` // of the largest instance
	Decode    evaluate.Mode      `json:"decode"`
	Start     string             `json:"start"` // in words
	Seed      uint64             `json:"seed"`  // of searches and of the bootstrap
	Teacher   teacher.Info       `json:"teacher"`
	Student   *evaluate.Manifest `json:"student,omitempty"`
	Agreement *student.Eval      `json:"agreement,omitempty"` // of student and teacher, on the teacher's greedy solutions
	Overlap   *evaluate.Overlap  `json:"edge_overlap,omitempty"`
	// Activation says how the student's router spreads its weight over the bank, on the same states.
	Activation *evaluate.Activation `json:"activation,omitempty"`
	Files      []evalInstance       `json:"files"`
	Policies   []evalPolicy         `json:"policies"`
}

// evalInstance is what the file says of an instance.
type evalInstance struct {
	Name      string           `json:"name"`
	Nodes     int              `json:"nodes"`
	Metric    instances.Metric `json:"metric"`
	BestKnown float64          `json:"best_known,omitempty"` // by the metric
}

// evalPolicy is one policy's result; costs and tours are in the order of the instances.
type evalPolicy struct {
	Name string        `json:"name"`
	Kind evaluate.Kind `json:"kind"`
	*evaluate.Score
	Top1      *float64  `json:"top1,omitempty"`
	Seconds   float64   `json:"seconds_per_instance"` // wall time, all cores
	Cut       int       `json:"cut_by_time_limit,omitempty"`
	Costs     []float64 `json:"costs"`     // in the unit square
	Rounded   []float64 `json:"rounded"`   // in the file's units, by its metric's rounding rule
	Unrounded []float64 `json:"unrounded"` // in the file's units
	Tours     [][]int32 `json:"tours"`

	// Mean gaps to the best known solutions in per cent, over the instances where one is known; nil where none is.
	KnownGap          *float64 `json:"gap_to_best_known_rounded,omitempty"`
	KnownGapUnrounded *float64 `json:"gap_to_best_known_unrounded,omitempty"`
}

func newEvalOutput(f evalFlags, in evalInput, c evaluate.Comparison, reading *evaluate.Reading) (evalOutput, error) {
	mode := in.mode()
	out := evalOutput{
		Instances: f.instances, Count: c.Table.Instances, Decode: mode, Start: c.Table.Start, Seed: f.seed,
		Teacher: in.teacher.Info(),
	}
	for i := range in.files {
		file := &in.files[i]
		out.Files = append(out.Files, evalInstance{file.Instance.Name, file.Instance.N(), file.Metric, file.BestKnown})
		out.Nodes = max(out.Nodes, file.Instance.N())
	}
	if in.student != nil {
		overlap := c.Overlap[mode]
		out.Student, out.Overlap = &in.student.Manifest, &overlap
	}
	if reading != nil {
		out.Agreement, out.Activation = &reading.Fidelity, &reading.Activation
	}
	for i, row := range c.Table.Rows {
		d, ok := c.Tours[i][mode]
		if !ok {
			continue
		}
		p := evalPolicy{Name: row.Name, Kind: row.Kind, Score: row.Score(mode), Top1: row.Top1, Costs: d.Costs, Tours: d.Tours, Cut: d.Cut,
			Seconds: d.Elapsed.Seconds() / float64(len(d.Costs))}
		if err := p.measure(in.files); err != nil {
			return out, err
		}
		out.Policies = append(out.Policies, p)
	}
	return out, nil
}

// measure fills in the costs in the files' units.
func (p *evalPolicy) measure(files []instances.File) error {
	var rounded, unrounded float64
	known := 0
	for i := range files {
		a, b, err := files[i].Cost(p.Tours[i])
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		p.Rounded, p.Unrounded = append(p.Rounded, a), append(p.Unrounded, b)
		if best := files[i].BestKnown; best > 0 {
			known++
			rounded, unrounded = rounded+100*(a/best-1), unrounded+100*(b/best-1)
		}
	}
	if known > 0 {
		rounded, unrounded = rounded/float64(known), unrounded/float64(known)
		p.KnownGap, p.KnownGapUnrounded = &rounded, &unrounded
	}
	return nil
}

// printEval prints the table, costs in the file's units, and, with a student, how it agrees with the teacher.
func printEval(w io.Writer, out evalOutput, t evaluate.Table) {
	printTable(w, t)
	for _, p := range out.Policies {
		if p.Cut > 0 {
			fmt.Fprintf(w, "%s: the time limit ended the search on %d of %d instances.\n", p.Name, p.Cut, out.Count)
		}
	}
	printFileCosts(w, out)
	if out.Student == nil {
		return
	}
	if a := out.Agreement; a != nil {
		fmt.Fprintf(w, "On %d states of the teacher's greedy solutions: top-1 %.1f %%, top-2 %.1f %%, coverage %.1f %%, KL %.4f nats.\n",
			a.States, 100*a.Top1, 100*a.Top2, 100*a.Coverage, a.Loss)
	}
	fmt.Fprintf(w, "Edges in common with the teacher's solutions: %.1f ± %.1f %%.\n", 100*out.Overlap.Mean, 100*out.Overlap.Std)
	if out.Student.StandIn {
		fmt.Fprintln(w, "The stand-in, not a language model, revised these programs.")
	}
}

// printFileCosts prints costs in the file's units where these are not the unit square's, and gaps to the best known solutions where there
// are any.
func printFileCosts(w io.Writer, out evalOutput) {
	units := slices.ContainsFunc(out.Files, func(f evalInstance) bool { return f.Metric != instances.Euclidean })
	if units {
		printInstances(w, out)
	}
	if out.Policies[0].KnownGap == nil {
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	if !units {
		fmt.Fprintln(tw, "\ngap to best known\t")
		for _, p := range out.Policies {
			fmt.Fprintf(tw, "%s\t%+.2f %%\n", p.Name, *p.KnownGap)
		}
		tw.Flush()
		fmt.Fprintln(w, "Means over instances of cost / best known - 1; the file's solutions are the best known. Its metric has no rounding rule.")
		return
	}
	fmt.Fprintln(tw, "\ngap to best known\trounded\tunrounded")
	for _, p := range out.Policies {
		fmt.Fprintf(tw, "%s\t%+.2f %%\t%+.2f %%\n", p.Name, *p.KnownGap, *p.KnownGapUnrounded)
	}
	tw.Flush()
	fmt.Fprintln(w, "Means over instances of cost / best known - 1. Best known costs are rounded as the file's metric says; unrounded lengths may fall below.")
}

// printInstances prints a line per instance with the costs of teacher, student and baselines.
func printInstances(w io.Writer, out evalOutput) {
	var shown []evalPolicy
	head := []string{"\ninstance", "nodes", "metric", "best known"}
	for _, p := range out.Policies {
		if p.Kind != evaluate.KindHeuristic {
			shown, head = append(shown, p), append(head, p.Name+": rounded", "unrounded", "gap")
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, strings.Join(head, "\t"))
	for i, f := range out.Files {
		cells := []string{f.Name, fmt.Sprint(f.Nodes), string(f.Metric), "?"}
		if f.BestKnown > 0 {
			cells[3] = fmt.Sprint(f.BestKnown)
		}
		for _, p := range shown {
			gap := "?"
			if f.BestKnown > 0 {
				gap = fmt.Sprintf("%+.2f %%", 100*(p.Rounded[i]/f.BestKnown-1))
			}
			cells = append(cells, fmt.Sprint(p.Rounded[i]), fmt.Sprintf("%.2f", p.Unrounded[i]), gap)
		}
		fmt.Fprintln(tw, strings.Join(cells, "\t"))
	}
	tw.Flush()
	fmt.Fprintln(w, "Costs in the file's units: by its metric's rounding rule, edge by edge, with the gap to the best known cost by the same rule; and unrounded.")
}
