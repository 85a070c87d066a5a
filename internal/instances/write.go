package instances

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// unitScale is what Write multiplies the coordinates of a Euclidean instance by: libraries know whole edge lengths only.
const unitScale = 1e6

// Write writes the instance as TSPLIB, or CVRPLIB if it is a CVRP. An instance with the Euclidean metric becomes EUC_2D with
// coordinates a million times as large, which its comment says; any other is read back as it was.
func (f *File) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	in, n := &f.Instance, f.Instance.N()
	kind, metric, scale := "TSP", f.Metric, 1.0
	if in.Problem == routing.CVRP {
		kind = "CVRP"
	}
	fmt.Fprintf(b, "NAME : %s\nTYPE : %s\n", oneLine(in.Name), kind)
	switch {
	case metric == Euclidean:
		metric, scale = Euc2D, unitScale
		fmt.Fprintf(b, "COMMENT : coordinates times %v\n", int(unitScale))
	case kind == "CVRP" && f.BestKnown > 0:
		fmt.Fprintf(b, "COMMENT : best known value: %s\n", number(f.BestKnown))
	}
	fmt.Fprintf(b, "DIMENSION : %d\nEDGE_WEIGHT_TYPE : %s\n", n, metric)
	if in.Problem == routing.CVRP {
		fmt.Fprintf(b, "CAPACITY : %d\n", in.Capacity)
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
	if in.Problem == routing.CVRP {
		fmt.Fprintln(b, "DEMAND_SECTION")
		for i, d := range in.Demand {
			fmt.Fprintf(b, "%d %d\n", i+1, d)
		}
		fmt.Fprint(b, "DEPOT_SECTION\n1\n-1\n")
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
	if f.Instance.Problem == routing.TSP {
		fmt.Fprintf(b, "NAME : %s.tour\nTYPE : TOUR\nCOMMENT : length %s\nDIMENSION : %d\nTOUR_SECTION\n",
			oneLine(f.Instance.Name), number(rounded), len(actions))
		for _, a := range actions {
			fmt.Fprintln(b, a+1)
		}
		fmt.Fprint(b, "-1\nEOF\n")
		return b.Flush()
	}
	for k, route := range cvrp.Routes(actions) {
		fmt.Fprintf(b, "Route #%d:", k+1)
		for _, c := range route {
			fmt.Fprintf(b, " %d", c)
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintf(b, "Cost %s\n", number(rounded))
	return b.Flush()
}
