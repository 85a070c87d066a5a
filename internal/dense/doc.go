// Package dense makes, checks and opens gorgonia's *tensor.Dense, the type of the tensors that packages pass to each
// other. Sized gives a buffer its length.
//
// A tensor carries its element type and shape. So the package that takes one checks both in one call, and an error says
// what the tensor is, what was wanted and what came. Inside a package the values are a plain slice, which Values
// returns once per call, or Open where the shape was checked before. Hot loops use slices only.
//
// Packages pass these as tensors: the contents of files (safetensors, torchfile; also a student's weights), the weights
// of teachers' encoders (teacher.Encoder), scores of heuristics, distributions, routing weights, logits, regrets and
// weights of states, τ_h, and a shard's coordinates, demands and probabilities (rollout.Shard). Arrays that are ragged
// over the candidates of a shard's S states are one vector of C elements, aligned with rollout.Shard.Candidates. The
// candidates themselves and the shard's other indices and counts are slices in Go; in its file, they are tensors.
//
// The tensors here are row-major and whole. They are not views, not lazily transposed, and have no masks. They share
// the memory of the slices that they are made from and opened to. Nothing is copied unless a comment says so.
//
// This package hides three properties of gorgonia from the others: Dense.Data panics on a tensor without elements,
// returns a number instead of a slice for a tensor without dimensions, and allocates.
package dense
