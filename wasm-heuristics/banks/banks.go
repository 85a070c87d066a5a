// Package banks holds the heuristic banks that come with EPB, embedded, so that an installed binary needs no checkout.
// Package internal/bank reads them.
//
// Each program is an ordinary Go package that also compiles natively; the tests here compare both.
package banks

import "embed"

// Files has a folder for every bank: its bank.json, and a folder with a Go file for every program.
//
//go:embed */bank.json */*/*.go
var Files embed.FS
