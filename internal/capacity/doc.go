// Package capacity changes the size of the bank: Add (Alg. 2) and Drop (Alg. 3) of the paper's appendix, as pure
// functions over cached scores. It runs no program and asks no LLM.
//
// Add works on sets of states. A fault is a state that no heuristic gets right. Faults finds the faults, Split holds
// half of them out, Sample chooses some to show, Assign gives each to the closest candidate, and Admit chooses
// candidates by marginal coverage, without those that choose nearly as a program of the bank does.
//
// Drop works on a Mixture: the router's logits and every V_m on the validation states. When a heuristic leaves, the
// softmax of the others' logits gives their new weights, because a routing key K_m (Eq. 4) depends on V_m alone. First
// it merges programs that make the same choice nearly everywhere: to a reader they are one rule.
package capacity
