// Package analysis tells what a program does without running it, with all that it calls of the SDK unfolded: how far
// ahead it works (Class, Judge), how its work grows (Cost), how large it is (Unfolded), what of the state its scores
// depend on (Flows), and which functions it reaches (Called). Methods and Reference tell the same of the SDK.
package analysis
