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
	StandIn bool      `json:"stand_in"`
	Kernels string    `json:"kernels,omitempty"` // numeric kernels the run stays with, see QueueFor
	Points  []Point   `json:"points"`
	Events  []Event   `json:"events"`
	Summary string    `json:"summary,omitempty"` // of the result, once there is one
}

// EpochWords says which epoch of how many the run is at, as its config counts them.
func (s Status) EpochWords() string {
	text := fmt.Sprintf("epoch %d of at most %d", s.Epoch, s.Epochs-s.Anneal)
	if s.Anneal > 0 {
		text += fmt.Sprintf(" + %d annealing", s.Anneal)
	}
	return text
}

// SpendWords says what the run spent, and whether anything was answered by rule or from an archive.
func (s Status) SpendWords() string {
	text := s.Spend.String()
	if who := ledger.ByRule(s.StandIn, s.Spend.NullWriter); who != "" {
		text += " (" + who + ")"
	}
	if s.Spend.Replayed {
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

// SearchAttributes returns all of them.
func SearchAttributes() []temporal.SearchAttributeKey {
	return []temporal.SearchAttributeKey{
		AttrStage, AttrTeacher, AttrTop1, AttrLoss, AttrBank, AttrPass, AttrKernels,
	}
}

func (d *distillation) status() Status {
	return Status{
		Stage: d.stage, Note: d.note, Paused: d.st.Paused, Stop: d.st.Stop, Started: d.st.Started,
		Teacher: d.st.TeacherName,
		Pass:    min(d.st.Pass+1, d.cfg.Limits.Passes), Epoch: d.st.Epoch, Summary: d.summary,
		Epochs: d.cfg.Limits.Epochs + d.cfg.Train.AnnealEpochs, Anneal: d.cfg.Train.AnnealEpochs,
		Bank: d.st.Model.Size, States: trainStates(d.st.Data), Spend: d.st.Spend, StandIn: d.st.Model.StandIn,
		Kernels: d.st.Kernels, Points: d.st.Points, Events: d.st.Events,
	}
}

func trainStates(data Dataset) int {
	n := 0
	for _, s := range data.Train {
		n += s.States
	}
	return n
}

// show shows the state of the run in the Temporal UI.
func (d *distillation) show(ctx workflow.Context, stage Stage) {
	d.stage = stage
	s := d.status()
	var b strings.Builder
	problem := strings.ToUpper(string(d.cfg.Problem))
	fmt.Fprintf(&b, "distil %s on %s-%d\n\n", cmp.Or(s.Teacher, d.cfg.Name), problem, d.cfg.Nodes)
	fmt.Fprintf(&b, "**%s** · pass %d · %s · bank of %d\n\n", stage, s.Pass, s.EpochWords(), s.Bank)
	if s.Summary != "" {
		fmt.Fprintf(&b, "**%s**\n\n", s.Summary)
	}
	if d.note != "" {
		fmt.Fprintf(&b, "**%s**\n\n", d.note)
	}
	var last Point
	if n := len(s.Points); n > 0 {
		last = s.Points[n-1]
		fmt.Fprintf(&b, "train loss %.4f · validation loss %.4f · top-1 %.3f · coverage %.3f\n\n",
			last.TrainLoss, last.ValLoss, last.Top1, last.Coverage)
	}
	fmt.Fprintf(&b, "LLM: %s", s.Spend)
	if who := ledger.ByRule(s.StandIn, s.Spend.NullWriter); who != "" {
		fmt.Fprintf(&b, " · written by the rule-based **%s**, no LLM", who)
	}
	if s.Spend.Replayed {
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
	d.updateMemo(ctx, s)
	if !d.st.SearchAttributes {
		return
	}
	attributes := []temporal.SearchAttributeUpdate{AttrStage.ValueSet(string(stage)), AttrPass.ValueSet(int64(s.Pass)),
		AttrBank.ValueSet(int64(s.Bank)), AttrTop1.ValueSet(last.Top1), AttrLoss.ValueSet(last.ValLoss)}
	if s.Kernels != "" { // a run from before kernels had names may be on a server that does not know this attribute
		attributes = append(attributes, AttrKernels.ValueSet(s.Kernels))
	}
	// An upsert fails only when it has no attribute.
	_ = workflow.UpsertTypedSearchAttributes(ctx, attributes...)
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
