package certify

import (
	"slices"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/student"
)

// Share is a share of decisions, in [0,1].
type Share struct {
	Of float64            `json:"of"`
	N  int                `json:"n"` // decisions
	CI bootstrap.Interval `json:"ci95"`
	// Instances is how many instances have these decisions. Certificates before it was counted have none.
	Instances int `json:"instances,omitempty"`
}

// Few reports whether the decisions, or the instances that they come from, are too few to say anything.
func (s Share) Few() bool {
	return s.N < fewest || s.Instances > 0 && s.Instances < bootstrap.FewestInstances
}

// Slice is the agreement on some of the decisions.
type Slice struct {
	What    string `json:"what"`
	Student Share  `json:"student"` // the student's first choice is the teacher's
	Nearest Share  `json:"nearest"` // the nearest candidate is the teacher's
}

// Agreement is how often the student's first choice is the teacher's, on which decisions.
type Agreement struct {
	Overall    Slice   `json:"overall"`
	Stages     []Slice `json:"stages"`     // by the share of the nodes that are visited
	Candidates []Slice `json:"candidates"` // by K
	Ranks      []Slice `json:"ranks"`      // by the distance rank of the teacher's choice
	// Hard are decisions in which the teacher takes neither the nearest nor what a plan of the rest begins with;
	// without a plan, those in which it does not take the nearest.
	Hard *Slice `json:"hard"`
}

// Slices returns all of them, the one on all decisions first.
func (a Agreement) Slices() []Slice {
	all := slices.Concat([]Slice{a.Overall}, a.Stages, a.Candidates, a.Ranks)
	if a.Hard != nil {
		all = append(all, *a.Hard)
	}
	return all
}

// Margin is a quantile of the leader's lead.
type Margin struct {
	Quantile float64 `json:"quantile"`
	Lead     float64 `json:"lead"` // the largest weight minus the second one
}

// Attribution says how far one program decides.
type Attribution struct {
	Alone Share `json:"alone"` // the leader by itself would choose what the student chooses
	Ties  Share `json:"ties"`  // the leader is ahead by less than routing.Tie
	// Consensus is the share of the programs that would by themselves choose what the student chooses.
	Consensus   float64            `json:"consensus"`
	ConsensusCI bootstrap.Interval `json:"consensus_ci95"`
	Margins     []Margin           `json:"margins"`
	// Removed and Swapped are the shares of decisions that change if the leader is left out, the other weights growing
	// in proportion, and if a program drawn by lot takes over the leader's weight and the leader has that program's.
	Removed     Share `json:"removed"`
	Swapped     Share `json:"swapped"`
	RemovedTop1 Share `json:"removed_top1"` // agreement with the teacher then
	SwappedTop1 Share `json:"swapped_top1"`
}

// Program is what the certificate says of one program.
type Program struct {
	Name  string  `json:"name"`
	Leads Share   `json:"leads"` // of all decisions
	Top1  Share   `json:"top1"`  // its own first choice is the teacher's
	Niche Share   `json:"niche"` // the same, where it leads; N is 0 where it never does
	TauH  float64 `json:"tau_h"`
	// Fits is the τ_h at which the program by itself comes nearest to the teacher where it leads, or everywhere if it
	// leads nowhere. Without a scale it says nothing, see agreement.FitScale.
	Fits     float64            `json:"fitting_tau_h"`
	FitsCI   bootstrap.Interval `json:"fitting_tau_h_ci95,omitzero"`
	HasScale bool               `json:"has_scale"`
	// Loss is what the loss of the mixture (Eq. 6) rises by, in nats a decision, if the program is left out.
	Loss   float64            `json:"loss_without"`
	LossCI bootstrap.Interval `json:"loss_without_ci95"`
	// Changed is the share of decisions that the student takes otherwise without the program, Right its agreement then,
	// and Lost by how much this is lower. Certificates before they were measured have none.
	Changed Share              `json:"changed_without,omitzero"`
	Right   Share              `json:"top1_without,omitzero"`
	Lost    float64            `json:"top1_lost_without,omitzero"`
	LostCI  bootstrap.Interval `json:"top1_lost_without_ci95,omitzero"`
}

// HasFit reports whether the τ_h that fits the program is known: without a scale, or by few decisions, it is not.
func (p Program) HasFit() bool { return p.HasScale && (p.Niche.N == 0 || !p.Niche.Few()) }

