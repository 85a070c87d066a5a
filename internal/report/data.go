package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
)

// RouterTerms is how many terms of a router, of either kind, a report tells.
const RouterTerms = 40

// Version is the version of Data's JSON form. It rises when a field changes its meaning.
const Version = 1

// Data is the content of a report on one distillation.
type Data struct {
	Version int            `json:"version"`
	Run     Run            `json:"run"`
	Config  config.Distill `json:"config"`
	Teacher Teacher        `json:"teacher"`
	// Habits is what the teacher usually does, on the validation states. Reports before it existed have none.
	Habits *habits.Profile `json:"habits,omitempty"`

	LLM   LLM       `json:"llm"`
	Start StartRule `json:"start"`

	History []Epoch `json:"history"` // in order of Epoch
	Events  []Event `json:"events"`  // in order of Epoch
	// Weights is how the programs' weights changed, in the order of their first changes.
	Weights []WeightWay `json:"weights,omitempty"`

	Fidelity student.Eval                       `json:"fidelity"` // on the test states
	Table    evaluate.Table                     `json:"table"`
	Overlap  map[evaluate.Mode]evaluate.Overlap `json:"overlap"` // teacher's and student's tours, by decode mode

	// Certificate says how far the explanation may be trusted. Reports before it existed have none.
	Certificate *certify.Certificate `json:"certificate,omitempty"`

	Bank []bank.Heuristic `json:"bank"` // in bank order
	// Router is the heaviest terms of a named router in words; nil with another router.
	Router     *readable.Description `json:"router,omitempty"`
	Activation evaluate.Activation   `json:"activation"`
	Tours      []TourPair            `json:"tours"`
	// Explained are the student's solutions of the first test instances, step by step, as the page shows them. What
	// the function JSON writes leaves them out; what a run stores between its steps has them. Reports before they
	// existed have none.
	Explained []explain.Explanation `json:"explained,omitempty"`
	// Solver is the student as a WebAssembly module, with which the page solves nodes of the reader's own. NoSolver
	// says why there is none. The function JSON leaves both out, too.
	Solver   []byte `json:"solver,omitempty"`
	NoSolver string `json:"no_solver,omitempty"`
}

// Run records where and how long the distillation ran.
type Run struct {
	ID       string  `json:"id"`
	Version  string  `json:"epb_version"`
	Started  string  `json:"started,omitempty"`  // RFC 3339
	Finished string  `json:"finished,omitempty"` // RFC 3339
	Minutes  float64 `json:"minutes,omitempty"`
	Machine  string  `json:"machine,omitempty"` // in words: CPU, cores
	Kernels  string  `json:"kernels,omitempty"` // numeric kernels that all bytes come from, in words
	Stopped  string  `json:"stopped,omitempty"` // why Alg. 1 ended, in words
}

// Teacher describes the distilled policy.
type Teacher struct {
	Name       string `json:"name"` // architecture, problem and file: "am-tsp:tsp_20"
	Arch       string `json:"arch"`
	Parameters int    `json:"parameters"`
	SHA256     string `json:"sha256,omitempty"` // of the checkpoint
	// Asked is whom the figures are measured against where that is another teacher: a report is not, but a student that
	// is measured beside a teacher of somebody's choice.
	Asked string `json:"asked,omitempty"`
}

// ByRollouts is the Arch of a teacher of which only recorded solutions are known.
const ByRollouts = "known by its rollouts"

// LLM records who wrote the programs and at what cost.
type LLM struct {
	Models       []string `json:"models"`   // those that wrote programs of the final bank, as their endpoints name them
	StandIn      bool     `json:"stand_in"` // the rule-based stand-in answered, not a language model
	Calls        int      `json:"calls"`
	InputTokens  int      `json:"input_tokens"`
	OutputTokens int      `json:"output_tokens"`
	CostUSD      float64  `json:"cost_usd"`

	// Replayed: replies came from an archive of another run, which paid for them.
	Replayed bool `json:"replayed,omitempty"`

	NullWriter bool `json:"null_writer,omitempty"` // the null writer answered, by lot

	Roles []LLMRole `json:"roles,omitempty"` // what each role and model was asked
}

// LLMRole is the part of one role and one model in what a run asked.
type LLMRole struct {
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Replies      int     `json:"replies"`
	Unusable     int     `json:"unusable"` // replies that could not be used
	Calls        int     `json:"calls"`    // that were paid for: a question that was asked before costs nothing
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
	Kept         int     `json:"kept"` // programs of its replies that were kept because they lower the loss
}

