// Package safetensors reads and writes the safetensors format: an 8-byte little-endian header length, a JSON header
// with name, dtype, shape and byte range of every tensor, and the values, little-endian and row-major.
//
// The writer is deterministic: equal tensors and metadata give equal bytes. The reader is strict: the ranges of a file
// must cover its data exactly, in order and without gaps, and its shapes must agree with the ranges.
package safetensors
