package workflows

import (
	"time"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// Shard refers to a rollout shard in the store.
type Shard struct {
	Object    store.Ref `json:"object"`
	Instances int       `json:"instances"`
	States    int       `json:"states"`
}

// Dataset is the data that the student learns from and is validated on.
type Dataset struct {
	Train []Shard `json:"train"`
	Val   []Shard `json:"val"`
	Test  []Shard `json:"test,omitempty"` // of a teacher known by its rollouts; others solve fresh instances
}

// Model is the student at one moment: a bank and the router trained on it.
type Model struct {
	Bank     store.Ref `json:"bank"`     // bank.Bank as JSON
	Size     int       `json:"size"`     // M
	Student  store.Ref `json:"student"`  // trainer checkpoint; zero before the first epoch
	Trained  store.Ref `json:"trained"`  // the bank the checkpoint fits
	StandIn  bool      `json:"stand_in"` // the rule-based stand-in answered instead of an LLM
	Revision int       `json:"revision"` // how often the bank changed
}

// ModelAndData is what most steps begin with: the student, and the states it is trained and judged on.
type ModelAndData struct {
	Model Model   `json:"model"`
	Data  Dataset `json:"data"`
}

// NamedTeacher is the teacher's checkpoint and the name of its file, after which the policy is named.
type NamedTeacher struct {
	Teacher store.Ref `json:"teacher"`
	Name    string    `json:"name"`
}

// Moment is where in a run something happens: the completed outer passes and the completed epochs.
type Moment struct {
	Pass  int `json:"pass"`
	Epoch int `json:"epoch"`
}

// Event returns an event of this moment.
func (m Moment) Event(kind EventKind, name, detail string) Event {
	return Event{Epoch: m.Epoch, Pass: m.Pass, Kind: kind, Name: name, Detail: detail}
}

// LLMAccess is how an activity may use the LLM: which models it asks, and what it may spend.
type LLMAccess struct {
	LLM    config.LLM     `json:"llm"`
	Budget *ledger.Budget `json:"budget,omitempty"` // nil: no limit
}

// Spend counts what the LLM side used. An answer counts once per run, whether it was asked for or found in the store.
type Spend = ledger.Spend

// Point is one epoch of the training history.
type Point struct {
	Epoch     int     `json:"epoch"`
	Pass      int     `json:"pass"`
	TrainLoss float64 `json:"train_loss"`
	ValLoss   float64 `json:"val_loss"`
	Top1      float64 `json:"top1"` // validation
	Coverage  float64 `json:"coverage"`
	Bank      int     `json:"bank"`
}

// Progress is the heartbeat of an activity. The UI and `epb watch` show it.
type Progress struct {
	What  string       `json:"what"`
	Done  int          `json:"done"`
	Total int          `json:"total"`
	Train *TrainOutput `json:"train,omitempty"` // finished epochs of the running segment: a retry goes on from here

	Sketch *SketchCheckpoint `json:"sketch,omitempty"` // finished stages of a sketch: a retry goes on from here

	Weights *WeightsCheckpoint `json:"weights,omitempty"` // likewise of a training of weights

	Unanswered *Unanswered `json:"unanswered,omitempty"` // in an earlier attempt of an activity that asks the LLM
	// Failures is how many attempts so far failed for the activity's input alone.
	Failures int `json:"failures,omitempty"`

	// What the activity has spent on the LLM so far, in all its attempts. Its result counts the same answers.
	Spend Spend `json:"spend,omitzero"`
}

// Unanswered is a question to the LLM that has no answer so far. Heartbeats hand it from one attempt of an activity to
// the next, which asks again for as long as there is time left.
type Unanswered struct {
	Request string    `json:"request"`          // key of the request
	Since   time.Time `json:"since"`            // when it was asked first
	Broken  int       `json:"broken,omitempty"` // replies without an answer, each perhaps paid for
}

// Unresolved is a textual gradient that led to no accepted edit. It is momentum for the next round on the same
// heuristic.
type Unresolved struct {
	Heuristic string    `json:"heuristic"` // name
	Gradient  store.Ref `json:"gradient"`
}

// Past is what became of the last edits of a heuristic, for the writer of the next one.
type Past struct {
	Heuristic string      `json:"heuristic"`          // name
	Rejected  []Rejection `json:"rejected,omitempty"` // of the code as it is, the newest last
	Gain      float64     `json:"gain,omitempty"`     // by which the last accepted edit lowered the validation loss
}

// Blame is the score of Eq. 10 that a heuristic has accumulated since its last revision. The heuristics with the
// highest scores are revised first. Since scores add up over rounds, every heuristic that fails is revised at some
// time.
type Blame struct {
	Heuristic string  `json:"heuristic"` // name
	Score     float64 `json:"score"`     // mean over the states of a round, summed over rounds
}

// EventKind says what happened to the bank, or why it did not change.
type EventKind string

// The kinds of events.
const (
	EventTextGrad EventKind = "textgrad" // an edit was accepted
	EventRejected EventKind = "rejected" // an edit or a candidate was turned down
	EventAdd      EventKind = "add"      // a candidate was admitted
	EventDrop     EventKind = "drop"     // a heuristic was taken out
	EventWeights  EventKind = "weights"  // weights were trained, or a term folded away
	EventLimit    EventKind = "limit"    // nothing was tried: the budget is used up or the bank is full
	EventWaiting  EventKind = "waiting"  // the LLM is unavailable: nothing is tried, or Add goes on without
	EventBuild    EventKind = "build"    // workers of another commit went on with the run
)

// Event is something that happened to the bank, or to the run as a whole.
type Event struct {
	Epoch  int       `json:"epoch"`
	Pass   int       `json:"pass"`
	Kind   EventKind `json:"kind"`
	Name   string    `json:"name"` // heuristic
	Detail string    `json:"detail"`
	Before float64   `json:"before"` // validation loss, or coverage for add
	After  float64   `json:"after"`
}
