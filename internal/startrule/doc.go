// Package startrule names the node a tour begins at.
//
// A mixture of heuristics decides every step but the first, because before the first action there is no
// current node to reason from. A teacher that picks its own first node (AM, through its placeholder) does
// so almost deterministically, somewhere near one corner; forced to start elsewhere it is far out of
// distribution. So the student gets a program of its own for this one decision: a readable score per node,
// chosen from a catalogue by how often it names the teacher's start. Teachers that are given their
// start (POMO) need no rule, and then the rule is None.
//
// Measured on the published AM checkpoints, 400 instances each: "nearest to the lower right corner" names the teacher's
// start in 79 % (TSP-20) and 67 % (TSP-50); AM TSP-100 starts near x = 0.1, y = 0.3, which a fitted place names in 42
// %.
package startrule
