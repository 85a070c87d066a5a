package teacher

import (
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// account is how an architecture computes the room in a vehicle: one float32, as a fraction of the capacity. Every
// rounding affects which customers the model may visit, so each operation is the same as in the original code.
type account struct {
	full float32                         // value at the depot
	take func(x, demand float32) float32 // value after a customer
	fits func(x, demand float32) bool    // whether a customer may be visited
	room func(x float32) float32         // value that the query contains
}

// amAccount sums the used capacity. Rounding sometimes makes an exactly filled vehicle look overfull.
var amAccount = account{
	full: 0,
	take: func(used, demand float32) float32 { return used + demand },
	fits: func(used, demand float32) bool { return demand+used <= 1 },
	room: func(used float32) float32 { return 1 - used },
}

// pomoAccount lowers the load. A tolerance allows exact fills.
var pomoAccount = account{
	full: 1,
	take: func(load, demand float32) float32 { return load - demand },
	fits: func(load, demand float32) bool { return load+1e-5 >= demand },
	room: func(load float32) float32 { return load },
}

// solveCVRP builds the solutions of all runs on one instance from its projections proj [n,3d]. Runs that have ended
// stay at the depot until all have ended.
//
// At each step, run r has row r. With viaDepot it also has row R+r, for the decision after a return to the depot: the
// same customers wait, and the vehicle is at the depot with all its room.
func (d *pointerDecoder) solveCVRP(
	inst *routing.Instance, runs []routing.Run, proj []float32,
) ([]routing.Trajectory, error) {
	n, R := inst.N(), len(runs)
	rows := R
	if d.net.viaDepot {
		rows = 2 * R
	}
	d.reserve(rows, n)
	d.x = dense.Sized(d.x, rows)
	d.demand = dense.Sized(d.demand, n)
	for j := range d.demand {
		d.demand[j] = float32(inst.Demand[j]) / float32(inst.Capacity)
	}
	trs, states := make([]routing.Trajectory, R), make([]*cvrp.State, R)
	needProbs := false
	for r, run := range runs {
		states[r] = cvrp.NewState(inst, false)
		needProbs = needProbs || run.Record || run.Sample != 0
	}
	for r := range rows {
		d.x[r], d.current[r] = d.net.account.full, 0
	}
	for t, open := 0, R; open > 0; t++ {
		d.loadQueries(proj)
		for r := range runs {
			d.maskVehicle(r, rows, states[r], &trs[r], runs[r].Record && !states[r].Done())
			if d.net.viaDepot {
				d.maskReturned(R+r, rows, states[r])
			}
		}
		d.attend(proj, n, rows)
		for r, run := range runs {
			if states[r].Done() {
				continue
			}
			d.decide(r, run, t, n)
		}
		if needProbs {
			tensorops.MaskedSoftmax(d.u, d.u, d.mask[:rows*n], n)
			d.draw(runs, t, n)
		}
		for r, run := range runs {
			if states[r].Done() {
				continue
			}
			if run.Record {
				trs[r].Probs = d.appendRow(trs[r].Probs, r, R, states[r])
				if t == 0 && (run.Start != routing.OwnStart || !d.net.ownStart) {
					clear(trs[r].Probs)
				}
			}
			a := d.current[r]
			if err := states[r].Step(a); err != nil {
				return nil, err
			}
			if d.x[r] = d.net.account.take(d.x[r], d.demand[a]); a == 0 {
				d.x[r] = d.net.account.full
			}
			if states[r].Done() {
				open--
			}
		}
	}
	for r := range runs {
		trs[r].Actions, trs[r].Cost = states[r].Actions(), states[r].Cost()
	}
	return trs, nil
}

// loadQueries sets q from the current nodes and the room in the vehicles.
func (d *pointerDecoder) loadQueries(proj []float32) {
	w := d.net.d
	for r, x := range d.x {
		q, room := d.q[r*w:(r+1)*w], d.net.account.room(x)
		for i, load := range d.net.loadW {
			q[i] = d.context[i] + room*load
		}
	}
	tensorops.GatherAdd(d.q, proj[blockCurrent*w:], d.net.blocks*w, d.current, w)
}

// appendRow appends the distribution of run r before its next action, in the form that routing.Trajectory describes.
// With viaDepot it divides the probability to return among the customers who could follow. The row after a return is
// zero, because the customer has been decided already.
func (d *pointerDecoder) appendRow(probs []float32, r, R int, s *cvrp.State) []float32 {
	n := len(d.demand)
	pi := d.u[r*n : (r+1)*n]
	if !d.net.viaDepot {
		return append(probs, pi...)
	}
	at := len(probs)
	probs = append(probs, make([]float32, 2*n)...)
	if s.Left() == 0 || s.Current() == 0 && len(s.Actions()) > 0 {
		return probs
	}
	row, returned := probs[at:], d.u[(R+r)*n:(R+r+1)*n]
	for j := 1; j < n; j++ {
		row[j], row[n+j] = pi[j], pi[0]*returned[j]
	}
	return probs
}

// maskVehicle sets run r's mask of the next action. It records in tr which feasible customers the model's own
// arithmetic refuses.
func (d *pointerDecoder) maskVehicle(r, rows int, s *cvrp.State, tr *routing.Trajectory, note bool) {
	n := len(d.demand)
	mask := d.mask[r*n : (r+1)*n]
	for j := range mask {
		feasible := s.CanVisit(int32(j))
		mask[j] = !feasible || j > 0 && !d.net.account.fits(d.x[r], d.demand[j])
		if note && feasible && mask[j] {
			tr.Refused = append(tr.Refused, routing.Refusal{Step: len(s.Actions()), Action: int32(j)})
		}
	}
	if s.Done() {
		mask[0] = false
	}
	d.shareMask(r, rows)
}

// maskReturned sets the mask of row r for a vehicle at the depot: it may visit any customer that waits, or stay if none
// waits.
func (d *pointerDecoder) maskReturned(r, rows int, s *cvrp.State) {
	n := len(d.demand)
	mask := d.mask[r*n : (r+1)*n]
	copy(mask, s.Visited())
	mask[0] = s.Left() > 0
	d.shareMask(r, rows)
}

// shareMask copies the mask of row r to the other heads.
func (d *pointerDecoder) shareMask(r, rows int) {
	n := len(d.demand)
	for m := 1; m < d.net.heads; m++ {
		copy(d.mask[(m*rows+r)*n:(m*rows+r+1)*n], d.mask[r*n:(r+1)*n])
	}
}
