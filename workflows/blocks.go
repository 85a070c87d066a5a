package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// blockI alternates SGD segments with TextGrad rounds at fixed capacity (Alg. 1, inner loop) and reports whether it ended at a plateau,
// which a limit may come before: SGD left the validation loss as it was, and the round after it the bank. While the LLM is away SGD goes
// on. It is waited for where SGD has nothing more to give: at a plateau, and after the last segment of all.
func (d *distillation) blockI(ctx workflow.Context) (plateau bool, err error) {
	if d.cfg.Data.Dagger > 0 && d.st.Model.Student.Hash != "" {
		if err := d.enduring(ctx, d.dagger); err != nil {
			return false, err
		}
	}
	t := d.cfg.Train
	before := 0.0
	for segment := 0; segment < t.PassSegments && d.st.Epoch < d.cfg.Limits.Epochs && !d.st.Stop; segment++ {
		epochs := min(t.SegmentEpochs, d.cfg.Limits.Epochs-d.st.Epoch)
		if err := d.train(ctx, epochs, false); err != nil {
			return false, err
		}
		loss := d.st.Points[len(d.st.Points)-1].ValLoss
		flat := segment > 0 && t.PlateauDelta > 0 && before-loss < t.PlateauDelta
		revision := d.st.Model.Revision
		if d.textGradDue() {
			last := d.st.Epoch >= d.cfg.Limits.Epochs || segment+1 == t.PassSegments && d.lastPass()
			err := d.patient(ctx, flat || last, func(try int) (string, error) { return d.textGrad(ctx, segment, try) })
			if err != nil {
				return false, err
			}
		}
		if flat && d.st.Model.Revision == revision {
			return true, nil
		}
		before = loss
	}
	return false, nil
}

// train runs an SGD segment.
func (d *distillation) train(ctx workflow.Context, epochs int, anneal bool) error {
	d.show(ctx, StageTraining)
	d.gate(ctx)
	var out TrainOutput
	err := d.enduring(ctx, func(ctx workflow.Context) (err error) {
		in := TrainInput{
			NamedTeacher: d.teacher(), ModelAndData: d.st.ModelAndData, Config: d.cfg.Student, Train: d.cfg.Train, Seed: d.cfg.Seed,
			Pass: d.st.Pass, From: d.st.Epoch, Epochs: epochs, Anneal: anneal,
		}
		out, err = Train.Run(ctx, fmt.Sprintf("epochs %d to %d, %d heuristics", in.From+1, in.From+epochs, in.Model.Size), in)
		return err
	})
	if err != nil {
		return err
	}
	if d.st.Build != "" && out.Build != d.st.Build {
		d.st.Events = append(d.st.Events, Event{Epoch: d.st.Epoch, Pass: d.st.Pass, Kind: EventBuild,
			Detail: fmt.Sprintf("epochs from %d on are by workers of commit %s, those before by %s", d.st.Epoch+1, out.Build, d.st.Build)})
	}
	d.st.Build = out.Build
	d.st.Model = out.Model
	d.st.Epoch += epochs
	d.st.Points = append(d.st.Points, out.Points...)
	d.show(ctx, StageTraining)
	return nil
}

func (d *distillation) textGradDue() bool {
	return !d.cfg.TextGrad.Off && d.st.Epoch >= d.cfg.TextGrad.StartEpoch && d.budgetLeft() && !d.st.Stop
}

// budget is what the LLM side may still spend.
func (d *distillation) budget() *ledger.Budget { return d.cfg.Limits.Budget().Minus(d.st.Spend) }

func (d *distillation) budgetLeft() bool { return !d.budget().Empty() }

// textGrad runs one TextGrad round, and says why it yields nothing while the LLM is not to be had.
func (d *distillation) textGrad(ctx workflow.Context, segment, try int) (waiting string, err error) {
	d.show(ctx, StageTextGrad)
	d.gate(ctx)
	in := TextGradInput{
		Config: d.cfg, ModelAndData: d.st.ModelAndData, Momentum: d.st.Momentum, Blame: d.st.Blame, Budget: d.budget(), Moment: d.st.Moment,
		Again: try > 0, Kernels: d.st.Kernels,
	}
	name := fmt.Sprintf("textgrad-%d-%d", d.st.Pass, segment)
	if try > 0 {
		name += fmt.Sprintf("-%d", try)
	}
	var out TextGradOutput
	child := workflow.WithChildOptions(ctx, d.child(ctx, name, "textual step"))
	if err := workflow.ExecuteChildWorkflow(child, NameTextGradRound, in).Get(ctx, &out); err != nil {
		return "", err
	}
	d.st.Model, d.st.Momentum, d.st.Blame = out.Model, out.Momentum, out.Blame
	for _, e := range out.Events {
		if e.Kind != EventWaiting || try == 0 { // what is waited for is said once, however long it takes
			d.st.Events = append(d.st.Events, e)
		}
	}
	d.book(out.Spend)
	return out.Waiting, nil
}

