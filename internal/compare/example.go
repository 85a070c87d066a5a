package compare

import (
	"math"

	"github.com/epb-nco/epb/internal/contrast"
)

// example is a decision in which two policies part, with its drawing in the square [0,100]².
type example struct {
	*contrast.Example
	Nodes, Path  []point
	Here         point
	Choices      [2]point
	Via          [2]bool // by way of the depot
	Node         [2]int
	Percent      [2]float64
	LeaderWeight [2]float64
}

type point struct{ X, Y float64 }

// drawExample places a decision in the drawing. y points upwards in an instance, downwards in a drawing.
func drawExample(e *contrast.Example) example {
	n := int32(len(e.Coords) / 2)
	at := func(node int32) point {
		return point{round(100 * float64(e.Coords[2*node])), round(100 - 100*float64(e.Coords[2*node+1]))}
	}
	out := example{Example: e}
	for i := range n {
		out.Nodes = append(out.Nodes, at(i))
	}
	for _, node := range e.Path {
		out.Path = append(out.Path, at(node))
	}
	if len(out.Path) > 0 {
		out.Here = out.Path[len(out.Path)-1]
	} else {
		out.Here = at(0)
	}
	for i, c := range e.Choice {
		out.Via[i], out.Node[i] = c >= n, int(c%n)
		out.Choices[i] = at(c % n)
		out.Percent[i], out.LeaderWeight[i] = e.Prob[i], e.Weight[i]
	}
	return out
}

func round(v float64) float64 { return math.Round(10*v) / 10 }
