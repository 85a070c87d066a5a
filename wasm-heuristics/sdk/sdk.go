// Package sdk holds the sources of what heuristic programs may import, so that an installed binary
// can compile a program without a checkout of this repository.
//
// A program is written for one package, which says what it can see: tsp and cvrp show the whole instance, subtsp and
// subcvrp only the rest of the problem that a subgraph teacher such as LEHD is shown. Packages describes them, and
// docs/new-problem.md says how to add one.
package sdk

import "embed"

// Sources holds the Go files of every SDK package, one folder each.
//
//go:embed */*.go
var Sources embed.FS

// Texts holds what the SDK packages' folders have beside their sources: guest.tmpl, how a guest makes a State and sets
// it to a decision (see package compile), and prompts.tmpl, what prompts say of the problem and the view (see
// internal/textgrad).
//
//go:embed */guest.tmpl */prompts.tmpl
var Texts embed.FS

// Path is the import path below which the SDK packages live.
const Path = "github.com/epb-nco/epb/wasm-heuristics/sdk"
