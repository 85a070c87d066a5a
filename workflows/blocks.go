package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/llm/ledger"
)

// blockI alternates SGD segments with TextGrad rounds at fixed capacity (Alg. 1, inner loop) and reports whether it ended because the
// validation loss is flat, which a limit may come before.
func (d *distillation) blockI(ctx workflow.Context) (plateau bool, err error) {
	if d.cfg.Data.Dagger > 0 && d.st.Model.Student.Hash != "" {
		if err := d.dagger(ctx); err != nil {
			return false, err
		}
	}
	t := d.cfg.Train
	last := 0.0
	for segment := 0; segment < t.PassSegments && d.st.Epoch < d.cfg.Limits.Epochs && !d.st.Stop; segment++ {
		epochs := min(t.SegmentEpochs, d.cfg.Limits.Epochs-d.st.Epoch)
		if err := d.train(ctx, epochs, false); err != nil {
			return false, err
		}
		if d.textGradDue() {
			if err := d.textGrad(ctx, segment); err != nil {
				return false, err
			}
		}
		loss := d.st.Points[len(d.st.Points)-1].ValLoss
		if segment > 0 && t.PlateauDelta > 0 && last-loss < t.PlateauDelta {
			return true, nil
		}
		last = loss
	}
	return false, nil
}

// train runs an SGD segment.
func (d *distillation) train(ctx workflow.Context, epochs int, anneal bool) error {
	d.show(ctx, "training")
	d.gate(ctx)
	in := TrainInput{
		Teacher: d.st.Teacher, Name: d.st.TeacherName, Model: d.st.Model, Data: d.st.Data, Config: d.cfg.Student, Train: d.cfg.Train, Seed: d.cfg.Seed,
		Pass: d.st.Pass, From: d.st.Epoch, Epochs: epochs, Anneal: anneal,
	}
	out, err := run[TrainOutput](compute(ctx, fmt.Sprintf("epochs %d to %d, %d heuristics", in.From+1, in.From+epochs, in.Model.Size)), ActTrain, in)
	if err != nil {
		return err
	}
	d.st.Model = out.Model
	d.st.Epoch += epochs
	d.st.Points = append(d.st.Points, out.Points...)
	d.show(ctx, "training")
	return nil
}

func (d *distillation) textGradDue() bool {
	return !d.cfg.TextGrad.Off && d.st.Epoch >= d.cfg.TextGrad.StartEpoch && d.budgetLeft() && !d.st.Stop
}

// budget is what the LLM side may still spend.
func (d *distillation) budget() *ledger.Budget { return d.cfg.Limits.Budget().Minus(d.st.Spend) }

func (d *distillation) budgetLeft() bool { return !d.budget().Empty() }

// textGrad runs one TextGrad round. While the LLM is not to be had the round yields nothing and SGD goes on.
func (d *distillation) textGrad(ctx workflow.Context, segment int) error {
	d.show(ctx, "textgrad")
	d.gate(ctx)
	in := TextGradInput{
		Config: d.cfg, Model: d.st.Model, Data: d.st.Data, Momentum: d.st.Momentum, Blame: d.st.Blame, Budget: d.budget(), Pass: d.st.Pass, Epoch: d.st.Epoch,
	}
	var out TextGradOutput
	child := workflow.WithChildOptions(ctx, d.child(ctx, fmt.Sprintf("textgrad-%d-%d", d.st.Pass, segment)))
	if err := workflow.ExecuteChildWorkflow(child, NameTextGradRound, in).Get(ctx, &out); err != nil {
		return err
	}
	d.st.Model, d.st.Momentum, d.st.Blame = out.Model, out.Momentum, out.Blame
	d.st.Events = append(d.st.Events, out.Events...)
	d.book(out.Spend)
	d.note = ""
	if out.Waiting != "" {
		d.note = "waiting for LLM: " + out.Waiting
	}
	return nil
}

// blockII revises the capacity: Add, then Drop (Alg. 1, outer block). A run told to stop leaves the bank as it is.
func (d *distillation) blockII(ctx workflow.Context) error {
	if !d.cfg.Add.Off && d.addDone() && d.budgetLeft() && !d.st.Stop {
		if err := d.add(ctx, "add"); err != nil {
			return err
		}
	}
	if d.cfg.Drop.Off || !d.dropDone() || d.st.Stop {
		return nil
	}
	d.show(ctx, "drop")
	d.gate(ctx)
	out, err := run[Revision](compute(ctx, "leave-one-out pruning"), ActDrop,
		DropInput{Model: d.st.Model, Data: d.st.Data, Drop: d.cfg.Drop, Pass: d.st.Pass, Epoch: d.st.Epoch})
	if err != nil {
		return err
	}
	d.revise(out)
	return nil
}

// add runs Alg. 2 as the child of that name, waiting for the LLM as long as it takes: SGD has reached its plateau, or cannot
// begin, and only new programs help.
func (d *distillation) add(ctx workflow.Context, name string) error {
	pause := 30 * time.Second
	for try := 0; !d.st.Stop; try++ {
		d.show(ctx, "add")
		d.gate(ctx)
		var out AddOutput
		in := AddInput{Config: d.cfg, Model: d.st.Model, Data: d.st.Data, Budget: d.budget(), Pass: d.st.Pass, Epoch: d.st.Epoch}
		child := workflow.WithChildOptions(ctx, d.child(ctx, fmt.Sprintf("%s-%d-%d", name, d.st.Pass, try)))
		if err := workflow.ExecuteChildWorkflow(child, NameAdd, in).Get(ctx, &out); err != nil {
			return err
		}
		d.revise(out.Revision)
		d.book(out.Spend)
		if out.Waiting == "" {
			d.note = ""
			return nil
		}
		d.note = "waiting for LLM: " + out.Waiting
		d.show(ctx, "waiting for LLM")
		if _, err := workflow.AwaitWithTimeout(ctx, pause, func() bool { return d.st.Stop }); err != nil {
			return err
		}
		pause = min(2*pause, 10*time.Minute)
	}
	return nil
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
	d.show(ctx, "student rollouts")
	d.gate(ctx)
	base := (d.cfg.Data.Train + d.cfg.Data.Shard - 1) / d.cfg.Data.Shard
	count := (d.cfg.Data.Dagger + d.cfg.Data.Shard - 1) / d.cfg.Data.Shard
	ins := make([]DaggerInput, count)
	for i := range ins {
		ins[i] = DaggerInput{
			Teacher: d.st.Teacher, Name: d.st.TeacherName, Model: d.st.Model, Data: d.st.Data,
			Shard: ((d.st.Pass-1)*count + i) % base,
		}
	}
	shards, err := runAll[DaggerInput, Shard](compute(ctx, "teacher labels on the student's trajectories"), ActDagger, ins)
	if err != nil {
		return err
	}
	d.st.Data.Train = append(d.st.Data.Train, shards...)
	return nil
}
