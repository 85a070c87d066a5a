package workflows

import (
	"fmt"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
)

// Workflow names: wire names, never changed.
const (
	NameDistill       = "Distill"
	NameRollout       = "Rollout"
	NameTextGradRound = "TextGradRound"
	NameAdd           = "Add"
)

// Signals and the query a distillation answers.
const (
	SignalPause  = "pause"
	SignalResume = "resume"
	SignalStop   = "stop" // after the running segment: anneal, evaluate, report; before the first one: nothing more
	QueryStatus  = "status"
)

// State is the state that a distillation passes from one outer pass to the next, through continue-as-new.
type State struct {
	Teacher     store.Ref `json:"teacher"`
	TeacherName string    `json:"teacher_name"`
	ModelAndData
	Moment
	Points           []Point        `json:"points"`
	Weights          []WeightChange `json:"weights,omitempty"`
	TunedRevision    int            `json:"weighed,omitempty"` // of the bank when its weights were trained last
	Events           []Event        `json:"events"`
	Momentum         []Unresolved   `json:"momentum"`
	Past             []Past         `json:"past,omitempty"`
	Blame            []Blame        `json:"blame"`
	Spend            Spend          `json:"spend"`
	Stop             bool           `json:"stop"`
	Paused           bool           `json:"paused"`
	SearchAttributes bool           `json:"search_attributes"`
	Build            string         `json:"build,omitempty"`   // commit of the worker that trained last
	Kernels          string         `json:"kernels,omitempty"` // numeric kernels of the whole run, see QueueFor
	Started          time.Time      `json:"started"`
	Pace             Pace           `json:"pace,omitzero"`
}

// distillation is one execution of Distill: an outer pass of Alg. 1.
type distillation struct {
	cfg       config.Distill
	st        *State
	inbox     *inbox
	version   workflow.Version
	stage     Stage
	round     RoundSpend // of the round that is under way; empty where none is
	note      string     // what it waits for, if anything
	unrevised int        // heuristics whose turn it is still, as the last TextGrad round found no LLM for them
	passEpoch int        // completed epochs when the pass began
	over      bool       // the last pass is over: what is left is annealing, evaluation and report
	summary   string     // of the result
}

// Distill runs Alg. 1 on a config. Each outer pass is one execution, which continues as new with its state. Callers
// give the config alone; only Distill itself passes a state.
//
// Prepare checks the config. Distill refuses only what it could not read, which Prepare does not get to see: a run goes
// on with the config that it began with, whatever later versions refuse.
func Distill(ctx workflow.Context, cfg config.Distill, st *State) (Result, error) {
	if err := cfg.Unread(); err != nil {
		return Result{}, temporal.NewNonRetryableApplicationError(err.Error(), ErrBadInput, nil)
	}
	d := &distillation{cfg: cfg, st: st}
	if d.st == nil {
		d.st = &State{}
	}
	d.passEpoch = d.st.Epoch
	if err := d.listen(ctx); err != nil {
		return Result{}, err
	}
	if st == nil {
		if err := d.prepare(ctx); err != nil {
			return Result{}, err
		}
	}
	ctx = withKernels(ctx, d.st.Kernels)
	plateau, err := d.blockI(ctx)
	if err != nil {
		return Result{}, err
	}
	revision := d.st.Model.Revision
	if err := d.blockII(ctx, plateau); err != nil {
		return Result{}, err
	}
	d.st.Pass++
	d.drainSignals() // a signal that came with the last activity would not reach the next execution
	ended := d.endReason(plateau && d.st.Model.Revision == revision)
	if ended == "" {
		if err := ctx.Err(); err != nil { // nor would a cancellation that came with it
			return Result{}, err
		}
		return Result{}, workflow.NewContinueAsNewError(ctx, NameDistill, d.cfg, d.st)
	}
	d.over = true
	return d.finish(ctx, ended)
}

