// Package teacher turns published checkpoints of neural solvers into policies: the attention model AM (Kool, van Hoof,
// Welling 2019), POMO (Kwon et al. 2020) and LEHD (Luo et al. 2023), each for TSP and CVRP. One more policy has no
// checkpoint: NewLocalSearch follows near-optimal TSP tours.
//
// A checkpoint is an original PyTorch file (the old stream or the zip form) or safetensors. A PyTorch file is a pickle,
// and a pickle is a program. EPB refuses one before it runs if it names anything but tensors and plain containers. The
// names and shapes of the tensors tell the architecture.
//
// AM and POMO are one network here: an encoder of L layers over the nodes, and a decoder that points at the next node
// by one attention over the nodes' embeddings. They differ in normalisation, biases and context; see am.go and pomo.go.
// LEHD is a different network: it passes the unvisited nodes through six layers at every step.
//
// All three solve CVRP by the actions of cvrp.State. A model's own float32 arithmetic may refuse what integers allow.
// EPB keeps this behaviour and records it in the trajectory.
//
// Letters: n nodes, B instances, R runs (trajectories built side by side on one instance), d embedding width, m heads.
package teacher
