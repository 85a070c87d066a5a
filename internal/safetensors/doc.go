// Package safetensors reads and writes the safetensors format: an 8-byte little-endian header length, a JSON header
// with name, dtype, shape and byte range of every tensor, and the values, little-endian and row-major.
//
// The writer is deterministic: equal tensors and metadata give equal bytes. The reader is strict: it takes only files
// whose ranges cover the data exactly, in order and without gaps, and whose shapes agree with them.
package safetensors