// endReason says why Alg. 1 is over. It is empty if another pass is due. settled says that Block I came to a plateau
// and Block II left the bank as it was.
func (d *distillation) endReason(settled bool) string {
	switch {
	case d.st.Stop:
		return "stopped on request"
	case settled && d.allStarted():
		if !d.budgetLeft() {
			return fmt.Sprintf("bank unchanged, and the limit on the LLM is reached (%s)", d.st.Spend)
		}
		return "bank unchanged by Add and Drop"
	case d.st.Pass >= d.cfg.Limits.Passes:
		if d.cfg.Limits.Passes == 1 {
			return "limit of one pass"
		}
		return fmt.Sprintf("limit of %d passes", d.cfg.Limits.Passes)
	case d.st.Epoch >= d.cfg.Limits.Epochs:
		return fmt.Sprintf("limit of %d epochs", d.cfg.Limits.Epochs)
	}
	return ""
}

// allStarted reports whether the run has reached the start epoch of TextGrad, Add and Drop, as far as they are on.
// Until then an unchanged bank is no reason to end: it may still change.
func (d *distillation) allStarted() bool {
	return (d.cfg.TextGrad.Off || d.textGradStarted()) &&
		(d.cfg.Add.Off || d.addStarted()) &&
		(d.cfg.Drop.Off || d.dropStarted())
}

// prepare checks the inputs, stores them, and makes and scores the rollouts. An empty bank then gets its first
// programs by Add.
func (d *distillation) prepare(ctx workflow.Context) error {
	d.st.Started = workflow.Now(ctx)
	d.show(ctx, StagePreparing)
	p, err := Prepare.Run(ctx, "check teacher, bank and config", PrepareInput{Config: d.cfg})
	if err != nil {
		return err
	}
	d.st.Teacher, d.st.TeacherName, d.st.Model = p.Teacher, p.TeacherName, p.Model
	d.st.SearchAttributes, d.st.Kernels = p.SearchAttributes, p.Kernels
	ctx = withKernels(ctx, p.Kernels)
	d.hold(ctx, StageRollouts)
	if d.stopsEarly() {
		return nil
	}
	err = d.untilStop(ctx, func(ctx workflow.Context) error { return d.rollouts(ctx, p) })
	if err != nil {
		return err
	}
	if d.st.Model.Size > 0 || d.stopsEarly() {
		return nil
	}
	if d.cfg.Bank == config.SketchBank {
		return d.sketch(ctx)
	}
	if err := d.add(ctx, "found", true); err != nil {
		return err
	}
	if d.st.Model.Size == 0 && !d.st.Stop {
		return temporal.NewNonRetryableApplicationError(d.whyEmpty(), ErrBadInput, nil)
	}
	return nil
}

// stopsEarly reports whether the run was told to stop before it has a bank.
func (d *distillation) stopsEarly() bool { return d.st.Stop && d.version >= versionEarly }

// whyEmpty says why Add left the bank empty, and what to change.
func (d *distillation) whyEmpty() string {
	n := len(d.st.Events)
	if n == 0 { // Add proposes nothing for fewer than two states, and has no event then
		return "the bank is still empty: there are too few states to write a program for: raise data.train, or start " +
			"from a bank"
	}
	return fmt.Sprintf("the bank is still empty: Add admitted no program (last: %s): raise the limits on the LLM, try "+
		"another seed, lower add.rho_admit, or start from a bank", d.st.Events[n-1].Detail)
}

// sketch fits the first bank.
func (d *distillation) sketch(ctx workflow.Context) error {
	if !d.begin(ctx, StageSketch) {
		return nil
	}
	size := d.cfg.SketchSize()
	summary := d.caption(fmt.Sprintf("fit %d programs of %d terms", size.Programs, size.Terms))
	m, err := Sketch.Run(ctx, summary, SketchInput{
		ModelAndData: d.st.ModelAndData, Sketch: size, Config: d.cfg.Student, Train: d.cfg.Train, Seed: d.cfg.Seed,
	})
	if err != nil {
		return err
	}
	d.st.Model = m
	return scoreBank(ctx, m, slices.Concat(d.st.Data.Train, d.st.Data.Val))
}

