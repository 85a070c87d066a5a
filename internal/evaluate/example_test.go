package evaluate_test

import (
	"fmt"

	"github.com/epb-nco/epb/internal/evaluate"
)

func ExampleEdgeOverlap() {
	teacher := []int32{0, 1, 2, 3, 4, 5}
	student := []int32{5, 2, 3, 4, 1, 0} // the stretch 1 2 3 4 taken the other way round, but for one node
	fmt.Printf("%.2f\n", evaluate.EdgeOverlap(teacher, student))
	// Output: 0.67
}

func ExampleGapTo() {
	gap := evaluate.GapTo([]float64{4.2, 3.9, 4.1}, []float64{4.0, 3.9, 4.0}, 1)
	fmt.Printf("%.2f %% longer\n", gap.Percent)
	// Output: 2.52 % longer
}
