package textreport

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// instanceTable prints a line per instance: the best known cost beside those of teacher and student, and the gaps of
// the baselines, or their costs where no best cost is known.
func instanceTable(w io.Writer, out testset.Outcome) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	head, shown, named, known := []string{"instance", "nodes", "metric"}, []testset.Policy{}, 0,
		out.Policies[0].KnownGap != nil
	if known {
		head = append(head, "best known")
	}
	for _, kind := range []evaluate.Kind{evaluate.KindTeacher, evaluate.KindStudent} {
		if i := slices.IndexFunc(out.Policies, func(p testset.Policy) bool { return p.Kind == kind }); i >= 0 {
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
	fmt.Fprint(w, belowBest(out.Teacher.Problem, testset.BelowBest(out.Teacher.Problem, out.Files, shown)))
}

// belowBest returns a line that names the instances that were solved below the best known cost, "" if there are none.
func belowBest(problem routing.Problem, below []string) string {
	if len(below) == 0 {
		return ""
	}
	what := "Below the best known cost"
	if problems.Must(problem).Traits().Depot {
		what += ", which may hold for the number of vehicles in the name only"
	}
	return fmt.Sprintf("%s: %s.\n", what, strings.Join(below, ", "))
}