// patient asks the LLM by way of a round, and notes why it is not to be had. Where that is waited for, the round is made again, at
// growing intervals, until it could ask or the run is told to stop.
func (d *distillation) patient(ctx workflow.Context, wait bool, round func(try int) (waiting string, err error)) error {
	pause := 30 * time.Second
	for try := 0; !d.st.Stop; try++ {
		waiting, err := round(try)
		if err != nil {
			return err
		}
		d.note = ""
		if waiting == "" {
			return nil
		}
		d.note = "waiting for LLM: " + waiting
		if !wait {
			return nil
		}
		d.show(ctx, StageWaiting)
		if _, err := workflow.AwaitWithTimeout(ctx, pause, func() bool { return d.st.Stop }); err != nil {
			return err
		}
		pause = min(2*pause, 10*time.Minute)
	}
	return nil
}

// blockII revises the capacity: Add, then Drop (Alg. 1, outer block). A run told to stop leaves the bank as it is. Add waits for the LLM
// where SGD is at a plateau or this is its last turn; else the next pass makes up for it.
func (d *distillation) blockII(ctx workflow.Context, plateau bool) error {
	if !d.cfg.Add.Off && d.addDone() && d.budgetLeft() && !d.st.Stop {
		last := d.lastPass() || d.st.Epoch >= d.cfg.Limits.Epochs
		if err := d.add(ctx, "add", plateau || last); err != nil {
			return err
		}
	}
	if d.cfg.Drop.Off || !d.dropDone() || d.st.Stop {
		return nil
	}
	d.show(ctx, StageDrop)
	d.gate(ctx)
	out, err := Drop.Run(ctx, "leave-one-out pruning",
		DropInput{ModelAndData: d.st.ModelAndData, Drop: d.cfg.Drop, Moment: d.st.Moment})
	if err != nil {
		return err
	}
	d.revise(out)
	return nil
}

func (d *distillation) lastPass() bool { return d.st.Pass+1 >= d.cfg.Limits.Passes }

// add runs Alg. 2 as the child of that name.
func (d *distillation) add(ctx workflow.Context, name string, wait bool) error {
	return d.patient(ctx, wait, func(try int) (string, error) {
		d.show(ctx, StageAdd)
		d.gate(ctx)
		var out AddOutput
		in := AddInput{Config: d.cfg, ModelAndData: d.st.ModelAndData, Budget: d.budget(), Moment: d.st.Moment, Kernels: d.st.Kernels}
		child := workflow.WithChildOptions(ctx, d.child(ctx, fmt.Sprintf("%s-%d-%d", name, d.st.Pass, try), "new programs by Add"))
		if err := workflow.ExecuteChildWorkflow(child, NameAdd, in).Get(ctx, &out); err != nil {
			return "", err
		}
		d.revise(out.Revision)
		d.book(out.Spend)
		return out.Waiting, nil
	})
}

// enduring takes a step that may meet states which no program had seen. A program of the bank that faults there is taken out, with an
// event, and the step taken again: a run of days does not end by one program. The last one is needed.
func (d *distillation) enduring(ctx workflow.Context, step func(workflow.Context) error) error {
	for {
		err := step(ctx)
		name, text := crashed(err)
		if name == "" || d.st.Model.Size < 2 {
			return err
		}
		out, err := Expel.Run(ctx, "take out "+name,
			ExpelInput{Model: d.st.Model, Name: name, Reason: text, Moment: d.st.Moment})
		if err != nil {
			return err
		}
		d.revise(out)
	}
}

func (d *distillation) revise(r Revision) {
	d.st.Model = r.Model
	d.st.Events = append(d.st.Events, r.Events...)
}

// book counts what a round cost. Whoever answered in the place of an LLM, in any role, leaves a mark on the model from then on.
func (d *distillation) book(s Spend) {
	d.st.Spend = d.st.Spend.Plus(s)
	d.st.Model.StandIn = d.st.Model.StandIn || s.StandIn
}

// dagger adds training states that the student itself reaches, labelled by the teacher.
func (d *distillation) dagger(ctx workflow.Context) error {
	d.show(ctx, StageDagger)
	d.gate(ctx)
	base := (d.cfg.Data.Train + d.cfg.Data.Shard - 1) / d.cfg.Data.Shard
	count := (d.cfg.Data.Dagger + d.cfg.Data.Shard - 1) / d.cfg.Data.Shard
	ins := make([]DaggerInput, count)
	for i := range ins {
		ins[i] = DaggerInput{
			NamedTeacher: d.teacher(), ModelAndData: d.st.ModelAndData,
			Shard: ((d.st.Pass-1)*count + i) % base,
		}
	}
	shards, err := Dagger.RunAll(ctx, "teacher labels on the student's trajectories", ins)
	if err != nil {
		return err
	}
	d.st.Data.Train = append(d.st.Data.Train, shards...)
	return nil
}
