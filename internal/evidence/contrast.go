package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
)

// Contrast is a feature that tells two candidates of a state apart.
type Contrast struct {
	Name, Call, Says string
	Program, Teacher float64 // its value for the program's pick and for the teacher's
	Spreads          float64 // (Teacher − Program) / the feature's standard deviation over the candidates of the state
}

// alike reports whether two features tell the two candidates apart alike, up to the rounding of float32.
func (c Contrast) alike(o Contrast) bool {
	a, b := math.Abs(c.Spreads), math.Abs(o.Spreads)
	return math.Abs(a-b) <= 1e-4*max(a, b)
}

// Contrasts returns the n features in which two candidates of a state differ most, in units of the feature's spread
// over the candidates of the state. Of features that tell the two apart alike, as one and the same times the progress,
// only the first of the set is there.
func Contrasts(set *features.Set, sh *rollout.Shard, s int32, program, teacher, n int) ([]Contrast, error) {
	var all []Contrast
	F := len(set.Node)
	err := read(set, sh, []int32{s}, func(_ int32, f []float32) {
		for i, feature := range set.Node {
			unit := spread(features.Squares(f, i, F), len(f)/F)
			if unit == 0 {
				continue
			}
			p, t := float64(f[program*F+i]), float64(f[teacher*F+i])
			c := Contrast{feature.Name, feature.Call, feature.Says, p, t, (t - p) / unit}
			if !slices.ContainsFunc(all, c.alike) {
				all = append(all, c)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Contrast) int { return cmp.Compare(math.Abs(b.Spreads), math.Abs(a.Spreads)) })
	return all[:min(n, len(all))], nil
}
