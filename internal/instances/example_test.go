package instances_test

import (
	"fmt"

	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
)

func ExampleRead() {
	files, err := instances.Read("testdata/square.tsp", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := files[0]
	tour := problems.Must(f.Instance.Problem).NearOptimal(&f.Instance)
	rounded, unrounded, _ := f.Cost(tour)
	fmt.Printf("%s: %.0f by %s, %.1f unrounded; node 2 at %v in the unit square\n", f.Instance.Name, rounded, f.Metric,
		unrounded, f.Instance.Coords[2:4])
	// Output: square: 72 by EUC_2D, 70.4 unrounded; node 2 at [1 1] in the unit square
}
