package instances

import (
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
)

// Metric is a rule for the length of an edge, named as in TSPLIB 95, except for Euclidean.
type Metric string

// The metrics. Rounding is per edge, so that rounded costs are whole numbers.
const (
	Euclidean Metric = "EUCLIDEAN" // unrounded: the rule of learned solvers' random sets
	Euc2D     Metric = "EUC_2D"    // Euclidean, to the nearest integer
	Ceil2D    Metric = "CEIL_2D"   // Euclidean, rounded up
	Att       Metric = "ATT"       // pseudo-Euclidean: √(d²/10), rounded up
	Geo       Metric = "GEO"       // kilometres between degrees.minutes on a sphere
	Explicit  Metric = "EXPLICIT"  // a matrix in the file
)

// Rounds reports whether a metric rounds the lengths of edges.
func (m Metric) Rounds() bool { return m != Euclidean && m != Explicit }

// Rounding says in words how a metric rounds the length of an edge.
func (m Metric) Rounding() string {
	switch m {
	case Euc2D:
		return "each edge is rounded to the nearest whole number"
	case Ceil2D, Att:
		return "each edge is rounded up to a whole number"
	case Geo:
		return "each edge is a whole number of kilometres on the sphere"
	case Explicit:
		return "edges are those of the file's matrix"
	}
	return "nothing is rounded"
}

// Caveat says what a policy does not see of an instance with this metric, in a sentence or two. It is empty where
// policies see the plane that edges are measured in.
func (m Metric) Caveat() string {
	switch m {
	case Explicit:
		return "the matrix is not seen: policies and baselines decide by the coordinates that the file gives beside " +
			"it, or gives\nfor display, as if they lay in a plane. The matrix measures what they found, and chooses " +
			"where a search finds several."
	case Geo:
		return "policies and baselines decide as if latitude and longitude were x and y in a plane.\n" +
			"Costs are kilometres on the sphere."
	}
	return ""
}

// Cost returns the cost of a solution in the file's units: by its metric's rounding rule, the one that published optima
// follow, and by the same metric without rounding. The solution is validated as by problems.Cost.
func (f *File) Cost(actions []int32) (rounded, unrounded float64, err error) {
	if _, err := problems.Cost(&f.Instance, actions); err != nil {
		return 0, 0, err
	}
	last := 0 // the depot
	if !problems.Must(f.Instance.Problem).Traits().Depot {
		last = int(actions[len(actions)-1])
	}
	first := last
	add := func(i, j int) {
		if i != j {
			exact, whole := f.length(i, j)
			rounded, unrounded = rounded+whole, unrounded+exact
		}
	}
	for _, a := range actions {
		add(last, int(a))
		last = int(a)
	}
	add(last, first)
	return rounded, unrounded, nil
}

// Below reports whether a cost is below the best known one by more than rounding: without a rounding rule, the sum of
// the same edges differs in its last bits from one first node to another.
func Below(cost, best float64) bool { return cost < best*(1-1e-9) }

// Price returns the cost by which a search chooses among solutions of instance i of some files: that by the file's
// rounding rule. It is nil where no file has a rule: then the cost in the unit square says the same.
func Price(files []File) func(i int, actions []int32) (float64, error) {
	if !slices.ContainsFunc(files, func(f File) bool { return f.Metric != Euclidean }) {
		return nil
	}
	return func(i int, actions []int32) (float64, error) {
		rounded, _, err := files[i].Cost(actions)
		return rounded, err
	}
}

// length returns the length of edge (i,j) without and with rounding.
func (f *File) length(i, j int) (exact, rounded float64) {
	if f.Metric == Explicit {
		w := f.weights[i*f.Instance.N()+j]
		return w, w
	}
	xi, yi, xj, yj := f.Coords[2*i], f.Coords[2*i+1], f.Coords[2*j], f.Coords[2*j+1]
	d := math.Sqrt((xi-xj)*(xi-xj) + (yi-yj)*(yi-yj))
	switch f.Metric {
	case Euc2D:
		return d, math.Floor(d + 0.5)
	case Ceil2D:
		return d, math.Ceil(d)
	case Att:
		r := math.Sqrt(((xi-xj)*(xi-xj) + (yi-yj)*(yi-yj)) / 10)
		whole := math.Floor(r + 0.5)
		if whole < r {
			whole++
		}
		return r, whole
	case Geo:
		d = arc(radians(xi), radians(yi), radians(xj), radians(yj))
		return d, math.Floor(d + 1)
	}
	return d, d
}

// radians converts degrees.minutes with the truncation and the π of TSPLIB 95.
func radians(x float64) float64 {
	degrees := math.Trunc(x)
	return 3.141592 * (degrees + 5*(x-degrees)/3) / 180
}

// arc returns the distance in kilometres between two points given by latitude and longitude, on TSPLIB's sphere.
func arc(lat1, lon1, lat2, lon2 float64) float64 {
	q1, q2, q3 := math.Cos(lon1-lon2), math.Cos(lat1-lat2), math.Cos(lat1+lat2)
	return 6378.388 * math.Acos(max(-1, min(1, 0.5*((1+q1)*q2-(1-q1)*q3))))
}
