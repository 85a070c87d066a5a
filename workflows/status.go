package workflows

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// Stage is the current stage of a run, in words for people.
type Stage string

// The stages.
const (
	StagePreparing  Stage = "preparing"
	StageRollouts   Stage = "rollouts"
	StageSketch     Stage = "sketch"
	StageDagger     Stage = "student rollouts"
	StageTraining   Stage = "training"
	StageWeights    Stage = "weights"
	StageDescribing Stage = "describing"
	StageTextGrad   Stage = "textgrad"
	StageAdd        Stage = "add"
	StageDrop       Stage = "drop"
	StageWaiting    Stage = "waiting for LLM"
	StagePaused     Stage = "paused"
	StageEvaluating Stage = "evaluating"
	StageReporting  Stage = "reporting"
	StageDone       Stage = "done"
)

// Status answers QueryStatus.
type Status struct {
	Stage   Stage     `json:"stage"`
	Note    string    `json:"note,omitempty"` // e.g. what it waits for
	Paused  bool      `json:"paused"`         // told to pause; Stage says whether it does yet
	Stop    bool      `json:"stop"`           // told to stop
	Started time.Time `json:"started"`
	Teacher string    `json:"teacher,omitempty"`
	Pass    int       `json:"pass"`
	Epoch   int       `json:"epoch"`
	Epochs  int       `json:"epochs"`           // limit, annealing included
	Anneal  int       `json:"anneal,omitempty"` // of them, those of annealing
	Bank    int       `json:"bank"`
	States  int       `json:"states"` // training states
	Spend   Spend     `json:"spend"`
	Round   Spend     `json:"round,omitzero"` // what the round under way has told so far, which Spend does not hold yet
	StandIn bool      `json:"stand_in"`
	Kernels string    `json:"kernels,omitempty"` // numeric kernels the run stays with, see QueueFor
	Points  []Point   `json:"points"`
	Events  []Event   `json:"events"`
	Summary string    `json:"summary,omitempty"` // of the result, once there is one

	// When the run should have come to its evaluation at the latest, by its own passes so far. It is left out before
	// the first pass is over, while the run waits, and from the evaluation on.
	Ends *time.Time `json:"ends,omitempty"`
}

// EpochWords says which epoch of how many the run is at, as its config counts them.
func (s Status) EpochWords() string {
	text := fmt.Sprintf("epoch %d of at most %d", s.Epoch, s.Epochs-s.Anneal)
	if s.Anneal > 0 {
		text += fmt.Sprintf(" + %d annealing", s.Anneal)
	}
	return text
}

// Spent is what the run has spent, with the round that is under way.
func (s Status) Spent() Spend { return s.Spend.Plus(s.Round) }

// SpendWords says what the run spent, and whether anything was answered by rule or from an archive.
func (s Status) SpendWords() string {
	spent := s.Spent()
	text := spent.String()
	if who := ledger.ByRule(s.StandIn || spent.StandIn, spent.NullWriter); who != "" {
		text += " (" + who + ")"
	}
	if spent.Replayed {
		text += " (replayed from an archive, paid for before)"
	}
	return text
}

// MemoStatus is the key of a distillation's memo: its Status with the last point and without events. Temporal lists the
// memo beside the run, without a worker, whatever search attributes the server knows. A run that continues as new keeps
// it.
const MemoStatus = "epb"

// Search attributes by which Temporal's UI lists and sorts distillations. The server must know them; `epb dev up`
// registers them. The starter sets the teacher, and a distillation keeps the others up to date.
var (
	AttrTeacher = temporal.NewSearchAttributeKeyKeyword("EpbTeacher")

	AttrStage = temporal.NewSearchAttributeKeyKeyword("EpbStage")
	AttrTop1  = temporal.NewSearchAttributeKeyFloat64("EpbTop1")
	AttrLoss  = temporal.NewSearchAttributeKeyFloat64("EpbLoss")
	AttrBank  = temporal.NewSearchAttributeKeyInt64("EpbBankSize")
	AttrPass  = temporal.NewSearchAttributeKeyInt64("EpbPass")

	AttrKernels = temporal.NewSearchAttributeKeyKeyword("EpbKernels")
)

// SearchAttributes returns all search attributes of a distillation.
func SearchAttributes() []temporal.SearchAttributeKey {
	return []temporal.SearchAttributeKey{
		AttrStage, AttrTeacher, AttrTop1, AttrLoss, AttrBank, AttrPass, AttrKernels,
	}
}

func (d *distillation) status() Status {
	return Status{
		Stage: d.stage, Note: d.note, Paused: d.st.Paused, Stop: d.st.Stop, Started: d.st.Started,
		Teacher: d.st.TeacherName,
		Pass:    d.pass() + 1, Epoch: d.st.Epoch, Summary: d.summary,
		Epochs: d.cfg.MostEpochs() + d.cfg.Train.AnnealEpochs, Anneal: d.cfg.Train.AnnealEpochs,
		Bank: d.st.Model.Size, States: trainStates(d.st.Data), Spend: d.st.Spend, Round: d.round.Spend,
		StandIn: d.st.Model.StandIn || d.round.Spend.StandIn,
		Kernels: d.st.Kernels, Points: d.st.Points, Events: d.st.Events, Ends: d.ends(),
	}
}

