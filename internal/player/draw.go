package player

import (
	"fmt"
	"math"
	"strings"

	"github.com/epb-nco/epb/internal/explain"
)

// place returns where a node is drawn, in the square [0,100]² with y downwards.
func (v *view) place(node int32) (x, y float64) {
	return 100 * float64(v.Instance.Seen[2*node]), 100 * (1 - float64(v.Instance.Seen[2*node+1]))
}

// draw lays out the solution. A solution with a depot begins and ends there; a tour is closed by a last edge.
func (v *view) draw() {
	n := len(v.Instance.Seen) / 2
	radius := min(1.1, max(0.3, 11/math.Sqrt(float64(n)+1)*0.55))
	v.Radius = fixed(radius, 2)
	for i := range n {
		x, y := v.place(int32(i))
		v.Nodes = append(v.Nodes, node{i, fixed(x, 2), fixed(y, 2), v.Node(int32(i)), v.HasDepot() && i == 0})
	}
	for i := range v.Steps {
		s := &v.Steps[i]
		e := v.edge(s.From, s.Action, i, radius)
		if s.Decided() && !(v.Along && s.Parts()) { // else the student would not take the edge
			e.Class = v.Colours[s.Leader]
			switch {
			case s.Outvoted():
				e.Tied = v.Colours[s.Votes()[0].Program]
			case s.LeaderTie:
				e.Tied = v.Colours[s.Second]
			}
			if e.Tied == e.Class { // two grey programs: one of both must look different
				e.Tied = "paper"
			}
		}
		v.Edges = append(v.Edges, e)
	}
	if k := len(v.Actions); k > 1 && v.Actions[0] != v.Actions[k-1] && !v.HasDepot() {
		v.Edges = append(v.Edges, v.edge(v.Actions[k-1], v.Actions[0], -1, radius))
	}
}

// edge draws a way with the head of an arrow just behind its middle.
func (v *view) edge(from, to int32, step int, radius float64) edge {
	ax, ay := v.place(from)
	bx, by := v.place(to)
	length := max(math.Hypot(bx-ax, by-ay), 1e-9)
	ux, uy := (bx-ax)/length, (by-ay)/length
	size := min(1.6*radius, length/2)
	tipX, tipY := (ax+bx)/2+ux*size, (ay+by)/2+uy*size
	corner := func(side float64) string {
		return fixed(tipX-2*size*ux-side*size*uy, 2) + " " + fixed(tipY-2*size*uy+side*size*ux, 2)
	}
	return edge{
		X1: fixed(ax, 2), Y1: fixed(ay, 2), X2: fixed(bx, 2), Y2: fixed(by, 2), Step: step, Class: "forced",
		Arrow: "M" + fixed(tipX, 2) + " " + fixed(tipY, 2) + "L" + corner(1) + "L" + corner(-1) + "Z",
	}
}

// tabulate fills in the static table.
func (v *view) tabulate() {
	for i := range v.Steps {
		s := &v.Steps[i]
		r := row{Step: s, Index: i, From: v.Node(s.From), To: v.Node(s.Action)}
		if s.Decided() {
			r.Class, r.Leader = v.Colours[s.Leader], v.program(s.Leader)
			r.Ahead, r.Agree = v.ahead(s), len(s.Choosers(v.Taken(s)))
			if s.Parts() {
				r.Other = v.Node(s.TeacherFirst)
				if v.Along {
					r.Other = v.Node(s.Candidates[s.Chosen])
					r.Leader += " → " + v.Node(s.Firsts[s.Leader])
				}
			} else if s.TeacherFirst >= 0 {
				r.Other = "same"
			}
		}
		v.Rows = append(v.Rows, r)
	}
}

// program names a program: "H03 nearest".
func (v *view) program(m int) string {
	return v.Student.Programs[m].Label + " " + v.Student.Programs[m].Name
}

// ahead says by how many points the leader is ahead, and of whom.
func (v *view) ahead(s *explain.Step) string {
	if s.Second < 0 {
		return "nobody else"
	}
	label := v.Student.Programs[s.Second].Label
	if s.LeaderTie {
		return "tie with " + label
	}
	return fmt.Sprintf("%s by %s", label, strings.TrimSuffix(fixed(100*float64(s.Margin), 1), ".0"))
}
