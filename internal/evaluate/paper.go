package evaluate

import (
	"cmp"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/routing"
)

// PaperRow is a row of the paper's table 1 (teacher vs. student) or 3 (unseen sizes): mean costs, and their gap in per cent.
type PaperRow struct {
	Setting
	Greedy, Search PaperCells
}

// PaperCells are the three numbers of one way to decode.
type PaperCells struct{ Teacher, Student, Gap float64 }

// PaperOverlap is a row of the paper's table of undirected edge overlap: mean and standard deviation over instances, in per cent.
type PaperOverlap struct {
	Setting
	Greedy, GreedyStd, Search, SearchStd float64
}

// Setting is what must be the same for two results to be compared. The instances are uniform in the unit square.
type Setting struct {
	Arch    string // of the teacher, as teacher.Info has it
	Problem routing.Problem
	Size    int  // nodes; in CVRP customers
	Unseen  bool // the student learned from another size
}

// PaperTable1 is the paper's table 1, "Teacher vs. Student on TSP and CVRP".
var PaperTable1 = []PaperRow{
	{Setting{"pomo", routing.TSP, 50, false}, PaperCells{5.712, 5.884, 3.02}, PaperCells{5.696, 5.698, 0.03}},
	{Setting{"pomo", routing.TSP, 100, false}, PaperCells{7.834, 8.130, 3.79}, PaperCells{7.796, 7.803, 0.10}},
	{Setting{"pomo", routing.CVRP, 50, false}, PaperCells{11.536, 11.655, 1.03}, PaperCells{10.793, 10.807, 0.13}},
	{Setting{"pomo", routing.CVRP, 100, false}, PaperCells{16.188, 16.826, 3.94}, PaperCells{15.882, 16.080, 1.25}},
	{Setting{"lehd", routing.TSP, 100, false}, PaperCells{7.758, 7.962, 2.63}, PaperCells{7.708, 7.739, 0.40}},
	{Setting{"lehd", routing.CVRP, 100, false}, PaperCells{16.282, 16.857, 3.60}, PaperCells{15.969, 16.314, 2.16}},
}

// PaperTable3 is the paper's table 3, "Out-of-distribution generalization results on unseen problem sizes".
var PaperTable3 = []PaperRow{
	{Setting{"pomo", routing.TSP, 500, true}, PaperCells{22.180, 18.852, -15.01}, PaperCells{20.464, 17.532, -14.32}},
	{Setting{"pomo", routing.CVRP, 500, true}, PaperCells{50.600, 43.579, -13.57}, PaperCells{48.502, 41.030, -15.22}},
	{Setting{"lehd", routing.TSP, 50, true}, PaperCells{5.761, 5.919, 2.74}, PaperCells{5.728, 5.729, 0.03}},
	{Setting{"lehd", routing.TSP, 500, true}, PaperCells{16.820, 17.628, 4.80}, PaperCells{16.586, 17.138, 3.33}},
}

// PaperOverlaps is the paper's table "Undirected edge overlap" between teacher and student tours.
var PaperOverlaps = []PaperOverlap{
	{Setting{"pomo", routing.TSP, 50, false}, 81.0, 9.3, 92.2, 8.4},
	{Setting{"pomo", routing.TSP, 100, false}, 78.9, 6.6, 86.6, 7.1},
	{Setting{"lehd", routing.TSP, 100, false}, 79.5, 6.2, 91.7, 6.7},
}

// PaperSearch returns the paper's search for students of a teacher: multi-start, for LEHD random re-construct, of which
// it does not give the number of rounds.
func PaperSearch(arch string) Mode {
	if arch == "lehd" {
		return ReconstructOf(100)
	}
	return MultiStart
}

// Closest returns which of the paper's settings results in s are best read beside: of the same problem, then of a size seen or
// unseen as in s, of the same teacher and of the closest size; -1 if none is of the problem. differs names what is not the same.
func Closest(s Setting, paper []Setting) (at int, differs []string) {
	apart := func(same bool) int {
		if same {
			return 0
		}
		return 1
	}
	at = -1
	compare := func(a, b Setting) int {
		distance := func(x Setting) float64 { return math.Abs(math.Log(float64(x.Size) / float64(s.Size))) }
		return cmp.Or(apart(a.Unseen == s.Unseen)-apart(b.Unseen == s.Unseen), apart(a.Arch == s.Arch)-apart(b.Arch == s.Arch),
			cmp.Compare(distance(a), distance(b)))
	}
	for i, p := range paper {
		if p.Problem == s.Problem && (at < 0 || compare(p, paper[at]) < 0) {
			at = i
		}
	}
	if at < 0 {
		return at, nil
	}
	for _, d := range []struct {
		same bool
		name string
	}{{paper[at].Arch == s.Arch, "teacher"}, {paper[at].Size == s.Size, "size"}, {paper[at].Unseen == s.Unseen, "training"}} {
		if !d.same {
			differs = append(differs, d.name)
		}
	}
	return at, differs
}

// Differences says in what results for a teacher's students are not, or may not be, found as the paper's were, whatever the setting.
func Differences(arch string, search Mode, m *Manifest) []string {
	out := []string{"The paper gives neither its instances nor their number."}
	if want := PaperSearch(arch); want == MultiStart && search != want {
		out = append(out, fmt.Sprintf("Search is %s here, %s in the paper.", search.Words(), want.Words()))
	} else if arch == "lehd" {
		out = append(out, fmt.Sprintf("Search is %s here; the paper searches by random re-construct and does not say how many rounds.", search.Words()))
	}
	if m == nil {
		return append(out, "There is no student: name one with --student.")
	}
	if m.Start != "" {
		out = append(out, "The student's greedy tours begin where its start rule says; the paper says nothing of first nodes.")
	}
	if words := m.WriterWords("the student's programs"); words != "" {
		out = append(out, words)
	}
	return out
}
