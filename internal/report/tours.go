package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// tourPair is a TourPair drawn in the square [0,100]², y upwards.
type tourPair struct {
	Instance         string
	Routes           bool // the problem has a depot
	Overlap          float64
	TeacherCost      float64
	StudentCost      float64
	Nodes            []point
	StartT, StartS   point
	Teacher, Student []edge
	Steps            []step
	Decisions        int      // of the student; a step with one feasible action is not a decision
	Deviations       int      // of these, not to the nearest node
	Ties             int      // of these, with a tie: see routing.Tie
	Leaders          []legend // by the decisions they drove, the most first
}

type point struct{ X, Y float64 }

type edge struct {
	From, To point
	Class    string
	Tied     string // class of the program with the second-largest weight in a tie, else ""
	Shared   bool   // in the other tour too
	Deviates bool   // not to the nearest node
	Label    string
	Note     string
}

// step is one cell of the strip under the student's tour.
type step struct {
	Class   string
	Deviate bool // not to the nearest node
	Tie     bool // see routing.Tie
	Note    string
}

// legend is a program that drove some decisions (paper, figure "POMO-TSP-100 Case study").
type legend struct {
	Index             int
	Name, Class, Rule string
	Steps, Deviations int
}

// cast are the programs that drive the edges of a drawing.
type cast struct {
	heuristics []bank.Heuristic
	colour     []string // class of each
}

// drawTours lays out both tours, or both solutions of a problem with a depot. The student's edges have the colour of
// the program that drove them, and its label if they do not go to the nearest node. A solution of CVRP is closed by the
// edge from its last action to its first, as a tour is: the actions [1 2 0 3 0] have the edges 1-2, 2-0, 0-3, 3-0 and
// 0-1.
func drawTours(p TourPair, heuristics []bank.Heuristic, colour []string) tourPair {
	out := tourPair{Instance: p.Instance, Overlap: p.Overlap, TeacherCost: p.Teacher.Cost, StudentCost: p.Student.Cost}
	if problem, err := problems.Of(p.Problem); err == nil {
		out.Routes = problem.Traits().Depot
	}
	inst := routing.Instance{Problem: p.Problem, Coords: p.Coords}
	for i := range inst.N() {
		x, y := inst.XY(i)
		out.Nodes = append(out.Nodes, point{round1(4 + 92*float64(x)), round1(4 + 92*float64(1-y))})
	}
	all := cast{heuristics, colour}
	out.Teacher = draw(out.Nodes, p.Teacher.Actions, p.Student.Actions, func(e *edge, _ int) { e.Class = "teacher" })
	out.Student = draw(out.Nodes, p.Student.Actions, p.Teacher.Actions, all.driver(p.Student.Steps))
	out.count(p.Student.Steps, all)
	if len(p.Teacher.Actions) > 0 && len(p.Student.Actions) > 0 {
		out.StartT, out.StartS = out.Nodes[p.Teacher.Actions[0]], out.Nodes[p.Student.Actions[0]]
		if out.Routes {
			out.StartT, out.StartS = out.Nodes[0], out.Nodes[0]
		}
	}
	return out
}

// draw returns the edges of a tour. Those in the other tour too are shared, and style gives each its looks, by the step
// that goes to its end.
func draw(nodes []point, tour, other []int32, style func(e *edge, to int)) (drawn []edge) {
	shared := edges(other)
	for t, a := range tour {
		to := (t + 1) % len(tour)
		e := edge{From: nodes[a], To: nodes[tour[to]], Shared: shared[undirected(a, tour[to])]}
		style(&e, to)
		drawn = append(drawn, e)
	}
	return drawn
}

// drives reports whether a program of the cast decided a step.
func (c cast) drives(s evaluate.StepExplanation) bool {
	return s.Leader >= 0 && s.Leader < len(c.heuristics) && s.Leader < len(s.Weights)
}

// driver returns what gives an edge of the student the looks of the program that drove it.
func (c cast) driver(steps []evaluate.StepExplanation) func(e *edge, to int) {
	decided := map[int]evaluate.StepExplanation{}
	for _, s := range steps {
		if c.drives(s) {
			decided[s.Step] = s
		}
	}
	return func(e *edge, to int) {
		s, ok := decided[to]
		if !ok {
			e.Class = "forced"
			return
		}
		e.Class, e.Note, e.Deviates = c.colour[s.Leader], c.heuristics[s.Leader].Name, !s.Nearest
		if m := tied(s); m >= 0 {
			e.Tied, e.Note = c.colour[m], e.Note+" and "+c.heuristics[m].Name+", a tie"
			if e.Tied == e.Class { // two grey programs: one of both must look different
				e.Tied = "tint"
			}
		}
		if e.Deviates && !decided[to+1].Via {
			e.Label = bank.Label(s.Leader)
		}
	}
}

// count fills in the strip of the student's steps, counts the decisions, and lists who drove them.
func (p *tourPair) count(steps []evaluate.StepExplanation, by cast) {
	leaders := make([]legend, len(by.heuristics))
	for _, s := range steps {
		if !by.drives(s) {
			note := fmt.Sprintf("step %d: nothing to choose", s.Step)
			p.Steps = append(p.Steps, step{Class: "forced", Note: note})
			continue
		}
		m, tie := s.Leader, tied(s) >= 0
		p.Steps = append(p.Steps, step{by.colour[m], !s.Nearest, tie, stepWords(s, by.heuristics[m].Name)})
		if s.Via {
			continue
		}
		p.Decisions++
		leaders[m].Steps++
		if tie {
			p.Ties++
		}
		if !s.Nearest {
			p.Deviations++
			leaders[m].Deviations++
		}
	}
	for m, l := range leaders {
		if l.Steps > 0 {
			h := by.heuristics[m]
			rule, _, _ := strings.Cut(h.Description, "\n\n")
			p.Leaders = append(p.Leaders, legend{m, h.Name, by.colour[m], rule, l.Steps, l.Deviations})
		}
	}
	slices.SortStableFunc(p.Leaders, func(a, b legend) int { return cmp.Compare(b.Steps, a.Steps) })
}

// stepWords says who decided a step, and how clearly. Reports before consensus was counted have steps on which nobody
// agrees: they do not say it.
func stepWords(s evaluate.StepExplanation, leader string) string {
	text := fmt.Sprintf("step %d: %s, weight %.2f", s.Step, leader, s.Weights[s.Leader])
	if s.Agree > 0 || s.Margin > 0 {
		text += fmt.Sprintf(", ahead by %.2f; %d of %d agree", s.Margin, s.Agree, len(s.Weights))
	}
	return text + fmt.Sprintf("; node %d with probability %.2f", s.Action, s.Prob)
}

// tied returns the program with the second-largest weight where the leader is ahead by less than routing.Tie, else
// -1: then the leader did not decide the step by itself.
func tied(s evaluate.StepExplanation) int {
	if _, second := routing.TopTwo(s.Weights); routing.Lead(s.Weights) < routing.Tie {
		return second
	}
	return -1
}

func edges(tour []int32) map[[2]int32]bool {
	set := make(map[[2]int32]bool, len(tour))
	for t, a := range tour {
		set[undirected(a, tour[(t+1)%len(tour)])] = true
	}
	return set
}

func undirected(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }
