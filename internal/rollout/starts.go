package rollout

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// StartsOf returns the tours to record on instances like inst: from the policy's own start (own), from every node or,
// where there is a depot, customer (all), or from the first few (their number).
func StartsOf(starts string, inst *routing.Instance) ([]routing.Run, error) {
	traits, what := problems.Must(inst.Problem).Traits(), "start nodes"
	if traits.Depot {
		what = "first customers"
	}
	every := routing.EveryFirst(traits, inst.N())
	switch starts {
	case "own":
		return routing.SingleRun(0), nil
	case "all":
		return every, nil
	}
	k, err := strconv.Atoi(starts)
	if err != nil || k < 1 || k > len(every) {
		return nil, fmt.Errorf("want own, all, or a number of %s from 1 to %d", what, len(every))
	}
	return every[:k], nil
}