func trainStates(data Dataset) int {
	n := 0
	for _, s := range data.Train {
		n += s.States
	}
	return n
}

// caption returns the summary of a step for Temporal's UI, whose first tab shows nothing else of a run. It says what
// the step is for and where the run stands when the step begins. It is short, since the UI cuts it. Example:
//
//	epochs 7 to 9, 12 programs · pass 2, epoch 6 of 18 · top-1 88.4 % · LLM 34 calls, 0.52 USD
func (d *distillation) caption(what string) string {
	s := d.status()
	text := fmt.Sprintf("%s · pass %d, epoch %d of %d", what, s.Pass, s.Epoch, s.Epochs-s.Anneal)
	if s.Epoch > s.Epochs-s.Anneal {
		text += fmt.Sprintf(" + %d annealing", s.Anneal)
	}
	if last, ok := s.last(); ok {
		text += fmt.Sprintf(" · top-1 %.1f %%", 100*last.Top1)
	}
	spent := s.Spent()
	text += fmt.Sprintf(" · LLM %d calls", spent.Calls)
	if spent.MicroUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", spent.USD())
	}
	if who := ledger.ByRule(s.StandIn, spent.NullWriter); who != "" {
		text += " (" + who + ")"
	}
	return text
}

// show shows in Temporal's UI that the run is at a stage, and what it has reached.
func (d *distillation) show(ctx workflow.Context, stage Stage) {
	d.stage = stage
	s := d.showDetails(ctx)
	d.updateMemo(ctx, s)
	if !d.st.SearchAttributes {
		return
	}
	attributes := []temporal.SearchAttributeUpdate{AttrStage.ValueSet(string(stage)), AttrPass.ValueSet(int64(s.Pass)),
		AttrBank.ValueSet(int64(s.Bank))}
	if last, ok := s.last(); ok { // a run without an epoch is not the one of the lowest loss
		attributes = append(attributes, AttrTop1.ValueSet(last.Top1), AttrLoss.ValueSet(last.ValLoss))
	}
	if s.Kernels != "" { // a run from before kernels had names may be on a server that does not know this attribute
		attributes = append(attributes, AttrKernels.ValueSet(s.Kernels))
	}
	// An upsert fails only when it has no attribute.
	_ = workflow.UpsertTypedSearchAttributes(ctx, attributes...)
}

// showDetails shows where the run stands as its current details, and returns it.
func (d *distillation) showDetails(ctx workflow.Context) Status {
	s := d.status()
	var b strings.Builder
	problem := strings.ToUpper(string(d.cfg.Problem))
	fmt.Fprintf(&b, "distil %s on %s-%d\n\n", cmp.Or(s.Teacher, d.cfg.Name), problem, d.cfg.Nodes)
	fmt.Fprintf(&b, "**%s** · pass %d · %s · bank of %d\n\n", s.Stage, s.Pass, s.EpochWords(), s.Bank)
	if s.Summary != "" {
		fmt.Fprintf(&b, "**%s**\n\n", s.Summary)
	}
	if s.Ends != nil {
		fmt.Fprintf(&b, "evaluation from about %s on, or earlier if the bank settles\n\n",
			s.Ends.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if s.Note != "" {
		fmt.Fprintf(&b, "**%s**\n\n", s.Note)
	}
	if last, ok := s.last(); ok {
		fmt.Fprintf(&b, "train loss %.4f · validation loss %.4f · top-1 %.3f · coverage %.3f\n\n",
			last.TrainLoss, last.ValLoss, last.Top1, last.Coverage)
	}
	spent := s.Spent()
	fmt.Fprintf(&b, "LLM: %s", spent)
	if s.Round != (Spend{}) {
		fmt.Fprintf(&b, " · of them %s in the round under way", s.Round)
	}
	if who := ledger.ByRule(s.StandIn, spent.NullWriter); who != "" {
		fmt.Fprintf(&b, " · written by the rule-based **%s**, no LLM", who)
	}
	if spent.Replayed {
		b.WriteString(" · **replayed** from an archive, paid for before")
	}
	b.WriteString("\n\n")
	if s.Kernels != "" {
		fmt.Fprintf(&b, "only workers with the numeric kernels %s go on with it\n\n", s.Kernels)
	}
	for _, e := range s.Events[max(0, len(s.Events)-8):] {
		fmt.Fprintf(&b, "- epoch %d: %s %s %s\n", e.Epoch, e.Kind, e.Name, e.Detail)
	}
	workflow.SetCurrentDetails(ctx, b.String())
	return s
}

// last returns the last epoch, if there was one.
func (s Status) last() (Point, bool) {
	if n := len(s.Points); n > 0 {
		return s.Points[n-1], true
	}
	return Point{}, false
}

// updateMemo keeps the memo up to date.
func (d *distillation) updateMemo(ctx workflow.Context, s Status) {
	if d.version < versionOrdered {
		return
	}
	s.Points, s.Events = s.Points[max(0, len(s.Points)-1):], nil
	// An upsert fails only when it is empty or cannot be encoded.
	_ = workflow.UpsertMemo(ctx, map[string]any{MemoStatus: s})
}
