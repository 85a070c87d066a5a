package explain

import (
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Version is the version of Explanation's JSON form. It rises when a field changes its meaning.
const Version = 2

// MostReasons is how many reasons a step has by default. A router that nobody has made sparse has thousands.
const MostReasons = 5

// Explanation is a student's greedy solution of one instance with all that led to it, or a teacher's with what the
// student makes of each of its steps. Nodes are numbered from 0 in JSON, in the order of Instance.Coords;
// Instance.First says how the file numbers them.
type Explanation struct {
	Version  int             `json:"version"`
	Problem  routing.Problem `json:"problem"`
	View     routing.View    `json:"view"` // what programs see of a state
	Instance Instance        `json:"instance"`
	Student  Student         `json:"student"`
	Teacher  string          `json:"teacher,omitempty"`       // whose choices stand beside the student's
	Along    bool            `json:"along_teacher,omitempty"` // the actions are the teacher's
	Start    string          `json:"start"`                   // how the first node came about, in words
	// Actions are the nodes in visiting order: a closed tour or, with a depot, routes with 0 between them and at the
	// end.
	Actions []int32 `json:"actions"`
	Cost    Cost    `json:"cost"`
	Others  []Cost  `json:"others,omitempty"` // of the teacher, if one is asked, and of classic methods
	// Steps explain the actions, all but a first node of a tour: it is given or chosen by the start rule.
	Steps []Step   `json:"steps"`
	Notes []string `json:"notes,omitempty"` // what the reader must know of the instance
}

// Instance is the instance as its file has it, and as the student sees it.
type Instance struct {
	Name   string    `json:"name"`
	First  int       `json:"first"`            // number of node 0 in its file
	Coords []float64 `json:"coords"`           // [N,2] in the file's units
	Seen   []float32 `json:"seen"`             // [N,2] in the unit square: (Coords - Lo) / Span
	Demand []int32   `json:"demand,omitempty"` // [N]
	// Capacity of a vehicle, in the unit of the demands.
	Capacity int32            `json:"capacity,omitempty"`
	Metric   instances.Metric `json:"metric"` // the file's rule for the length of an edge
	Rounding string           `json:"rounding"`
	Lo       [2]float64       `json:"lo"`
	Span     float64          `json:"span"`
	// BestKnown is the cost of the best known solution by the metric; 0 where none is known.
	BestKnown float64 `json:"best_known,omitempty"`
}

// Cost is the cost of one method's solution.
type Cost struct {
	Name      string  `json:"name"`
	Rounded   float64 `json:"rounded"`     // in the file's units, by its rounding rule
	Unrounded float64 `json:"unrounded"`   // in the file's units
	Square    float64 `json:"unit_square"` // length in the unit square
}

// Student is the policy that is explained.
type Student struct {
	Run       string          `json:"run,omitempty"`
	Teacher   string          `json:"teacher,omitempty"` // whom it was distilled from
	Nodes     int             `json:"nodes,omitempty"`   // size of the instances that it learned from
	Router    string          `json:"router"`            // attention or named
	Routing   student.Routing `json:"routing"`
	StartRule string          `json:"start_rule"` // in words
	Programs  []Program       `json:"programs"`   // [M] in bank order
}

// Program is one program of the student.
type Program struct {
	Name        string    `json:"name"`
	Label       string    `json:"label"` // H00, H01, …
	Description string    `json:"description"`
	Source      string    `json:"source"` // Go
	Class       sdk.Class `json:"class"`
	TauH        float64   `json:"tau_h"` // τ_h of Eq. 2

	Weights []heuristic.Weight `json:"weights,omitempty"` // in the order of the source, with their comments
	// Meanings says what a weight weighs: the feature that it multiplies, such as "its distance", and otherwise what
	// the comment beside it says. A weight with neither is left out.
	Meanings map[string]string `json:"meanings,omitempty"`
	// Unweighted says what Terms.Rest is, such as "distance", or "what has no weight" where it is no single measure.
	Unweighted string `json:"unweighted"`
}

// Step explains one action. The second action of a way by the depot has Via set and no candidates: the decision was the
// step before.
type Step struct {
	evaluate.StepExplanation

	From      int32 `json:"from"` // node where the vehicle is
	Remaining int32 `json:"remaining,omitempty"`

	// Candidates are the nodes to choose from, in increasing order; N+j is customer j by way of the depot. K of them.
	Candidates []int32 `json:"candidates,omitempty"`
	// LeftOut is how many candidates Trim took out.
	LeftOut  int         `json:"left_out,omitempty"`
	Chosen   int         `json:"chosen"`             // index into Candidates; -1 where nothing was decided
	Student  []float32   `json:"student,omitempty"`  // [K] π_S, Eq. 5
	Programs [][]float32 `json:"programs,omitempty"` // [M][K] V_m, Eq. 2
	Firsts   []int32     `json:"firsts,omitempty"`   // [M] the candidate that each program would take by itself
	// Rank of the action among the candidates by distance from the vehicle: 1 is the nearest. The depot is the last.
	Rank int `json:"rank,omitempty"`

	LeaderTie bool `json:"leader_tie,omitempty"` // the two largest weights differ by less than routing.Tie
	ChoiceTie bool `json:"choice_tie,omitempty"` // the two largest of Student differ by less than routing.Tie
	Second    int  `json:"second"`               // the program with the second-largest weight; -1 where there is none
	// WithoutLeader is the candidate that the student would take if its leader had no weight; -1 where it has one
	// program only.
	WithoutLeader int32 `json:"without_leader"`
	// Reasons say why a named router gave the leader more weight than the second program: the heaviest terms of the
	// logarithm of the ratio of both weights. OtherReasons is the sum of all other terms, and ReasonCount how many
	// terms there are in all.
	Reasons      []readable.Term `json:"reasons,omitempty"`
	OtherReasons float64         `json:"other_reasons,omitempty"`
	ReasonCount  int             `json:"reason_count,omitempty"`
	// ReasonGroups are the heaviest sums of all these terms by the feature of the state that has a part in them.
	ReasonGroups []readable.Term `json:"reason_groups,omitempty"`

	// Terms takes the leader's scores of the choice and of another candidate apart. It is nil of a program without
	// weights, of one that crashes without one of its weights, and where nothing was decided.
	Terms *Terms `json:"terms,omitempty"`

	Teacher []float32 `json:"teacher_probs,omitempty"` // [K] π_T at this state
	// TeacherFirst is the candidate that the teacher would take at this state; -1 without a teacher, and where it
	// decides nothing.
	TeacherFirst int32 `json:"teacher_first"`
}

// Terms is how the leader's scores of two candidates come about. The first of each pair is of the student's choice. The
// second is of the teacher's choice where that is another one, and else of the next best: the candidate of the
// second-largest probability.
//
// Of score[k] = -distance + lead·isolation, with lead = 0.4, a choice with distance 0.2 and isolation 0.3 and another
// with 0.1 and 0.05, the scores are -0.08 and -0.08, the term of lead is 0.12 and 0.02, and what is left is the
// distance, -0.2 and -0.1.
type Terms struct {
	Other  int32      `json:"other"`  // the other candidate
	Scores [2]float32 `json:"scores"` // of the leader
	// Weights are the leader's weights in the order of its source.
	Weights []TermOfWeight `json:"weights"`
	// Rest is the scores minus all terms: what has no weight, and what terms that depend on each other share.
	Rest [2]float32 `json:"rest"`
}

// TermOfWeight is what one weight contributes to a program's scores: the score as it is, minus the score with this
// weight at 0. For a sum of weighted terms it is the term itself.
type TermOfWeight struct {
	Name   string     `json:"name"`
	Values [2]float32 `json:"values"`
}

// Decided says whether the student had a choice at this step and made it here.
func (s *Step) Decided() bool { return s.Chosen >= 0 }

// Parts says whether the teacher would have chosen otherwise.
func (s *Step) Parts() bool {
	return s.Decided() && s.TeacherFirst >= 0 && s.Candidates[s.Chosen] != s.TeacherFirst
}

// HasDepot says whether the solution is made of routes from a depot, which is node 0.
func (e *Explanation) HasDepot() bool { return problems.Must(e.Problem).Traits().Depot }
