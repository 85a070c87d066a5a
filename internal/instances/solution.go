package instances

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/epb-nco/epb/internal/routing"
)

// SolutionExtension is the extension of a file with a solution as Solution writes it: ".tour" or ".sol".
func SolutionExtension(problem routing.Problem) string { return formatsOf(problem).library.written }

// Solution returns a solution of the instance as TSPLIB or CVRPLIB writes it. Its cost is by the file's metric.
// ParseTour and ParseSolution read it back.
func (f *File) Solution(actions []int32) (string, error) {
	cost, _, err := f.Cost(actions)
	if err != nil {
		return "", err
	}
	return formatsOf(f.Instance.Problem).library.writeSolution(f.Instance.Name, actions, cost), nil
}

// writeTour writes a tour as TSPLIB does. Node 0 is number 1 of the file.
func writeTour(name string, tour []int32, cost float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME : %s\nCOMMENT : length %s\nTYPE : TOUR\nDIMENSION : %d\nTOUR_SECTION\n", oneLine(name),
		shortest(cost), len(tour))
	for _, a := range tour {
		fmt.Fprintln(&b, a+1)
	}
	b.WriteString("-1\nEOF\n")
	return b.String()
}

// writeRoutes writes routes as CVRPLIB does: the depot is left out, and customer c is number c.
func writeRoutes(_ string, actions []int32, cost float64) string {
	var b strings.Builder
	for r, route := range routing.Routes(actions) {
		fmt.Fprintf(&b, "Route #%d:", r+1)
		for _, c := range route {
			fmt.Fprintf(&b, " %d", c)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "Cost %s\n", shortest(cost))
	return b.String()
}

// oneLine returns a name without what would end its line or move a terminal's cursor.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, name)
}

func shortest(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
