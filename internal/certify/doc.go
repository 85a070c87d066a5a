// Package certify measures how far the explanation that a student gives of its teacher may be trusted: where the two
// agree and where not, whether one program decides, what solutions cost without that program, whether something simpler
// would do, and whether the student changes its choice when the teacher does.
//
// Everything is measured on decisions that nothing was fitted to. Decisions of one instance depend on each other, so
// every interval comes from resampling instances, not decisions. What is picked by its agreement or its cost, such as
// the best single program, is picked on one half of the instances and reported on the other.
//
// Compute measures; the sentences that it concludes with are in words.go, beside the bounds that decide which of them
// speak for an explanation.
package certify
