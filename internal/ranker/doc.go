// Package ranker fits what a student is measured against: policies that score every candidate by all named features
// (package features), with no programs and no router.
//
// A linear scorer has one weight for each feature. It shows what one program without a limit on its terms can do. A
// neural ranker, a small network on the same features, shows what can be learned from them at all: the ceiling of
// anything that is built of these features. Both are trained on the loss of the student, the cross-entropy of Eq. 6,
// and decide greedily. A decision tree is the other usual way to make a policy readable: rules in place of weights.
//
// For example, a student at +2.5 % between a linear scorer at +8.4 % and a neural ranker at +2.3 % has found nearly all
// that its features say. Only other features could bring it closer.
package ranker
