// Package student is the paper's student policy: node embeddings and a query that follow the teacher's architecture,
// the output-conditioned router over a bank of M heuristics (Eq. 3–4), the mixture of their distributions (Eq. 5), the
// distillation loss (Eq. 6) with its backward pass written by hand, training, evaluation, and live mixing for decoding.
//
// Keys without keys. Eq. 4 makes the key of heuristic m the expected node embedding under V_m, K_m = Σ_n V_m(n)·h(n),
// so Eq. 3's logit is
//
//	Q·K_m/τ_r = Σ_n V_m(n)·u(n)   with   u(n) = Q·h(n)/τ_r.
//
// The router therefore computes one pointer score u per node and state instead of M keys per state, M times less work,
// and its gradient needs no derivative of V: that is the stop-gradient of Eq. 3. V_m enters a second time as the value
// of the mixture. τ_h learns through that path only: router.backward gives the gradient, and tau.go takes the step. The
// weights of programs also learn through the keys (terms.go).
//
// Architectures. A student of AM or POMO embeds the nodes once per instance and asks one query per state
// (pomo_head.go); a student of LEHD embeds them lightly and lets decoder layers read every state's own tokens
// (lehd_head.go), which costs twenty to fifty times as much a state. Between them and the router stands a head, which
// gives the queries and the pointer scores.
//
// Dimension letters: B instances of n nodes in a chunk; T states of a chunk, or of one of the groups it is decoded in;
// L candidates of all those states (ragged, see rollout.Shard); M heuristics; D channels; H heads; R rows, in G
// segments, of a stack of layers. Distributions are over a state's candidates in increasing order and ties of an argmax
// go to the lowest. Losses are in nats.
//
// Every result is the same whatever GOMAXPROCS is: work is cut into chunks by the data alone, and sums run over chunks
// in order.
package student
