// Package paper holds the paper's figures and matches this program's results to them.
package paper

import (
	"slices"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/routing"
)

// Row is a row of the paper's table 1 (teacher vs. student) or 3 (unseen sizes): mean costs, and their gap in per cent.
type Row struct {
	Experiment
	Greedy, Search Cells
}

// Cells are the three numbers of one way to decode.
type Cells struct{ Teacher, Student, Gap float64 }

// Overlap is a row of the paper's table of undirected edge overlap: mean and standard deviation over instances, in per
// cent.
type Overlap struct {
	Experiment
	Greedy, GreedyStd, Search, SearchStd float64
}

// Experiment is what two results must have in common to be compared. The instances are uniform in the unit square.
type Experiment struct {
	Arch    string // of the teacher, as teacher.Info has it
	Problem routing.Problem
	Size    int  // nodes; in CVRP customers
	Unseen  bool // the student learned from another size
}

// Experiments returns those of Table1 and Table3.
func Experiments() (all []Experiment) {
	for _, row := range slices.Concat(Table1, Table3) {
		all = append(all, row.Experiment)
	}
	return all
}

// Table1 is the paper's table 1, "Teacher vs. Student on TSP and CVRP".
var Table1 = []Row{
	{Experiment{"pomo", routing.TSP, 50, false}, Cells{5.712, 5.884, 3.02}, Cells{5.696, 5.698, 0.03}},
	{Experiment{"pomo", routing.TSP, 100, false}, Cells{7.834, 8.130, 3.79}, Cells{7.796, 7.803, 0.10}},
	{Experiment{"pomo", routing.CVRP, 50, false}, Cells{11.536, 11.655, 1.03}, Cells{10.793, 10.807, 0.13}},
	{Experiment{"pomo", routing.CVRP, 100, false}, Cells{16.188, 16.826, 3.94}, Cells{15.882, 16.080, 1.25}},
	{Experiment{"lehd", routing.TSP, 100, false}, Cells{7.758, 7.962, 2.63}, Cells{7.708, 7.739, 0.40}},
	{Experiment{"lehd", routing.CVRP, 100, false}, Cells{16.282, 16.857, 3.60}, Cells{15.969, 16.314, 2.16}},
}

// Table3 is the paper's table 3, "Out-of-distribution generalization results on unseen problem sizes".
var Table3 = []Row{
	{Experiment{"pomo", routing.TSP, 500, true}, Cells{22.180, 18.852, -15.01}, Cells{20.464, 17.532, -14.32}},
	{Experiment{"pomo", routing.CVRP, 500, true}, Cells{50.600, 43.579, -13.57}, Cells{48.502, 41.030, -15.22}},
	{Experiment{"lehd", routing.TSP, 50, true}, Cells{5.761, 5.919, 2.74}, Cells{5.728, 5.729, 0.03}},
	{Experiment{"lehd", routing.TSP, 500, true}, Cells{16.820, 17.628, 4.80}, Cells{16.586, 17.138, 3.33}},
}

// Overlaps is the paper's table "Undirected edge overlap" between teacher and student tours.
var Overlaps = []Overlap{
	{Experiment{"pomo", routing.TSP, 50, false}, 81.0, 9.3, 92.2, 8.4},
	{Experiment{"pomo", routing.TSP, 100, false}, 78.9, 6.6, 86.6, 7.1},
	{Experiment{"lehd", routing.TSP, 100, false}, 79.5, 6.2, 91.7, 6.7},
}

// Search returns the paper's search for students of a teacher: multi-start, for LEHD random re-construct, of which
// it does not give the number of rounds.
func Search(arch string) evaluate.Mode {
	if arch == "lehd" {
		return evaluate.ReconstructOf(100)
	}
	return evaluate.MultiStart
}
