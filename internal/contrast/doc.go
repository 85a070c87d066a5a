// Package contrast sets policies side by side in the same states: what one does that another does not.
//
// Compute takes one bank of programs and two policies. Each policy solves the same instances, and both are asked in
// every state of both solutions. A named router is then fitted to each policy over the same programs, on the same
// states, and once more on other instances: a difference between two routers counts only if it exceeds what another fit
// changes. What then differs is due to the policies. The differences are told by stage of the solution, by category of
// program (the paper's phase against geometry) and by named features, with intervals over fresh instances.
//
// LineUp takes several students as they are, asks them in common states, and matches their programs in pairs.
//
// Decisions of one instance depend on each other, so intervals come from resampling instances.
package contrast
