// Package dense makes, checks and opens the tensors that cross package borders: gorgonia's *tensor.Dense.
//
// A tensor carries its element type and shape, so the package that takes one can check both in one call, and a message
// about a wrong one says what it is, what was wanted and what came. Inside a package the values are a plain slice,
// taken once per call with Values: hot loops see slices alone.
//
// These cross borders as tensors: what files hold (safetensors, torchfile; a student's weights among it), the weights
// of teachers' encoders (teacher.Encoder), scores of heuristics, distributions, routing weights, logits, regrets and
// weights of states, and τ_h. What is ragged over the candidates of a shard's S states is one vector of C, aligned with
// rollout.Shard.Candidates. A shard crosses as *rollout.Shard, whose arrays are tensors in its file.
//
// The tensors here are row-major and whole: neither views nor lazily transposed, and without masks. They share the
// memory of the slices that they are made of and opened to. Nothing is copied unless a comment says so.
//
// Three habits of gorgonia are kept inside this package: Dense.Data panics on a tensor without elements, returns a
// number instead of a slice for one without dimensions, and allocates.
package dense
