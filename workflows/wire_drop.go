package workflows

import "github.com/epb-nco/epb/internal/config"

// Activities that take programs out of the bank.
var (
	// Drop is Alg. 3 as a whole: near-duplicates are merged, then leave-one-out pruning, over cached scores.
	Drop = Activity[DropInput, Revision]{"Drop", ComputeQueue}
	// Expel takes a program out of the bank that crashes on some state.
	Expel = Activity[ExpelInput, Revision]{"Expel", ComputeQueue}
)

// DropInput asks for a bank without the heuristics that it does as well without.
type DropInput struct {
	ModelAndData
	Drop config.Drop `json:"drop"`
	Moment
	Young []string `json:"young,omitempty"` // programs admitted since the router was trained last: they stay
	Twins bool     `json:"twins,omitempty"` // only merge near-duplicates
}

// ExpelInput names the program that leaves the bank.
type ExpelInput struct {
	Model  Model  `json:"model"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
	Moment
}

// Revision is a bank after Add, Drop or Expel.
type Revision struct {
	Model  Model   `json:"model"`
	Events []Event `json:"events"`
}
