package paper

import (
	"fmt"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
)

// Differences lists how results for a teacher's students differ, or may differ, from the paper's in the way they were
// obtained. The list holds for every experiment.
func Differences(arch string, search evaluate.Mode, m *distilled.Manifest) []string {
	out := []string{"The paper gives neither its instances nor their number."}
	if want := Search(arch); want == evaluate.MultiStart && search != want {
		out = append(out, fmt.Sprintf("Search is %s here, %s in the paper.", search.Words(), want.Words()))
	} else if arch == "lehd" {
		out = append(out, fmt.Sprintf("Search is %s here; the paper searches by random re-construct and does not "+
			"say how many rounds.", search.Words()))
	}
	if m == nil {
		return append(out, "There is no student: name one with --student.")
	}
	if m.Start != "" {
		out = append(out, "The student's greedy tours begin where its start rule says; the paper says nothing of "+
			"first nodes.")
	}
	if words := m.WriterWords("the student's programs"); words != "" {
		out = append(out, words)
	}
	return out
}
