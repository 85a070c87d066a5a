// Package certify measures how far the explanation that a student gives of its teacher may be trusted: where the two
// agree and where not, whether one program decides, whether that program matters, and whether the student changes its
// mind when the teacher does.
//
// Everything is measured on decisions that nothing was fitted to. Decisions of one instance depend on each other, so
// every interval comes from resampling instances, not decisions.
package certify
