package workflows

import (
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
)

// Activities of Add (Alg. 2). It uses Backward and Step too.
var (
	// Faults finds the states on which every heuristic fails (line 1).
	Faults = Activity[FaultsInput, FaultStates]{"Faults", ComputeQueue}
	// Propose asks for failure modes and a candidate for each (line 2).
	Propose = Activity[ProposeInput, Proposal]{"Propose", LLMQueue}
	// Assign gives each fault state to the candidate closest to the teacher (lines 4-6).
	Assign = Activity[AssignInput, Assignment]{"Assign", ComputeQueue}
	// Agree measures how often two versions of a candidate agree with the teacher on the held-out faults.
	Agree = Activity[AgreeInput, Agreement]{"Agree", ComputeQueue}
	// Admit puts candidates into the bank, the one with the most marginal coverage first.
	Admit = Activity[AdmitInput, Revision]{"Admit", ComputeQueue}
)

// FaultsInput asks for the states on which every heuristic fails.
type FaultsInput struct {
	ModelAndData
	Add   config.Add     `json:"add"`
	Pass  int            `json:"pass"`
	Allow config.Classes `json:"allow,omitempty"` // classes of programs (config.Distill.BankAllow)
	// NoHabits is config.LLM.NoHabits.
	NoHabits bool `json:"no_habits,omitempty"`
	// Weights, unless nil, has the weights of each candidate trained on the states that refine it.
	Weights *config.Weights `json:"weights,omitempty"`
}

// FaultStates are the states on which every heuristic fails.
type FaultStates struct {
	Object store.Ref `json:"object"`
	Count  int       `json:"count"`  // also 0 if all would be held out
	States int       `json:"states"` // looked at
}

// ProposeInput asks for candidates.
type ProposeInput struct {
	LLMAccess
	Add    config.Add `json:"add"`
	Bank   store.Ref  `json:"bank"`
	Faults store.Ref  `json:"faults"`
	Pass   int        `json:"pass"`
}

// Proposal is a candidate for each failure mode.
type Proposal struct {
	Candidates []Candidate `json:"candidates"`
	Spend      Spend       `json:"spend"`
}

// AssignInput names the candidates that share the fault states among themselves.
type AssignInput struct {
	Faults     store.Ref   `json:"faults"`
	Candidates []store.Ref `json:"candidates"`
	TopK       int         `json:"top_k"`
}

// Assignment is the failures that each candidate is to be revised on.
type Assignment struct {
	Failures store.Ref `json:"failures"`
	Counts   []int     `json:"counts"` // failures per candidate

	Rejected []Rejection `json:"rejected,omitempty"` // candidates that crash on some state: they are out
}

// AgreeInput names two versions of a candidate.
type AgreeInput struct {
	Faults store.Ref   `json:"faults"`
	Items  []store.Ref `json:"items"`
}

// Agreement is how often each version has the teacher's choice as its first.
type Agreement struct {
	Top1 []float64 `json:"top1"`
}

// AdmitInput names the candidates as they are after the last round.
type AdmitInput struct {
	ModelAndData
	Add        config.Add  `json:"add"`
	Candidates []store.Ref `json:"candidates"`
	Moment
	Alike float64 `json:"alike,omitempty"` // config.Drop.Alike: candidates more alike than this are refused
}
