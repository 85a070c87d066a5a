package report

import (
	"fmt"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

// tourPair is a TourPair drawn in the square [0,100]², y upwards.
type tourPair struct {
	Instance         string
	Overlap          float64
	TeacherCost      float64
	StudentCost      float64
	Nodes            []point
	StartT, StartS   point
	Teacher, Student []edge
	Steps            []step
	Leaders          []legend // in order of the steps they drove
}

type point struct{ X, Y float64 }

type edge struct {
	From, To point
	Class    string
	Shared   bool // in the other tour too
	Note     string
}

// step is one cell of the strip under the student's tour.
type step struct {
	Class   string
	Deviate bool // not to the nearest node
	Note    string
}

type legend struct {
	Name, Class string
	Steps       int
}

// drawTours lays out both tours, or both solutions of CVRP, whose edges to and from the depot close them as they close a tour; the student's edges carry the colour of the program that drove them.
func drawTours(p TourPair, heuristics []bank.Heuristic, colour []string) tourPair {
	inst := routing.Instance{Problem: routing.TSP, Coords: p.Coords}
	out := tourPair{Instance: p.Instance, Overlap: p.Overlap, TeacherCost: p.Teacher.Cost, StudentCost: p.Student.Cost}
	for i := range inst.N() {
		x, y := inst.XY(i)
		out.Nodes = append(out.Nodes, point{round1(4 + 92*float64(x)), round1(4 + 92*float64(1-y))})
	}
	inTeacher, inStudent := edges(p.Teacher.Actions), edges(p.Student.Actions)
	for t, a := range p.Teacher.Actions {
		b := p.Teacher.Actions[(t+1)%len(p.Teacher.Actions)]
		out.Teacher = append(out.Teacher, edge{out.Nodes[a], out.Nodes[b], "teacher", inStudent[undirected(a, b)], ""})
	}
	leader := map[int]int{} // step → heuristic
	steps := make([]int, len(heuristics))
	for _, s := range p.Student.Steps {
		if m := s.Leader; m < 0 || m >= len(heuristics) || m >= len(s.Weights) {
			out.Steps = append(out.Steps, step{"forced", false, fmt.Sprintf("step %d: nothing to choose", s.Step)})
			continue
		}
		leader[s.Step] = s.Leader
		steps[s.Leader]++
		out.Steps = append(out.Steps, step{colour[s.Leader], !s.Nearest, fmt.Sprintf("step %d: %s, weight %.2f, node %d with probability %.2f",
			s.Step, heuristics[s.Leader].Name, s.Weights[s.Leader], s.Action, s.Prob)})
	}
	for t, a := range p.Student.Actions {
		b := p.Student.Actions[(t+1)%len(p.Student.Actions)]
		e := edge{out.Nodes[a], out.Nodes[b], "forced", inTeacher[undirected(a, b)], ""}
		if m, ok := leader[(t+1)%len(p.Student.Actions)]; ok {
			e.Class, e.Note = colour[m], heuristics[m].Name
		}
		out.Student = append(out.Student, e)
	}
	for m, n := range steps {
		if n > 0 {
			out.Leaders = append(out.Leaders, legend{heuristics[m].Name, colour[m], n})
		}
	}
	if len(p.Teacher.Actions) > 0 && len(p.Student.Actions) > 0 {
		out.StartT, out.StartS = out.Nodes[p.Teacher.Actions[0]], out.Nodes[p.Student.Actions[0]]
		if p.Problem == routing.CVRP {
			out.StartT, out.StartS = out.Nodes[0], out.Nodes[0]
		}
	}
	return out
}

func edges(tour []int32) map[[2]int32]bool {
	set := make(map[[2]int32]bool, len(tour))
	for t, a := range tour {
		set[undirected(a, tour[(t+1)%len(tour)])] = true
	}
	return set
}

func undirected(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }
