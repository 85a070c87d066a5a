// Package torchfile reads files that Python writes: files of torch.save in both forms, and plain pickles. A pickle is a
// program. This package scans it before it runs, and refuses it if it names anything but tensors and plain containers.
package torchfile
