package instances

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// unitScale is what Write multiplies the coordinates of a Euclidean instance by: libraries know whole edge lengths only.
const unitScale = 1e6

// Write writes the instance in the layout of TSPLIB, or of CVRPLIB for a CVRP. An instance with the Euclidean metric becomes EUC_2D with
// coordinates a million times as large, which its comment says; any other is read back as it was.
func (f *File) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	in, n := &f.Instance, f.Instance.N()
	library := &formatsOf(in.Problem).library
	metric, scale := f.Metric, 1.0
	fmt.Fprintf(b, "NAME : %s\nTYPE : %s\n", oneLine(in.Name), library.kind)
	switch {
	case metric == Euclidean:
		metric, scale = Euc2D, unitScale
		fmt.Fprintf(b, "COMMENT : coordinates times %v\n", int(unitScale))
	case library.bestInComment && f.BestKnown > 0:
		fmt.Fprintf(b, "COMMENT : best known value: %s\n", number(f.BestKnown))
	}
	fmt.Fprintf(b, "DIMENSION : %d\nEDGE_WEIGHT_TYPE : %s\n", n, metric)
	if library.writeFields != nil {
		library.writeFields(b, in)
	}
	places := "NODE_COORD_SECTION"
	if metric == Explicit {
		fmt.Fprintf(b, "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nDISPLAY_DATA_TYPE : TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n")
		for i := range n {
			row := make([]string, n)
			for j := range row {
				row[j] = number(f.weights[i*n+j])
			}
			fmt.Fprintln(b, strings.Join(row, " "))
		}
		places = "DISPLAY_DATA_SECTION"
	}
	fmt.Fprintln(b, places)
	for i := range n {
		fmt.Fprintf(b, "%d %s %s\n", i+1, number(scale*f.Coords[2*i]), number(scale*f.Coords[2*i+1]))
	}
	if library.writeSections != nil {
		library.writeSections(b, in)
	}
	fmt.Fprintln(b, "EOF")
	return b.Flush()
}

// number prints the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// oneLine keeps a name from becoming another line of the file.
func oneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

// WriteSolution writes a solution of the instance: a TSPLIB tour, or a CVRPLIB solution with its cost by the file's metric.
func (f *File) WriteSolution(w io.Writer, actions []int32) error {
	rounded, _, err := f.Cost(actions)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	formatsOf(f.Instance.Problem).library.writeSolution(b, f.Instance.Name, actions, rounded)
	return b.Flush()
}
