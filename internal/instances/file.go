package instances

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// File is one instance as its file gives it. Some best known costs of CVRPLIB are valid only for the number of
// vehicles in the instance's name.
type File struct {
	Source    string           // path, with the line or the index of the instance where the file holds several
	Instance  routing.Instance // in the unit square; N counts the depot
	Coords    []float64        // [N,2] in the file's units, the depot first
	Lo        [2]float64       // least x and y
	Span      float64          // Instance.Coords = (Coords - Lo) / Span
	Metric    Metric           // the file's rule for the length of an edge
	BestKnown float64          // cost of the best known solution by Metric; 0 if unknown
	Reference []int32          // actions of a solution that came with the instance; nil if none did
	// First is the number of node 0 in the file: 0 where nodes are elements of an array, 1 where a text counts them.
	// It is also 0 with a depot, so that customers have the numbers that CVRPLIB's solutions give them.
	First int
	// Number is that of the instance in the file, from 0, and Of how many the file holds.
	Number, Of int

	weights []float64 // [N,N] of an Explicit metric
}

// largest bounds coordinates and weights. Sums of such lengths are finite, and float64 holds them to the unit.
const largest = 1e12

// maxName is the largest length of an instance's name, in bytes. Tables and errors show the name.
const maxName = 300

// newFile returns a file whose instance is well-formed. It scales the coordinates by their range; keepUnit takes that
// back where they are those of policies already.
func newFile(source string, in routing.Instance, coords []float64, metric Metric) (File, error) {
	if len(in.Name) > maxName {
		return File{}, fmt.Errorf("an instance's name has %d bytes, want %d at most", len(in.Name), maxName)
	}
	f := File{Source: source, Instance: in, Coords: coords, Metric: metric}
	for i, v := range coords {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return f, fmt.Errorf("instance %s: node %d has coordinate %v, want a finite number", in.Name, i/2, v)
		}
		if math.Abs(v) > largest {
			return f, fmt.Errorf("instance %s: node %d has coordinate %v, want one from %v to %v", in.Name, i/2, v,
				-largest, largest)
		}
	}
	if len(coords) < 2 {
		return f, fmt.Errorf("instance %s: no nodes", in.Name)
	}
	lo, hi := box(coords)
	span := max(hi[0]-lo[0], hi[1]-lo[1])
	if span == 0 {
		return f, fmt.Errorf("instance %s: all %d nodes are at the same place", in.Name, len(coords)/2)
	}
	return f, f.scale(lo, span)
}

// scale brings the coordinates to the unit square.
func (f *File) scale(lo [2]float64, span float64) error {
	f.Lo, f.Span = lo, span
	f.Instance.Coords = make([]float32, len(f.Coords))
	for i, v := range f.Coords {
		f.Instance.Coords[i] = float32((v - lo[i%2]) / span)
	}
	return problems.WellFormed(&f.Instance)
}

// leastSpan is the range that coordinates in the unit square must have on one axis to be taken as they are. A smaller
// one is that of another unit.
const leastSpan = 0.25

// keepUnit leaves the coordinates of a file as they are, those of all its instances, if all lie in the unit square and
// together they are spread over it. With a rounding rule they are in other units.
func keepUnit(files []File) error {
	lo, hi := [2]float64{1, 1}, [2]float64{}
	for i := range files {
		if files[i].Metric != Euclidean {
			return nil
		}
		least, most := box(files[i].Coords)
		for axis := range lo {
			lo[axis], hi[axis] = min(lo[axis], least[axis]), max(hi[axis], most[axis])
		}
	}
	if min(lo[0], lo[1]) < 0 || max(hi[0], hi[1]) > 1 || max(hi[0]-lo[0], hi[1]-lo[1]) < leastSpan {
		return nil
	}
	for i := range files {
		if err := files[i].scale([2]float64{}, 1); err != nil {
			return err
		}
	}
	return nil
}

// box returns the least and the largest x and y of coordinates [N,2].
func box(coords []float64) (lo, hi [2]float64) {
	lo, hi = [2]float64{coords[0], coords[1]}, [2]float64{coords[0], coords[1]}
	for i, v := range coords {
		lo[i%2], hi[i%2] = min(lo[i%2], v), max(hi[i%2], v)
	}
	return lo, hi
}

// setReference keeps a solution that came with the instance, after validating it. cost is the cost in the file,
// rounded by the metric or not, to the digits that files print; 0 means that the file gives none.
func (f *File) setReference(actions []int32, cost float64) error {
	rounded, unrounded, err := f.Cost(actions)
	if err != nil {
		return err
	}
	tolerance := 1e-6 * math.Abs(cost)
	if f.Metric != Euclidean {
		tolerance += 0.005 // such costs are printed with two digits
	}
	if cost != 0 && math.Abs(rounded-cost) > tolerance && math.Abs(unrounded-cost) > tolerance {
		return fmt.Errorf("the solution costs %v (%v unrounded), the file says %v", rounded, unrounded, cost)
	}
	f.Reference = actions
	f.know(rounded) // the comment of a file may be older than the solution beside it
	return nil
}

// know notes the cost of a known solution, 0 for none. The lowest counts.
func (f *File) know(cost float64) {
	if cost > 0 && (f.BestKnown == 0 || cost < f.BestKnown) {
		f.BestKnown = cost
	}
}

// OfInstance returns an instance that came from no file as a file has it: its units are those of the unit square.
func OfInstance(in routing.Instance) File {
	f := File{Source: in.Name, Instance: in, Span: 1, Metric: Euclidean}
	for _, v := range in.Coords {
		f.Coords = append(f.Coords, float64(v))
	}
	return f
}

// Choose returns the first limit instances (0: all) of those of at most so many nodes (0: of any size).
func Choose(all []File, limit, nodes int) []File {
	var chosen []File
	for _, f := range all {
		if limit > 0 && len(chosen) == limit {
			break
		}
		if nodes == 0 || f.Instance.N() <= nodes {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

// Instances returns the instances of files in order.
func Instances(files []File) []routing.Instance {
	insts := make([]routing.Instance, len(files))
	for i := range files {
		insts[i] = files[i].Instance
	}
	return insts
}
