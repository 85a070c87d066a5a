// Package bank is the programmatic bottleneck's contents (Eq. 1): an ordered set of heuristics, each a Go file c_m
// whose doc comment is its description d_m, with the lineage of every entry.
//
// On disk a bank is a folder: bank.json and one folder per heuristic holding one Go file, so that each is an
// ordinary Go package an editor understands.
package bank
