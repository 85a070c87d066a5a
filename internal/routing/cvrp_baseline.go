package routing

import "math"

// decodeCVRP is NearestNeighbour on CVRP: the nearest customer that fits, and the depot when none does. Its own start is the
// customer nearest to the depot.
func (nearestNeighbour) decodeCVRP(inst *Instance, runs []Run) ([]Trajectory, error) {
	trs := make([]Trajectory, len(runs))
	n := inst.N()
	for r, run := range runs {
		if err := run.Validate(inst); err != nil {
			return nil, err
		}
		s := NewCVRPState(inst)
		for t := 0; !s.Done(); t++ {
			a := nearestFeasible(inst, s)
			given := t == 0 && run.Start != OwnStart
			if given {
				a = int32(run.Start)
			}
			if run.Record {
				trs[r].Probs = append(trs[r].Probs, make([]float32, n)...)
				if !given {
					trs[r].Probs[t*n+int(a)] = 1
				}
			}
			if t < len(run.Force) {
				a = run.Force[t]
			}
			if err := s.Step(a); err != nil {
				return nil, err
			}
		}
		trs[r].Actions, trs[r].Cost = s.Actions(), s.Cost()
	}
	return trs, nil
}

// nearestFeasible returns the feasible customer nearest to the vehicle, or the depot if there is none.
func nearestFeasible(inst *Instance, s *CVRPState) int32 {
	best, dist := int32(0), math.Inf(1)
	for j := int32(1); int(j) < inst.N(); j++ {
		if !s.CanVisit(j) {
			continue
		}
		if d := inst.Dist(int(s.Current()), int(j)); d < dist {
			best, dist = j, d
		}
	}
	return best
}
