package textreport

import (
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/readable"
)

// Router prints the heaviest terms of a named router in words, at most so many of either kind.
func Router(w io.Writer, d readable.Description, most int) {
	first := d.First(most)
	fmt.Fprintf(w, "The router trusts a program by what it proposes, with %d products.%s\n", d.Count,
		which(len(first.Products), d.Count))
	for _, t := range first.Products {
		fmt.Fprintf(w, "  %5.2f  %s\n", t.Size(), t.Says)
	}
	if len(first.Programs) == 0 {
		return
	}
	fmt.Fprintf(w, "It also trusts some programs more than others, whatever they propose, with %d terms.%s\n",
		d.ProgramCount, which(len(first.Programs), d.ProgramCount))
	for _, t := range first.Programs {
		fmt.Fprintf(w, "  %5.2f  %s\n", t.Size(), t.Says)
	}
}

// which says how many of all terms follow, "" if all do.
func which(shown, all int) string {
	if shown == all {
		return ""
	}
	return fmt.Sprintf(" The heaviest %d of %d:", shown, all)
}
