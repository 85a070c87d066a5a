package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
)

// evalOutput is what --json prints.
type evalOutput struct {
	Version   string             `json:"epb_version"`
	Kernels   string             `json:"kernels"`
	Instances string             `json:"instances"`
	Count     int                `json:"count"`
	Nodes     int                `json:"nodes"`    // of the largest instance
	Measured  string             `json:"measured"` // what cost and gap of the policies are in: "in the unit square" or "in the file's units"
	Notes     []string           `json:"notes,omitempty"`
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
	Span      float64          `json:"span"`                 // in the file's units, of the coordinates that were scaled to the unit square
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
	KnownGap          *evaluate.Summary `json:"gap_to_best_known_rounded,omitempty"`
	KnownGapUnrounded *evaluate.Summary `json:"gap_to_best_known_unrounded,omitempty"`
}

// newEvalOutput returns what was found on a set in a mode.
func newEvalOutput(f evalFlags, in evalInput, r evalResult, mode evaluate.Mode) (evalOutput, error) {
	c, reading := r.c, r.reading
	out := evalOutput{
		Version: version.Commit(), Kernels: tensorops.CurrentIdentity().String(),
		Instances: r.set.path, Count: c.Table.Instances, Decode: mode, Start: c.Table.Start, Seed: f.seed,
		Teacher: in.teacher.Info(), Measured: r.set.measured(), Notes: r.set.notes(),
	}
	for i := range r.set.files {
		file := &r.set.files[i]
		out.Files = append(out.Files, evalInstance{file.Instance.Name, file.Instance.N(), file.Metric, file.Span, file.BestKnown})
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
		if err := p.measure(r.set.files, f.seed); err != nil {
			return out, err
		}
		out.Policies = append(out.Policies, p)
	}
	return out, nil
}

// measure fills in the costs in the files' units.
func (p *evalPolicy) measure(files []instances.File, seed uint64) error {
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
		a, b := evaluate.Summarise(rounded, seed), evaluate.Summarise(unrounded, seed)
		p.KnownGap, p.KnownGapUnrounded = &a, &b
	}
	return nil
}

// printHeading names what follows.
func printHeading(w io.Writer, first bool, text string) {
	if !first {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\n\n", text)
}

// printEval prints the table, costs in the file's units, and, with a student, how it agrees with the teacher.
func printEval(w io.Writer, out evalOutput, t evaluate.Table) {
	if len(out.Files) == 1 && (out.units() || out.scaled()) {
		printOne(w, out)
		printCuts(w, out)
	} else {
		printTable(w, t, out.Measured)
		printCuts(w, out)
		printFileCosts(w, out)
	}
	printNotes(w, out)
	if out.Student == nil {
		return
	}
	if a := out.Agreement; a != nil {
		fmt.Fprintf(w, "On %d states of the teacher's greedy solutions: top-1 %.1f %%, top-2 %.1f %%, coverage %.1f %%, KL %.4f nats.\n",
			a.States, 100*a.Top1, 100*a.Top2, 100*a.Coverage, a.Loss)
	}
	if words := otherTeacher(*out.Student, out.Policies[0].Name); words != "" {
		fmt.Fprintln(w, words)
	}
	fmt.Fprintf(w, "Edges in common with the teacher's solutions: %.1f ± %.1f %%.\n", 100*out.Overlap.Mean, 100*out.Overlap.Std)
	if words := out.Student.WriterWords("these programs"); words != "" {
		fmt.Fprintln(w, words)
	}
}

// otherTeacher says that the student learned from another teacher than the one it is compared with, or nothing.
func otherTeacher(student evaluate.Manifest, teacher string) string {
	if student.Teacher == "" || student.Teacher == teacher {
		return ""
	}
	return fmt.Sprintf("The student was distilled from %s: its gaps are to another teacher, %s.", student.Teacher, teacher)
}

// printCuts says where the time limit ended a search.
func printCuts(w io.Writer, out evalOutput) {
	for _, p := range out.Policies {
		if p.Cut > 0 {
			fmt.Fprintf(w, "%s: the time limit ended the search on %d of %d instances.\n", p.Name, p.Cut, out.Count)
		}
	}
}

// units says whether a metric of the file's own measures costs, in its units.
func (out evalOutput) units() bool {
	return slices.ContainsFunc(out.Files, func(f evalInstance) bool { return f.Metric != instances.Euclidean })
}

// scaled says whether the unit square's costs are not those of the file's coordinates.
func (out evalOutput) scaled() bool {
	return slices.ContainsFunc(out.Files, func(f evalInstance) bool { return f.Span != 1 })
}

// printFileCosts prints what was found in some modes, costs in the file's units where these are not the unit square's, and gaps to the best
// known solutions where there are any.
func printFileCosts(w io.Writer, modes ...evalOutput) {
	for _, out := range modes {
		switch {
		case out.units():
			printInstances(w, out)
		case out.scaled():
			printMeans(w, out)
		}
	}
	if modes[0].Policies[0].KnownGap != nil {
		printGaps(w, modes)
	}
}

// printMeans prints everybody's mean cost in the file's units, which no metric rounds.
func printMeans(w io.Writer, out evalOutput) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	var table terminal.Table
	table.Row("policy", "in the file's units")
	for _, p := range out.Policies {
		s := evaluate.Summarise(p.Unrounded, out.Seed)
		table.Row(p.Name, fmt.Sprintf("%.4f ± %.3f", s.Mean, s.Std))
	}
	table.Fprint(w)
	fmt.Fprintln(w, "The file's coordinates are not in the unit square: each instance by itself is scaled to it, so that means in the file's units\n"+
		"weigh the instances otherwise.")
}

