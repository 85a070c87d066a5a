package bootstrap_test

import (
	"fmt"

	"github.com/epb-nco/epb/internal/bootstrap"
)

func ExampleGapTo() {
	gap := bootstrap.GapTo([]float64{4.2, 3.9, 4.1}, []float64{4.0, 3.9, 4.0}, 1)
	fmt.Printf("%.2f %% longer\n", gap.Percent)
	// Output: 2.52 % longer
}
