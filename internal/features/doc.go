// Package features names what can be measured of a decision state and of its candidates, and computes it.
//
// A Set lists the features of one setting: their names, what a program writes to get them, and words for prompts and
// reports. A Reader computes them by the very methods that programs call, so that a name means one computation.
package features
