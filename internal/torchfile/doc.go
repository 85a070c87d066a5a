// Package torchfile reads what Python writes: files of torch.save in both of its forms, and plain pickles. A pickle is
// a program; here it is scanned before it runs, and may name nothing but tensors and plain containers.
package torchfile