// StartRule is the student's first decision with how well it repeats the teacher's.
type StartRule struct {
	Rule      startrule.Rule     `json:"rule"` // empty where the start is given
	Agreement float64            `json:"agreement"`
	Ranking   []startrule.Scored `json:"ranking,omitempty"` // runners-up included
}

// Epoch is one point of the training curves.
type Epoch struct {
	Epoch     int     `json:"epoch"`
	Pass      int     `json:"pass"` // outer pass of Alg. 1
	TrainLoss float64 `json:"train_loss"`
	ValLoss   float64 `json:"val_loss"`
	ValTop1   float64 `json:"val_top1"`
	Coverage  float64 `json:"coverage,omitempty"`
	BankSize  int     `json:"bank_size"`
}

// The kinds of events.
const (
	EditAccepted = "edit accepted"
	EditRejected = "edit rejected"
	Added        = "added"
	Dropped      = "dropped"
	Tuned        = "weights"       // weights were trained, or a term folded away
	LimitReached = "limit reached" // no edit was tried
	BuildChanged = "build changed" // from here on workers of another commit trained
)

// Event is a change of the bank, or an attempt at one.
type Event struct {
	Epoch     int     `json:"epoch"`
	Kind      string  `json:"kind"`
	Heuristic string  `json:"heuristic"`
	Gain      float64 `json:"gain,omitempty"` // fall of the validation loss; for additions the rise of coverage
	Note      string  `json:"note,omitempty"` // what the critique or the verdict says, in a sentence
}

// IsAddition says that Gain is a rise of coverage.
func (e Event) IsAddition() bool { return e.Kind == Added }

// TourPair sets the teacher's and the student's greedy tours, in CVRP solutions, of one instance side by side.
type TourPair struct {
	Problem  routing.Problem `json:"problem,omitempty"` // "" means TSP
	Instance string          `json:"instance"`
	Coords   []float32       `json:"coords"` // [N,2]
	Teacher  Tour            `json:"teacher"`
	Student  Tour            `json:"student"`
	Overlap  float64         `json:"overlap"` // share of common undirected edges
}

// Tour is one closed tour, or the actions of a CVRP solution. For the student, Steps explains each action but a given
// first.
type Tour struct {
	Actions []int32                    `json:"actions"`
	Cost    float64                    `json:"cost"`
	Steps   []evaluate.StepExplanation `json:"steps,omitempty"`
}

// ByRule names who answered in place of a language model: "stand-in", "null writer", both, or nobody.
func (l LLM) ByRule() string { return ledger.ByRule(l.StandIn, l.NullWriter) }

// Summary is the run in one line.
func (d Data) Summary() string {
	s := fmt.Sprintf("bank of %d, top-1 %s, coverage %.3f",
		len(d.Bank), decimal.Percent(d.Fidelity.Top1), d.Fidelity.Coverage)
	if gap := d.Gap(); gap != nil {
		s += fmt.Sprintf(", greedy gap to the teacher %s %%", decimal.Fixed(*gap, 2))
	}
	if who := d.LLM.ByRule(); who != "" {
		s += " (LLM side by the rule-based " + who + ", no LLM)"
	}
	return s
}

// Gap is the student's greedy gap to the teacher in per cent, nil where it was not measured.
func (d Data) Gap() *float64 {
	row, ok := d.Table.Find(evaluate.KindStudent)
	if !ok || row.Greedy == nil {
		return nil
	}
	return &row.Greedy.Gap.Percent
}

// MixedTop1 is the agreement with the teacher where the rules are mixed, however the student is routed. It is 0 where
// it is not known: reports before it was measured have it only of a student that mixes.
func (d Data) MixedTop1() float64 {
	if d.Fidelity.Mixed == 0 && !d.OneRule() {
		return d.Fidelity.Top1
	}
	return d.Fidelity.Mixed
}

// JSON writes d indented, with Version set and without what only the page needs: every probability of Explained would
// be a line.
func JSON(w io.Writer, d Data) error {
	d.Version, d.Explained, d.Solver, d.NoSolver = Version, nil, nil, ""
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// Read reads what JSON wrote. It refuses other versions.
func Read(r io.Reader) (Data, error) {
	var d Data
	if err := json.NewDecoder(r).Decode(&d); err != nil {
		return Data{}, fmt.Errorf("read report data: %w", err)
	}
	if d.Version != Version {
		return Data{}, fmt.Errorf("read report data: version %d, this program reads version %d", d.Version, Version)
	}
	return d, nil
}
