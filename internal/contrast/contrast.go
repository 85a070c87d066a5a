package contrast

import (
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Contrast is how two policies, A and B, differ in the same states and by the same programs. Arrays of two hold what is
// A's and what is B's. Differences are A's value less B's.
type Contrast struct {
	Problem routing.Problem `json:"problem"`
	Names   [2]string       `json:"names"`
	Bank    string          `json:"bank"`   // what its programs are, in words
	Nodes   int             `json:"nodes"`  // of an instance, a depot not counted
	Starts  int             `json:"starts"` // see Input

	// Way is what stages are parts of, in words.
	Way string `json:"way"`

	TrainInstances int `json:"train_instances"`
	Instances      int `json:"instances"`
	Decisions      int `json:"decisions"` // in the states of both policies' solutions
	// LeftOut are decisions in which one policy refuses a candidate that the other may take.
	LeftOut int    `json:"left_out,omitempty"`
	Seed    uint64 `json:"seed"`
	Machine string `json:"machine,omitempty"`
	Kernels string `json:"kernels,omitempty"`

	Findings []string `json:"findings"` // in plain words

	Same   Estimate                `json:"same"`    // share of decisions in which both choose the same
	SameIn [2]Estimate             `json:"same_in"` // the same, in the states of A's solutions and of B's
	Stages [habits.Stages]Estimate `json:"stages"`  // by stage
	Routed [2]Routed               `json:"routed"`

	Programs   []Program   `json:"programs"`   // in bank order
	Categories []Category  `json:"categories"` // those that have programs
	Conditions []Condition `json:"conditions"` // the clearest first
	Partings   []Parting   `json:"partings"`   // early, midway and late
	Examples   []Example   `json:"examples"`
}

// Routed is the bank with the router that was fitted to one of the policies.
type Routed struct {
	Fidelity student.Eval `json:"fidelity"` // to its own policy
	Own      Estimate     `json:"own"`      // share of decisions in which its first choice is its own policy's
	Other    Estimate     `json:"other"`    // the same of the other policy's
	// PartedOwn and PartedOther are these shares where the policies part.
	PartedOwn   Estimate              `json:"parted_own"`
	PartedOther Estimate              `json:"parted_other"`
	Activation  evaluate.Activation   `json:"activation"`
	Router      *readable.Description `json:"router"` // its heaviest terms in words
}

// Program is how much more one program weighs for A than for B.
type Program struct {
	Name     string                  `json:"name"`
	Category sdk.Category            `json:"category"`
	Weight   [2]float64              `json:"weight"` // mean w_m, of both fits
	Leads    [2]float64              `json:"leads"`  // share of decisions in which w_m is the largest, of both fits
	More     Estimate                `json:"more"`   // difference of the mean weights
	Stages   [habits.Stages]Estimate `json:"stages"` // the same, by stage
}

// Category is how much more the programs of a category weigh together for A than for B (paper, figure "Phase-aware vs
// geometry-aware").
type Category struct {
	Name     sdk.Category            `json:"name"`
	Programs int                     `json:"programs"`
	Weight   [2]float64              `json:"weight"` // mean over all decisions
	More     Estimate                `json:"more"`
	Stages   [habits.Stages]Estimate `json:"stages"` // difference, by stage
	// Deviating is the mean weight where the policy itself does not go to the nearest candidate, as in the paper's
	// figure. The two policies deviate in different states.
	Deviating     [2]Estimate `json:"deviating"`
	DeviatingMore Estimate    `json:"deviating_more"`
}

// Condition says that a program weighs more for A than for B in some states than in others. Its estimates come from
// other instances, and from other fits of the routers, than those on which it was chosen.
type Condition struct {
	Program  string       `json:"program"`
	Feature  string       `json:"feature"`  // of the state
	Category sdk.Category `json:"category"` // of a rule that would read the feature alone
	High     string       `json:"high"`     // states with a high value in words: "late in the tour"
	Low      string       `json:"low"`
	Above    Estimate     `json:"above"`  // difference of the weights in the third of states with the highest values
	Below    Estimate     `json:"below"`  // in the third with the lowest
	Change   Estimate     `json:"change"` // Above less Below
}

// Parting says what A's choice has and B's has not, where they part. Its estimates come from other instances than those
// on which the features were chosen.
type Parting struct {
	When   string   `json:"when"`   // early, midway, late
	Parted Estimate `json:"parted"` // share of decisions
	Terms  []Term   `json:"terms"`  // the clearest first
}

// Term is a feature in which the two choices differ.
type Term struct {
	Feature string   `json:"feature"`
	A       string   `json:"a"`    // what A's choice rather is, in words: "isolated cities"
	B       string   `json:"b"`    // what B's choice rather is
	More    Estimate `json:"more"` // of A's choice less of B's, in spreads within a state
}

// Example is a decision in which both policies are sure of different choices, and each router follows its own.
type Example struct {
	Instance int       `json:"instance"`
	Step     int       `json:"step"`
	Steps    int       `json:"steps"`  // of the solution
	Coords   []float32 `json:"coords"` // [N,2]
	Path     []int32   `json:"path"`   // nodes visited before, in order

	Choice [2]int32   `json:"choice"` // candidates: N+j is customer j by way of the depot
	Rank   [2]int     `json:"rank"`   // by distance, 1 for the nearest
	Prob   [2]float64 `json:"prob"`   // that each policy gives to its own choice
	Leader [2]string  `json:"leader"`
	Weight [2]float64 `json:"weight"` // of the leader
	// Reasons say why each router trusts its leader more than the other router's leader.
	Reasons [2][]readable.Term `json:"reasons"`
}
