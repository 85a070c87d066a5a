package student

// Routed returns the same model, which shares its parameters, with another routing.
func (m *Model) Routed(r Routing) *Model {
	routed := *m
	routed.Config.Routing = r
	return &routed
}

// WithWeights returns the model with the weights of programs as further parameters, weights[m] of program m, and these
// parameters, all 0. Writing to them changes the model.
func (m *Model) WithWeights(weights []int) (*Model, []float32) {
	cfg := m.Config
	cfg.Weights = weights
	with := newModel(cfg)
	copy(with.theta[len(with.w.programs):], m.theta)
	return with, with.w.programs
}

// Clone returns a copy of the model, and the copy's weights of programs: see WithWeights.
func (m *Model) Clone() (clone *Model, weights []float32) {
	clone = newModel(m.Config)
	copy(clone.theta, m.theta)
	return clone, clone.w.programs
}

// WithoutWeights returns the model without the weights of programs.
func (m *Model) WithoutWeights() *Model {
	cfg := m.Config
	cfg.Weights = nil
	without := newModel(cfg)
	copy(without.theta, m.theta[len(m.w.programs):])
	return without
}
