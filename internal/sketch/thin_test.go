package sketch

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// The products are halved until top-1 has lost more than Within. The router before that is trained once more.
func TestThinKeepsTheFewestThatAgree(t *testing.T) {
	c := Config{Programs: 2, Terms: 2, Within: 0.01}
	rungs := c.thinning(1)
	for name, test := range map[string]struct {
		agrees []float64 // top-1 with all products, then of each router
		want   int       // products of the one that is kept; 0: all
	}{
		"the third is worse":   {[]float64{0.9, 0.899, 0.891, 0.88}, 400},
		"the first is worse":   {[]float64{0.9, 0.88}, 0},
		"few products suffice": {[]float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, leastKept},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := student.Configured(config.Student{Router: config.NamedRouter}, routing.TSP, routing.Full, c.Programs)
			F, err := cfg.NodeFeatures()
			if err != nil {
				t.Fatal(err)
			}
			m, x := student.New(cfg, 1).WithWeights([]int{F, F})
			has := map[*student.Model]int{} // products
			asked := 0
			var trained []*student.Model
			run := func(m *student.Model, _ []float32, s stage) error {
				if trained = append(trained, m); s.products > 0 {
					has[m] = s.products
				}
				return nil
			}
			kept, weights, err := c.thin(m, x, rungs, run, func(*student.Model) (float64, error) {
				asked++
				return test.agrees[asked-1], nil
			})
			if err != nil || has[kept] != test.want {
				t.Errorf("the router has %d products, %v; want %d", has[kept], err, test.want)
			}
			if trained[len(trained)-1] != kept || len(weights) != 2*F {
				t.Errorf("the router that is kept is not the last that was trained, or lacks weights: %d", len(weights))
			}
			if asked != len(test.agrees) || !slices.IsSortedFunc(rungs[:len(rungs)-1], func(a, b stage) int {
				return b.products - a.products
			}) {
				t.Errorf("asked %d times, want %d", asked, len(test.agrees))
			}
		})
	}
}
