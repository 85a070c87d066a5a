// Package evidence says what would bring a program closer to the teacher, in named features and in the program's own
// weights: which features tell the program's choice from the teacher's in one state (Contrasts), what each weight of
// the program contributes there (Terms), and how much the loss would fall, to first order, if a feature became a term
// of the program (Meter). It is the part of a prompt that an author of structure builds on.
//
// Everything is a function of its arguments, summed in a fixed order.
package evidence
