package instances

import (
	"archive/zip"

	"github.com/epb-nco/epb/internal/routing"
)

// formats describes the files of one problem. The values of this type hold all differences between problems: tsp.go,
// cvrp.go.
type formats struct {
	problem routing.Problem
	library library
	lines   []lineFormat
	arrays  arrayFormat
}

// allFormats holds the formats of all problems whose files can be read. A later problem's instances have all
// attributes of an earlier one's and more. If a file does not name its problem, the last problem is tried first.
var allFormats = []formats{tspFormats, cvrpFormats}

// library describes how TSPLIB or CVRPLIB writes the instances and solutions of a problem.
type library struct {
	kind          string   // TYPE of an instance
	extension     string   // of an instance's file
	solutions     []string // extensions of the solutions that lie beside it, the best first
	sections      []string // sections that instances have beside those of known
	bestInComment bool     // the COMMENT gives the cost of the best known solution

	// optima are those of the public instances, by name, whose first number is that of the nodes.
	optima map[string]int

	// read fills in the attributes of in, an instance of n nodes. Coordinates and edge weights are read elsewhere.
	read func(s *spec, n int, in *routing.Instance) error
	// parseSolution reads a solution with its cost, 0 where its file does not give it.
	parseSolution func(name string, data []byte) (actions []int32, cost float64, err error)

	written string // extension of the solutions that writeSolution writes
	// writeSolution returns the text of a solution that parseSolution reads. name is the instance's.
	writeSolution func(name string, actions []int32, cost float64) string
}

// lineFormat is a text set with one instance in each line.
type lineFormat struct {
	// holds reports whether a first line, without blanks around it, is one of this set.
	holds func(first string) bool
	parse func(source, name, line string) (File, error)
}

// arrayFormat is a set of named arrays, each with one entry for each instance (npz, pickle, PyTorch).
type arrayFormat struct {
	// holds reports whether the arrays are a set of this problem.
	holds func(arrays map[string]array) bool
	// read makes instances named "name[i]". They are not validated, so that they may be scaled first; arrays are:
	// types, shapes, and whole numbers where these are wanted.
	read func(name string, arrays map[string]array) ([]routing.Instance, error)
	// coordinates returns those of instance i as the file has them, the depot first.
	coordinates func(arrays map[string]array, i int) []float64
	// write adds instances of one size to an archive.
	write func(z *zip.Writer, insts []routing.Instance) error
}

// formatsOf returns the formats of a problem, nil if its files cannot be read.
func formatsOf(problem routing.Problem) *formats {
	for i := range allFormats {
		if allFormats[i].problem == problem {
			return &allFormats[i]
		}
	}
	return nil
}

// libraryOf returns the formats whose library has instances of a TYPE, nil if there are none.
func libraryOf(kind string) *formats {
	for i := range allFormats {
		if allFormats[i].library.kind == kind {
			return &allFormats[i]
		}
	}
	return nil
}
