package tsp

// Angle returns the angle of candidate k about the middle of all cities, counterclockwise from First, in turns from 0
// to 1, nearly 1 just clockwise of First.
func (s *State) Angle(k int) float32 { return s.here().angle[k] }

// AngleStep returns the angle about the middle of all cities by which a step to candidate k goes counterclockwise, in
// turns from -½ to ½.
func (s *State) AngleStep(k int) float32 {
	step := s.here().angle[k] - s.AngleHere()
	switch {
	case step >= 0.5:
		step--
	case step < -0.5:
		step++
	}
	return step
}

// ArcStep returns the length of the arc of AngleStep at candidate k's distance from the middle, in units.
func (s *State) ArcStep(k int) float32 {
	const turn = 6.2831855
	return bounded(float32(turn*s.AngleStep(k)) * s.radius[s.Candidates[k]])
}

// AngleLag returns how far candidate k is ahead of the hindmost candidate by Angle, in turns: 0 for the hindmost.
func (s *State) AngleLag(k int) float32 { return s.here().angle[k] - s.LeastAngle() }

// Radius returns how far candidate k is from the middle of all cities, in units.
func (s *State) Radius(k int) float32 { return bounded(s.radius[s.Candidates[k]]) }

// Behind returns the share of the other candidates whose Angle is less than that of candidate k: what a
// counterclockwise tour has left out there. With K = 1 it is 0.
func (s *State) Behind(k int) float32 { return s.share(s.ranks()[k].behind) }

// BehindNear returns the Crowd about candidate k of those whose Angle is less than that of k.
func (s *State) BehindNear(k int, r float32) float32 { return bounded(s.flanks(r)[k].behind) }

// BehindHere returns the number of candidates whose Angle is less than that of candidate k, which fade with their
// distance from Current as in RightHere.
func (s *State) BehindHere(k int, r float32) float32 { return bounded(s.glances(r)[k].behind) }

// AngleHere returns the angle of Current about the middle of all cities, counterclockwise from First, in turns from 0
// to 1.
func (s *State) AngleHere() float32 {
	angle := s.angle[s.Current] - s.angle[s.First]
	if angle < 0 {
		angle++
	}
	return angle
}

// LeastAngle returns the least Angle of the candidates.
func (s *State) LeastAngle() float32 { return s.here().least }
