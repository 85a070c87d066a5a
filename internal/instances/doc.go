// Package instances reads the files that routing instances come in: TSPLIB (.tsp, .opt.tour), CVRPLIB (.vrp, .sol),
// the pickles of Kool et al., npz archives of RL4CO, POMO's .pt sets, the text sets of LEHD and CSVs of points. It
// writes solutions as TSPLIB and CVRPLIB do.
//
// An instance keeps the coordinates of its file and the file's own rule for the length of an edge, beside the instance
// in the unit square that policies see: x' = (x - Lo) / Span with the least value of each axis as Lo and one Span, the
// larger of both ranges, so that shapes are kept. The depot counts too. A file without a rounding rule whose instances
// all lie in the unit square is left as it is, unless together they fill less than a quarter of its side. Costs are
// reported in the file's units, by its rule and unrounded.
//
// One file of this package describes the files of one problem: tsp.go, cvrp.go (see formats).
//
// Reading is strict: a file that is truncated, ambiguous or contradicts itself is refused as a whole, with line and
// reason.
package instances
