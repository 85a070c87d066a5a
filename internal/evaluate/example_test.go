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
