package startrule_test

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
)

func ExampleRule_Start() {
	in := routing.Instance{Coords: []float32{0.5, 0.5, 0.9, 0.2, 0.1, 0.8}}
	rule := startrule.Rule("nearest-lower-right")
	fmt.Println(rule.Describe())
	fmt.Println(rule.Start(&in))
	// Output:
	// Start at the node nearest to the lower right corner of the unit square.
	// 1
}
