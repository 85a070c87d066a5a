// Package evaluate measures how close a distilled student comes to its teacher and says how it decides
// (paper, section 4 and appendix "Imitation Analysis").
//
// It decodes teacher, student, every heuristic alone and the classic baselines on the same instances (greedy, or with
// one of the searches of Mode, which use a policy's decisions only), summarises costs with standard deviation and a
// bootstrap confidence interval, and reads the router's weights: which program drove which step, at which stage of the
// tour, and where the tour leaves the nearest neighbour.
//
// The gap in per cent is the paper's, a ratio of means: 100 (mean cost / mean reference cost - 1). Forced steps (one
// feasible action) are executed but enter no accuracy, loss, coverage or weight. Costs are lengths in the unit square.
package evaluate
