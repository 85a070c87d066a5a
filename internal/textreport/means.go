package textreport

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// meansTable prints everybody's mean cost in the file's units, which no metric rounds.
func meansTable(w io.Writer, out testset.Outcome) {
	fmt.Fprintf(w, "\n%s, %s\n", filepath.Base(out.Instances), out.Decode.Words())
	var table terminal.Table
	table.Row("policy", "in the file's units")
	for _, p := range out.Policies {
		s := bootstrap.Summarise(p.Unrounded, out.Seed)
		table.Row(p.Name, fmt.Sprintf("%.4f ± %.3f", s.Mean, s.Std))
	}
	table.Fprint(w)
	fmt.Fprintln(w, "The file's coordinates are not in the unit square: each instance by itself is scaled to it, so "+
		"that means in the file's units\n"+
		"weigh the instances otherwise.")
}

// gapsTable prints mean gaps to the best known solutions.
func gapsTable(w io.Writer, modes []testset.Outcome) {
	units, head := modes[0].OwnUnits(), []string{"gap to best known"}
	for _, out := range modes {
		if head = append(head, out.Decode.Words()); units {
			head[len(head)-1] += ", rounded"
			head = append(head, "unrounded")
		}
	}
	fmt.Fprintln(w)
	var table terminal.Table
	table.Row(head...)
	cell := func(s *bootstrap.Summary) string {
		return strings.TrimSpace(decimal.Gap(s.Mean) + " " + intervalCell(s.N, s.CI, 1, 2))
	}
	for _, p := range modes[0].Policies {
		cells := []string{p.Name}
		for _, out := range modes {
			for _, q := range out.Policies {
				if q.Name != p.Name || q.Kind != p.Kind {
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
	if n := modes[0].Policies[0].KnownGap.N; n > 1 {
		fmt.Fprintf(w, "Means of cost / best known - 1 over %d instances, with 95 %% bootstrap interval. ", n)
	} else {
		fmt.Fprint(w, "cost / best known - 1 of one instance. ")
	}
	if units {
		fmt.Fprintln(w, "Best known costs are rounded as the file's metric says; unrounded lengths may fall below.")
	} else {
		fmt.Fprintln(w, "The file's solutions are the best known. Its metric has no rounding rule.")
	}
}
