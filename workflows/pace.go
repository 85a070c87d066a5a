package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// Pace is how fast a run goes, by its own passes so far: with their training, rounds, Add and Drop, without pauses.
// Passes before TextGrad, Add and Drop take part say nothing of those after, and do not count.
type Pace struct {
	First Milestone `json:"first"` // when the first pass that counts began
	Last  Milestone `json:"last"`  // when the last pass or the annealing began
	Epoch float64   `json:"epoch"` // seconds that an epoch of training alone took, in the last segment that ended
	Over  bool      `json:"over"`  // no other pass will come: the run anneals, or has done so
}

// Milestone is when a pass began, and after which epoch.
type Milestone struct {
	At    time.Time `json:"at"`
	Epoch int       `json:"epoch"`
}

// begin notes that a pass that counts begins.
func (p *Pace) begin(now time.Time, epoch int) {
	p.Last = Milestone{now, epoch}
	if p.First.At.IsZero() {
		p.First = p.Last
	}
}

// anneal notes that the annealing begins.
func (p *Pace) anneal(now time.Time, epoch int) { p.Last, p.Over = Milestone{now, epoch}, true }

// trained notes how long so many epochs of training took.
func (p *Pace) trained(took time.Duration, epochs int) { p.Epoch = took.Seconds() / float64(epochs) }

// paused takes a pause out of the account.
func (p *Pace) paused(pause time.Duration) {
	if !p.First.At.IsZero() {
		p.First.At = p.First.At.Add(pause)
	}
	if !p.Last.At.IsZero() {
		p.Last.At = p.Last.At.Add(pause)
	}
}

// end returns when the annealing should have ended if the run goes on as it did: last is the epoch before which
// annealing begins at the latest, and anneal is how many epochs it has. It returns no time where there is no basis yet,
// that is before the first pass that counts is over.
//
// For example, passes of 3 epochs began at 10:00, after epoch 0, and at 10:12, after epoch 3, and training alone took
// 1 min an epoch. With 12 epochs and 2 of annealing, 9 epochs are left from 10:12 on, at 4 min each with all that
// belongs to them: annealing begins at 10:48 and ends at 10:50.
func (p *Pace) end(last, anneal int) (end time.Time, ok bool) {
	annealing := seconds(p.Epoch * float64(anneal))
	switch done := p.Last.Epoch - p.First.Epoch; {
	case p.Over && p.Epoch > 0:
		return p.Last.At.Add(annealing), true
	case p.Over || done <= 0:
		return end, false
	default:
		each := p.Last.At.Sub(p.First.At).Seconds() / float64(done)
		return p.Last.At.Add(seconds(each*float64(last-p.Last.Epoch)) + annealing), true
	}
}

// seconds is a duration of so many seconds.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// beginPass notes that a pass begins, if it counts for the pace of the run: TextGrad, Add and Drop take part from its
// first segment and its end on.
func (d *distillation) beginPass(ctx workflow.Context) {
	segment := d.st.Epoch + d.cfg.Train.SegmentEpochs
	end := d.st.Epoch + d.cfg.Train.PassSegments*d.cfg.Train.SegmentEpochs
	if (d.cfg.TextGrad.Off || segment >= d.cfg.TextGrad.StartEpoch) &&
		(d.cfg.Add.Off || end >= d.cfg.Add.Start) && (d.cfg.Drop.Off || end >= d.cfg.Drop.Start) {
		d.st.Pace.begin(workflow.Now(ctx), d.st.Epoch)
	}
}

// lastEpoch is the epoch before which annealing begins at the latest, by the limits on epochs and passes.
func (d *distillation) lastEpoch() int {
	if d.over {
		return d.st.Epoch
	}
	t := d.cfg.Train
	rest := (d.cfg.Limits.Passes - d.st.Pass) * t.PassSegments * t.SegmentEpochs // of this pass and those after it
	return min(d.cfg.Limits.Epochs, d.passEpoch+rest)
}

// ends returns when the run should have come to its evaluation at the latest. It returns nothing where there is no
// basis to say so, while the run waits, and from the evaluation on. A run that settles before its limits ends earlier.
func (d *distillation) ends() *time.Time {
	switch d.stage {
	case StagePaused, StageWaiting, StageEvaluating, StageReporting, StageDone:
		return nil
	}
	if end, ok := d.st.Pace.end(d.lastEpoch(), d.cfg.Train.AnnealEpochs); ok {
		return &end
	}
	return nil
}

// pause waits until the run is told to go on, and keeps the pause out of its pace.
func (d *distillation) pause(ctx workflow.Context) {
	began := workflow.Now(ctx)
	// Await fails only when the workflow is cancelled, which the next activity reports.
	_ = workflow.Await(ctx, func() bool { return !d.st.Paused })
	d.st.Pace.paused(workflow.Now(ctx).Sub(began))
}
