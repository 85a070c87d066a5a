package teacher_test

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/teachers"
)

// A teacher is a policy: it solves instances. Its encoder's weights are tensors by role.
func Example() {
	pomo, err := teacher.Parse("pomo_tsp20.pt", teachers.POMOTSP20)
	if err != nil {
		fmt.Println(err)
		return
	}
	info := pomo.Info()
	fmt.Println(pomo.Name(), "has", info.Layers, "layers of", info.Dim, "channels and sees the", info.View, "view")
	fmt.Println("queries, keys and values of its first layer:", pomo.Encoder().Layers[0].QKV.Shape())

	ctx, insts := context.Background(), tsp.Generate(20, 50, 1)
	mean := func(p routing.Policy) (cost float64) {
		trs, err := routing.Solve(ctx, p, insts, routing.SingleRun, nil)
		if err != nil {
			fmt.Println(err)
			return 0
		}
		for _, tr := range trs {
			cost += tr[0].Cost / float64(len(trs))
		}
		return cost
	}
	nearest, learned := mean(problems.NearestNeighbour{}), mean(pomo)
	fmt.Printf("mean tour: nearest neighbour %.1f, teacher %.1f\n", nearest, learned)
	// Output:
	// pomo-tsp:pomo_tsp20 has 6 layers of 128 channels and sees the full view
	// queries, keys and values of its first layer: (128, 384)
	// mean tour: nearest neighbour 4.6, teacher 3.9
}
