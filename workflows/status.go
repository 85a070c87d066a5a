package workflows

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Status answers QueryStatus.
type Status struct {
	Stage   string    `json:"stage"`
	Note    string    `json:"note,omitempty"` // e.g. what it waits for
	Paused  bool      `json:"paused"`         // told to pause; Stage says whether it does yet
	Stop    bool      `json:"stop"`           // told to stop
	Started time.Time `json:"started"`
	Pass    int       `json:"pass"`
	Epoch   int       `json:"epoch"`
	Epochs  int       `json:"epochs"` // limit, annealing included
	Bank    int       `json:"bank"`
	States  int       `json:"states"` // training states
	Spend   Spend     `json:"spend"`
	StandIn bool      `json:"stand_in"`
	Kernels string    `json:"kernels,omitempty"` // numeric kernels the run stays with, see QueueFor
	Points  []Point   `json:"points"`
	Events  []Event   `json:"events"`
}

// Search attributes by which Temporal's UI lists and sorts distillations, where the server knows them (`epb dev up` registers them).
// The teacher is set at the start, a distillation keeps the others up to date.
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
	return []temporal.SearchAttributeKey{AttrStage, AttrTeacher, AttrTop1, AttrLoss, AttrBank, AttrPass, AttrKernels}
}

// listen registers the status query and the pause, resume and stop signals.
func (d *distillation) listen(ctx workflow.Context) error {
	if err := workflow.SetQueryHandler(ctx, QueryStatus, func() (Status, error) { return d.status(), nil }); err != nil {
		return err
	}
	d.orders = []order{
		{workflow.GetSignalChannel(ctx, SignalPause), func() { d.st.Paused = true }},
		{workflow.GetSignalChannel(ctx, SignalResume), func() { d.st.Paused = false }},
		{workflow.GetSignalChannel(ctx, SignalStop), func() { d.st.Stop, d.st.Paused = true, false }},
	}
	pending := func() bool {
		return slices.ContainsFunc(d.orders, func(o order) bool { return o.signals.Len() > 0 })
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		for workflow.Await(ctx, pending) == nil {
			d.obey()
		}
	})
	return nil
}

// order is a signal and what it makes the run do.
type order struct {
	signals workflow.ReceiveChannel
	do      func()
}

// obey does what the signals that have come ask for. An execution that ends calls it first: a signal may have come with the very
// last of its activities, and would not be there in the next execution.
func (d *distillation) obey() {
	for _, o := range d.orders {
		for o.signals.ReceiveAsync(nil) {
			o.do()
		}
	}
}

// gate waits while the run is paused.
func (d *distillation) gate(ctx workflow.Context) {
	if !d.st.Paused {
		return
	}
	stage := d.stage
	d.show(ctx, "paused")
	// Await fails only when the workflow is cancelled, which the next activity reports.
	_ = workflow.Await(ctx, func() bool { return !d.st.Paused })
	d.show(ctx, stage)
}

func (d *distillation) status() Status {
	return Status{
		Stage: d.stage, Note: d.note, Paused: d.st.Paused, Stop: d.st.Stop, Started: d.st.Started, Pass: min(d.st.Pass+1, d.cfg.Limits.Passes),
		Epoch: d.st.Epoch, Epochs: d.cfg.Limits.Epochs + d.cfg.Train.AnnealEpochs,
		Bank: d.st.Model.Size, States: trainStates(d.st.Data), Spend: d.st.Spend, StandIn: d.st.Model.StandIn, Kernels: d.st.Kernels,
		Points: d.st.Points, Events: d.st.Events,
	}
}

func trainStates(data Dataset) int {
	n := 0
	for _, s := range data.Train {
		n += s.States
	}
	return n
}

// show tells the Temporal UI where the run stands.
func (d *distillation) show(ctx workflow.Context, stage string) {
	d.stage = stage
	s := d.status()
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · pass %d · epoch %d of at most %d · bank of %d\n\n", stage, s.Pass, s.Epoch, s.Epochs, s.Bank)
	if d.note != "" {
		fmt.Fprintf(&b, "**%s**\n\n", d.note)
	}
	var last Point
	if n := len(s.Points); n > 0 {
		last = s.Points[n-1]
		fmt.Fprintf(&b, "train loss %.4f · validation loss %.4f · top-1 %.3f · coverage %.3f\n\n", last.TrainLoss, last.ValLoss, last.Top1, last.Coverage)
	}
	fmt.Fprintf(&b, "LLM: %s", s.Spend)
	if s.StandIn {
		b.WriteString(" · written by the rule-based **stand-in**, no LLM")
	}
	b.WriteString("\n\n")
	if s.Kernels != "" {
		fmt.Fprintf(&b, "only workers with the numeric kernels %s go on with it\n\n", s.Kernels)
	}
	for _, e := range s.Events[max(0, len(s.Events)-8):] {
		fmt.Fprintf(&b, "- epoch %d: %s %s %s\n", e.Epoch, e.Kind, e.Name, e.Detail)
	}
	workflow.SetCurrentDetails(ctx, b.String())
	if !d.st.SearchAttributes {
		return
	}
	// An upsert fails only when it has no attribute.
	_ = workflow.UpsertTypedSearchAttributes(ctx, AttrStage.ValueSet(stage), AttrPass.ValueSet(int64(s.Pass)),
		AttrBank.ValueSet(int64(s.Bank)), AttrTop1.ValueSet(last.Top1), AttrLoss.ValueSet(last.ValLoss), AttrKernels.ValueSet(s.Kernels))
}
