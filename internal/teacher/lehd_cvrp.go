package teacher

import (
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// lehdCVRP is a CVRP solution under construction. One decision of LEHD is a customer and the way there: directly or by
// way of the depot. The latter becomes two actions: 0 and the customer.
type lehdCVRP struct {
	inst *routing.Instance
	s    *cvrp.State
}

func (v *lehdCVRP) ends() (first, last int32, room float32) {
	return 0, v.s.Current(), float32(v.s.Remaining()) / float32(v.inst.Capacity)
}

// take follows the original's environment. From the depot every way is direct. A direct way to a customer that does not
// fit becomes one by way of the depot.
func (v *lehdCVRP) take(tk *track, pi []float32) error {
	K, step := len(tk.open), len(v.s.Actions())
	best := tk.choose(step, pi)
	customer, via := tk.open[best%K], best >= K
	if step == 0 && tk.run.Start != routing.OwnStart {
		customer = int32(tk.run.Start)
	}
	if force := tk.run.Force; step < len(force) {
		customer, via = force[step], false
		if customer == 0 && step > 0 {
			customer, via = tk.open[largest(pi[K:])], true
			if step+1 < len(force) {
				customer = force[step+1]
			}
		}
	} else if step > 0 && !v.s.CanVisit(customer) {
		via = true
	}
	via = via && step > 0
	if tk.run.Record {
		v.record(tk, pi)
		if via {
			tk.row(2 * v.inst.N())
		}
	}
	if via {
		if err := v.s.Step(0); err != nil {
			return err
		}
	}
	if err := v.s.Step(customer); err != nil {
		return err
	}
	tk.remove(customer)
	if len(tk.open) > 0 {
		return nil
	}
	last := int32(0)
	if step := len(v.s.Actions()); step < len(tk.run.Force) {
		last = tk.run.Force[step]
	}
	if tk.run.Record {
		tk.row(2 * v.inst.N())
	}
	return v.s.Step(last)
}

// record appends the distribution over the ways that the environment takes, in the form that routing.Trajectory
// describes. If a customer cannot be reached directly, the probability of the direct way is added to that of the way by
// the depot. At the depot itself it is the other way round.
func (v *lehdCVRP) record(tk *track, pi []float32) {
	n, K := v.inst.N(), len(tk.open)
	row := tk.row(2 * n)
	if v.s.Current() == 0 && tk.run.Start != routing.OwnStart {
		return
	}
	for k, j := range tk.open {
		switch {
		case v.s.Current() == 0:
			row[j] = pi[k] + pi[K+k]
		case v.s.CanVisit(j):
			row[j], row[n+int(j)] = pi[k], pi[K+k]
		default:
			row[n+int(j)] = pi[k] + pi[K+k]
		}
	}
	normalise(row)
}

func (v *lehdCVRP) finish() ([]int32, float64) { return v.s.Actions(), v.s.Cost() }
