package textreport

import (
	"bytes"
	"testing"

	"github.com/epb-nco/epb/internal/readable"
)

// The heaviest terms are printed, and how many there are in all. Where all are shown, nothing is said of others.
func TestRouter(t *testing.T) {
	d := readable.Description{
		Count: 2, ProgramCount: 2,
		Products: []readable.Term{
			{Says: "Late in the tour, trust who proposes isolated cities.", Weight: -1.5}, {Says: "Trust who is sure."},
		},
		Programs: []readable.Term{
			{Says: "`near` is trusted late in the tour.", Weight: 0.25}, {Says: "`far` is trusted early in the tour."},
		},
	}
	var b bytes.Buffer
	Router(&b, d, 1)
	const want = "The router trusts a program by what it proposes, with 2 products. The heaviest 1 of 2:" + `
   1.50  Late in the tour, trust who proposes isolated cities.
It also trusts some programs more than others, whatever they propose, with 2 terms. The heaviest 1 of 2:
   0.25  ` + "`near` is trusted late in the tour.\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