// printGaps prints mean gaps to the best known solutions.
func printGaps(w io.Writer, modes []evalOutput) {
	units, head := modes[0].units(), []string{"gap to best known"}
	for _, out := range modes {
		if head = append(head, out.Decode.Words()); units {
			head[len(head)-1] += ", rounded"
			head = append(head, "unrounded")
		}
	}
	fmt.Fprintln(w)
	var table terminal.Table
	table.Row(head...)
	cell := func(s *evaluate.Summary) string {
		return fmt.Sprintf("%+.2f %% %s", s.Mean, intervalCell(s.CI, 1, 2))
	}
	for _, p := range modes[0].Policies {
		cells := []string{p.Name}
		for _, out := range modes {
			for _, q := range out.Policies {
				if q.Name != p.Name {
					continue
				}
				if cells = append(cells, cell(q.KnownGap)); units {
					cells = append(cells, cell(q.KnownGapUnrounded))
				}
			}
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	fmt.Fprintf(w, "Means of cost / best known - 1 over %d instances, with 95 %% bootstrap interval. ", modes[0].Policies[0].KnownGap.N)
	if units {
		fmt.Fprintln(w, "Best known costs are rounded as the file's metric says; unrounded lengths may fall below.")
	} else {
		fmt.Fprintln(w, "The file's solutions are the best known. Its metric has no rounding rule.")
	}
}

// printInstances prints a line per instance: the best known cost beside those of teacher and student, and the gaps of the
// baselines, or their costs where no best cost is known.
func printInstances(w io.Writer, out evalOutput) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	head, shown, named, known := []string{"instance", "nodes", "metric"}, []evalPolicy{}, 0, out.Policies[0].KnownGap != nil
	if known {
		head = append(head, "best known")
	}
	for _, kind := range []evaluate.Kind{evaluate.KindTeacher, evaluate.KindStudent} {
		if i := slices.IndexFunc(out.Policies, func(p evalPolicy) bool { return p.Kind == kind }); i >= 0 {
			shown, head, named = append(shown, out.Policies[i]), append(head, string(kind), "unrounded"), named+1
			if known {
				head = append(head, "gap")
			}
		}
	}
	for _, p := range out.Policies {
		if p.Kind == evaluate.KindBaseline {
			shown, head = append(shown, p), append(head, p.Name)
		}
	}
	var table terminal.Table
	table.Row(head...)
	for i, f := range out.Files {
		cells := []string{f.Name, fmt.Sprint(f.Nodes), string(f.Metric)}
		if known {
			best := "?"
			if f.BestKnown > 0 {
				best = costCell(f.BestKnown)
			}
			cells = append(cells, best)
		}
		for k, p := range shown {
			gap := gapCell(p.Rounded[i], f.BestKnown)
			if k < named {
				cells = append(cells, costCell(p.Rounded[i]), fmt.Sprintf("%.2f", p.Unrounded[i]))
			} else if f.BestKnown == 0 {
				gap = costCell(p.Rounded[i])
			}
			if known || k >= named {
				cells = append(cells, gap)
			}
		}
		table.Row(cells...)
	}
	table.Fprint(w)
	words := "Costs in the file's units: by its metric's rounding rule, edge by edge, and unrounded."
	switch {
	case known:
		words += " Gaps are those of rounded costs to the best known one."
	case len(shown) > named:
		words += " Those of baselines are rounded."
	}
	fmt.Fprintln(w, words)
	if below := belowBest(out, shown); len(below) > 0 {
		what := "Below the best known cost"
		if problems.Must(out.Teacher.Problem).Traits().Depot {
			what += ", which may hold for the number of vehicles in the name only"
		}
		fmt.Fprintf(w, "%s: %s.\n", what, strings.Join(below, ", "))
	}
}

// belowBest tells, by instance, the cheapest solution that costs less than the best known one.
func belowBest(out evalOutput, policies []evalPolicy) []string {
	var below []string
	for i, f := range out.Files {
		best := slices.MinFunc(policies, func(a, b evalPolicy) int { return cmp.Compare(a.Rounded[i], b.Rounded[i]) })
		if best.Rounded[i] < f.BestKnown {
			how := best.Name
			if problems.Must(out.Teacher.Problem).Traits().Depot {
				how += fmt.Sprintf(" with %d vehicles", len(routing.Routes(best.Tours[i])))
			}
			below = append(below, fmt.Sprintf("%s (%v by %s)", f.Name, best.Rounded[i], how))
		}
	}
	return below
}
