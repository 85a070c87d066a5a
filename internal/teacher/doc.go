// Package teacher turns published checkpoints of neural solvers into policies: the attention model AM (Kool, van Hoof,
// Welling 2019), POMO (Kwon et al. 2020) and LEHD (Luo et al. 2023), each for TSP and CVRP.
//
// A checkpoint is an original PyTorch file (the old stream or the zip form) or safetensors. A PyTorch file is a pickle,
// that is a program; one that names anything but tensors and plain containers is refused before it runs. The
// architecture is recognised by the names and shapes of the tensors.
//
// AM and POMO are one network here: an encoder of L layers over the nodes, and a decoder that points at the next node
// by one attention over the nodes' embeddings. They differ in normalisation, biases and context; am.go and pomo.go say
// how. LEHD is its own: it passes the unvisited nodes through six layers at every step.
//
// All solve CVRP by the actions of cvrp.State. Where a model's own float32 arithmetic is stricter than integers, that
// is kept and noted in the trajectory.
//
// Letters: n nodes, B instances, R runs (trajectories built side by side on one instance), d embedding width, m heads.
package teacher
