// Package tune trains the weights of programs: their named constants (heuristic.Weight), together with τ_h and the
// router, on the loss of Eq. 6.
//
// Near the weights θ⁰ at which a program was scored, its scores are linear in the weights, with the Jacobian that the
// sandbox measures by finite differences (runtime.Module.Jacobian). Round trains on these linear scores, whose gradient
// is exact. The caller rounds the weights, writes them into the sources, scores the programs again, and keeps what
// lowers the loss on states that were not trained on. Fold then takes out terms that earn nothing there.
package tune