// rollouts makes the teacher's rollouts and the bank's scores on them. A teacher that is known by its rollouts needs
// the scores alone.
func (d *distillation) rollouts(ctx workflow.Context, p Prepared) error {
	if p.Data != nil {
		d.st.Data = *p.Data
		return scoreBank(ctx, p.Model, slices.Concat(p.Data.Train, p.Data.Val))
	}
	data, err := rolloutChild.run(ctx, d.childOptions(ctx, "rollout", "teacher rollouts"), RolloutInput{
		Tasks: p.Plan, Model: p.Model, Kernels: p.Kernels,
	})
	if err != nil {
		return err
	}
	d.st.Data = data
	return nil
}

// finish trains the weights of what the last pass changed, merges the programs that this made alike and has those
// described anew that have lost a term. It then anneals, evaluates and reports. A run stopped before its first epoch
// has no router: it ends at once, without a report.
func (d *distillation) finish(ctx workflow.Context, ended string) (Result, error) {
	if d.st.Model.Student.Hash == "" {
		d.summary = "stopped before training: there is no student and no report"
		d.show(ctx, StageDone)
		return Result{Model: d.st.Model, Ended: "stopped before training", Summary: d.summary}, nil
	}
	d.note = "" // no round is left that could wait
	if d.version >= versionTuned && d.cfg.Weights != nil && d.st.TunedRevision != d.st.Model.Revision {
		if err := d.weights(ctx); err != nil {
			return Result{}, err
		}
		if err := d.mergeTwins(ctx); err != nil {
			return Result{}, err
		}
	}
	if d.textGradDue() {
		if err := d.describeAnew(ctx); err != nil {
			return Result{}, err
		}
	}
	if n := d.cfg.Train.AnnealEpochs; n > 0 {
		if _, err := d.train(ctx, n, true); err != nil {
			return Result{}, err
		}
	}
	d.hold(ctx, StageEvaluating)
	var evaluated store.Ref
	err := d.expelCrashing(ctx, func(ctx workflow.Context) (err error) {
		summary := d.caption(fmt.Sprintf("solve %d test instances with every policy", d.cfg.Data.Test))
		evaluated, err = Evaluate.Run(ctx, summary, EvaluateInput{
			Config: d.cfg, NamedTeacher: d.teacher(), ModelAndData: d.st.ModelAndData,
		})
		return err
	})
	if err != nil {
		return Result{}, err
	}
	d.hold(ctx, StageReporting)
	info := workflow.GetInfo(ctx)
	result, err := Report.Run(ctx, d.caption("write the report"), ReportInput{
		RunID: info.WorkflowExecution.ID, Started: d.st.Started, Finished: workflow.Now(ctx),
		Config: d.cfg, NamedTeacher: d.teacher(), Model: d.st.Model, Evaluated: evaluated,
		Points: d.st.Points, Events: d.st.Events, Weights: d.st.Weights, Spend: d.st.Spend, Ended: ended,
		Val: d.st.Data.Val,
	})
	if err != nil {
		return Result{}, err
	}
	d.summary = result.Summary
	d.show(ctx, StageDone)
	return result, nil
}

func (d *distillation) teacher() NamedTeacher {
	return NamedTeacher{Teacher: d.st.Teacher, Name: d.st.TeacherName}
}

// roundOptions are the options of a child workflow that asks the LLM and tells the run what it spends.
func (d *distillation) roundOptions(ctx workflow.Context, name, summary string) workflow.ChildWorkflowOptions {
	options := d.childOptions(ctx, name, summary)
	d.round = RoundSpend{Round: options.WorkflowID}
	return options
}

// childOptions names a child workflow after its run, and says in the UI what it is for.
func (d *distillation) childOptions(ctx workflow.Context, name, summary string) workflow.ChildWorkflowOptions {
	return workflow.ChildWorkflowOptions{
		WorkflowID:    workflow.GetInfo(ctx).WorkflowExecution.ID + "/" + name,
		StaticSummary: d.caption(summary),
		// A reset of the run leaves its round running, and begins another of the same name.
		//lint:ignore SA1019 a child workflow has no other way: conflict policies are for clients
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING,
	}
}