// Twins are programs that are one in several wordings: each chooses the same as another of them in more than twinShare
// of the decisions.
type Twins struct {
	Names string  `json:"programs"`
	Same  float64 `json:"same"`  // the least share of a pair that links them
	Leads Share   `json:"leads"` // one of them leads
}

// Role says who constructs the solutions of a row of costs.
type Role string

// The roles of rows that are judged by themselves.
const (
	RoleDropped Role = "leaders dropped" // the student without the leader of each step
	RoleSwapped Role = "leaders swapped" // the student with a program drawn by lot in each leader's place
)

// Tours are the costs of solutions that begin as the teacher's begin and are constructed greedily.
type Tours struct {
	What string        `json:"what"`           // who constructs
	Role Role          `json:"role,omitempty"` // "" of other rows, and of certificates before it existed
	Gap  bootstrap.Gap `json:"gap"`            // to the teacher
	Rise bootstrap.Gap `json:"rise"`           // over the student
	// Single says that the student's cheapest single program constructs them.
	Single bool `json:"single,omitempty"`
}

// twinShare is the agreement beyond which two programs are one in two wordings.
const twinShare = 0.95

// Change says who changes the decision when an instance is changed a little, away from the vehicle and its choice. It
// is asked where teacher and student choose the same before.
type Change struct {
	What    string `json:"what"`
	Teacher Share  `json:"teacher"` // the teacher then chooses another node
	Student Share  `json:"student"` // so does the student
	Both    Share  `json:"both"`    // the student changes, where the teacher does
	Alone   Share  `json:"alone"`   // the student changes, where the teacher does not
	Same    Share  `json:"same"`    // both agree afterwards, where the teacher changes
}

// Rival is something simpler, or something without an explanation, on the same decisions.
type Rival struct {
	Name string `json:"name"`
	Top1 Share  `json:"top1"`
	// Ahead is by how much the student's agreement exceeds the rival's on the same decisions.
	Ahead   float64            `json:"student_ahead"`
	AheadCI bootstrap.Interval `json:"student_ahead_ci95"`
	Single  bool               `json:"single,omitempty"`  // the program of the student's bank that agrees most often
	Nearest bool               `json:"nearest,omitempty"` // it always takes the nearest candidate
	Opaque  bool               `json:"opaque,omitempty"`  // it explains nothing and shows what the features allow
}

// Stability compares the leaders with those of another student of the same teacher.
type Stability struct {
	Name    string `json:"name"`
	Choices Share  `json:"choices"` // both students choose the same
	Leaders Share  `json:"leaders"` // both leaders are a matched pair
	// Chance is Leaders if leaders were drawn by lot with the same frequencies.
	Chance  float64    `json:"leaders_by_chance"`
	Matches [][2]int32 `json:"matches"` // program here, program there
}

// Certificate is all of it.
type Certificate struct {
	Student   string    `json:"student"`
	Teacher   string    `json:"teacher"`
	Problem   string    `json:"problem"`
	Nodes     int       `json:"nodes"` // of an instance, a depot not counted
	Instances int       `json:"instances"`
	Data      string    `json:"data"` // what the instances are, in words: "fresh instances"
	Decisions int       `json:"decisions"`
	Seed      uint64    `json:"seed"`
	Machine   string    `json:"machine,omitempty"`
	Kernels   string    `json:"kernels,omitempty"`
	Routing   string    `json:"routing"`
	Agreement Agreement `json:"agreement"`
	// KL is the mean KL(π_T‖π_S), in nats a decision.
	KL        float64            `json:"kl"`
	KLCI      bootstrap.Interval `json:"kl_ci95"`
	Leader    Attribution        `json:"leader"`
	Programs  []Program          `json:"programs"`
	Twins     []Twins            `json:"twins"`
	Tours     []Tours            `json:"tours"` // the student's come first
	Changes   []Change           `json:"changes"`
	Rivals    []Rival            `json:"rivals"`
	Stability []Stability        `json:"stability"`
	// Good and Warnings are the findings in plain words, Unclear what there were too few cases to find out.
	Good     []string `json:"good"`
	Warnings []string `json:"warnings"`
	Unclear  []string `json:"unclear,omitempty"`
}

// OneRule reports whether the program of the largest weight decides each step alone. That it would choose what the
// student chooses then holds by construction.
func (c *Certificate) OneRule() bool { return c.Routing == string(student.Hard) }
