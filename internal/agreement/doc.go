// Package agreement measures how well one heuristic follows the teacher on the states of a shard: its
// distribution V_m (Eq. 2), its divergence KL(π_T‖V_m), and the set of states whose top action it finds.
//
// Attribution (Eq. 10), Add and Drop (Alg. 2, 3) all use these three. Ragged arrays are aligned with
// rollout.Shard.Candidates. On a tie, argmax is the lowest node index.
package agreement
