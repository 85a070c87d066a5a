package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
)

// blockI alternates SGD segments with TextGrad rounds at fixed capacity (Alg. 1, inner loop). It ends at a plateau or
// at a limit, and reports whether at a plateau: a segment lowered the validation loss by less than plateau_delta, and
// the round after it left the bank as it was. For example, with a plateau_delta of 0.01 the losses 0.50, 0.44 and
// 0.435 are a plateau after the third segment, unless the third round commits an edit.
//
// While the LLM is unavailable SGD goes on. The run waits for the LLM only if SGD has nothing more to give: at a
// plateau and after the last segment of the run.
func (d *distillation) blockI(ctx workflow.Context) (plateau bool, err error) {
	d.beginPass(ctx)
	if d.cfg.Data.Dagger > 0 && d.st.Pass > 0 {
		if err := d.expelCrashing(ctx, d.dagger); err != nil {
			return false, err
		}
	}
	t := d.cfg.Train
	before := 0.0
	for segment := 0; segment < t.PassSegments && d.st.Epoch < d.cfg.Limits.Epochs && !d.st.Stop; segment++ {
		epochs := min(t.SegmentEpochs, d.cfg.Limits.Epochs-d.st.Epoch)
		if trained, err := d.train(ctx, epochs, false); err != nil || !trained {
			return false, err
		}
		if err := d.weights(ctx); err != nil {
			return false, err
		}
		loss := d.lastLoss()
		flat := segment > 0 && t.PlateauDelta > 0 && before-loss < t.PlateauDelta
		revision := d.st.Model.Revision
		if d.textGradDue() {
			if err := d.describeAnew(ctx); err != nil {
				return false, err
			}
			last := d.st.Epoch >= d.cfg.Limits.Epochs || segment+1 == t.PassSegments && d.lastPass()
			err := d.retryWhileLLMUnavailable(ctx, flat || last, func(try int) (string, error) {
				return d.textGrad(ctx, segment, try)
			})
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

// dagger adds training states that the student itself reaches, labelled by the teacher.
func (d *distillation) dagger(ctx workflow.Context) error {
	if !d.begin(ctx, StageDagger) {
		return nil
	}
	var ins []DaggerInput
	for _, shard := range daggerShards(d.cfg.Data, d.st.Pass) {
		on := d.st.ModelAndData
		on.Data = Dataset{Train: on.Data.Train[shard : shard+1]} // a task cannot hold all shards once for each of them
		ins = append(ins, DaggerInput{NamedTeacher: d.teacher(), ModelAndData: on})
	}
	shards, err := Dagger.RunAll(ctx, d.caption("teacher labels on the student's trajectories"), ins)
	if err != nil {
		return err
	}
	d.st.Data.Train = append(d.st.Data.Train, shards...)
	return nil
}

// daggerShards returns which shards of the teacher's rollouts give their instances to a pass, the second (1) or a later
// one: always the next few. Of ten shards, with three a pass, pass 1 takes 0 to 2, pass 2 takes 3 to 5, and pass 4
// takes 9, 0 and 1.
func daggerShards(data config.Data, pass int) []int {
	base := (data.Train + data.Shard - 1) / data.Shard
	count := (data.Dagger + data.Shard - 1) / data.Shard
	shards := make([]int, count)
	for i := range shards {
		shards[i] = ((pass-1)*count + i) % base
	}
	return shards
}

// train runs an SGD segment, unless the run is told to stop before it begins. A run that stops is annealed all the
// same.
func (d *distillation) train(ctx workflow.Context, epochs int, anneal bool) (trained bool, err error) {
	if anneal {
		d.st.Pace.anneal(workflow.Now(ctx), d.st.Epoch)
	}
	if due := d.begin(ctx, StageTraining); !due && !anneal {
		return false, nil
	}
	began := workflow.Now(ctx)
	var out TrainOutput
	err = d.expelCrashing(ctx, func(ctx workflow.Context) (err error) {
		in := TrainInput{
			NamedTeacher: d.teacher(), ModelAndData: d.st.ModelAndData,
			Config: d.cfg.Student, Train: d.cfg.Train, Seed: d.cfg.Seed,
			Pass: d.pass(), From: d.st.Epoch, Epochs: epochs, Anneal: anneal,
		}
		summary := fmt.Sprintf("epochs %d to %d, %d programs", in.From+1, in.From+epochs, in.Model.Size)
		if anneal {
			summary = "annealing: " + summary
		}
		out, err = Train.Run(ctx, d.caption(summary), in)
		return err
	})
	if err != nil {
		return false, err
	}
	d.st.Pace.trained(workflow.Now(ctx).Sub(began), epochs)
	if d.st.Build != "" && out.Build != d.st.Build {
		d.st.Events = append(d.st.Events, d.st.Event(EventBuild, "",
			fmt.Sprintf("epochs from %d on are by workers of commit %s, those before by %s",
				d.st.Epoch+1, out.Build, d.st.Build)))
	}
	d.st.Build = out.Build
	d.st.Model = out.Model
	d.st.Epoch += epochs
	d.st.Points = append(d.st.Points, out.Points...)
	d.show(ctx, StageTraining)
	return true, nil
}

// weights trains the weights of the programs: after a segment, and before the annealing if the bank has changed since.
// A run that stops trains them all the same, as it anneals.
func (d *distillation) weights(ctx workflow.Context) error {
	if d.cfg.Weights == nil {
		return nil
	}
	d.begin(ctx, StageWeights)
	var out WeightsOutput
	err := d.expelCrashing(ctx, func(ctx workflow.Context) (err error) {
		out, err = Weights.Run(ctx, d.caption(fmt.Sprintf("weights of %d programs", d.st.Model.Size)), WeightsInput{
			ModelAndData: d.st.ModelAndData, Moment: d.st.Moment, Weights: *d.cfg.Weights, Train: d.cfg.Train,
			Seed: d.cfg.Seed,
		})
		return err
	})
	if err != nil {
		return err
	}
	d.st.Model, d.st.TunedRevision = out.Model, out.Model.Revision
	d.st.Weights = append(d.st.Weights, out.Change)
	if event, ok := out.Change.event(d.st.Moment); ok {
		d.st.Events = append(d.st.Events, event)
	}
	d.st.Events = append(d.st.Events, out.Events...)
	d.show(ctx, StageWeights)
	return nil
}

// lastLoss is the validation loss after the last segment and the training of weights that followed it.
func (d *distillation) lastLoss() float64 {
	if n := len(d.st.Weights); n > 0 && d.st.Weights[n-1].Epoch == d.st.Epoch {
		return d.st.Weights[n-1].After
	}
	return d.st.Points[len(d.st.Points)-1].ValLoss
}

// textGrad runs one TextGrad round. If the LLM is unavailable, it says why.
func (d *distillation) textGrad(ctx workflow.Context, segment, try int) (waiting string, err error) {
	if !d.begin(ctx, StageTextGrad) {
		return "", nil
	}
	name := fmt.Sprintf("textgrad-%d-%d", d.st.Pass, segment)
	if try > 0 {
		name += fmt.Sprintf("-%d", try)
	}
	options := d.roundOptions(ctx, name, "textual step")
	cfg := d.cfg
	if try > 0 {
		cfg.TextGrad.Heuristics = d.unrevised // the others have had their turn
	}
	out, err := textGradChild.run(ctx, options, TextGradInput{
		Config: cfg, ModelAndData: d.st.ModelAndData, Momentum: d.st.Momentum, Past: d.st.Past,
		Blame:  d.st.Blame,
		Budget: d.budget(), Moment: d.st.Moment, Again: try > 0, Kernels: d.st.Kernels,
	})
	if err != nil {
		return "", err
	}
	d.st.Model, d.st.Momentum, d.st.Past, d.st.Blame = out.Model, out.Momentum, out.Past, out.Blame
	d.unrevised = 0
	for _, e := range out.Events {
		if e.Kind == EventWaiting {
			d.unrevised++
		}
		if e.Kind != EventWaiting || try == 0 { // the first try says what the run waits for, the others would repeat it
			d.st.Events = append(d.st.Events, e)
		}
	}
	d.addSpending(out.Spend)
	return out.Waiting, nil
}

// blockII revises the capacity: Add, then Drop (Alg. 1, outer block). A run told to stop leaves the bank as it is. Add
// waits for the LLM if SGD is at a plateau or if this is its last turn; otherwise the next pass has another turn of it.
// Drop leaves the programs alone that this Add admitted: the router has not been trained with them.
func (d *distillation) blockII(ctx workflow.Context, plateau bool) error {
	before := len(d.st.Events)
	if !d.cfg.Add.Off && d.addStarted() && d.budgetLeft() && !d.st.Stop {
		last := d.lastPass() || d.st.Epoch >= d.cfg.Limits.Epochs
		if err := d.add(ctx, "add", plateau || last); err != nil {
			return err
		}
	}
	var young []string
	for _, e := range d.st.Events[before:] {
		if e.Kind == EventAdd {
			young = append(young, e.Name)
		}
	}
	return d.drop(ctx, "leave-one-out pruning", DropInput{Young: young})
}

// mergeTwins merges the programs that have become near-duplicates since the last Drop.
func (d *distillation) mergeTwins(ctx workflow.Context) error {
	if d.version < versionMerged {
		return nil
	}
	return d.drop(ctx, "merging of near-duplicates", DropInput{Twins: true})
}

// drop takes programs out of the bank (Alg. 3), unless Drop is off or not due yet, or the run was told to stop. in says
// which programs stay.
func (d *distillation) drop(ctx workflow.Context, summary string, in DropInput) error {
	if d.cfg.Drop.Off || !d.dropStarted() || d.st.Stop {
		return nil
	}
	in.ModelAndData, in.Drop, in.Moment = d.st.ModelAndData, d.cfg.Drop, d.st.Moment
	if !d.begin(ctx, StageDrop) {
		return nil
	}
	out, err := Drop.Run(ctx, d.caption(summary), in)
	if err != nil {
		return err
	}
	d.apply(out)
	return nil
}

// add runs Alg. 2 as a child workflow. name is the first part of the child's name.
func (d *distillation) add(ctx workflow.Context, name string, wait bool) error {
	return d.retryWhileLLMUnavailable(ctx, wait, func(try int) (string, error) {
		if !d.begin(ctx, StageAdd) {
			return "", nil
		}
		options := d.roundOptions(ctx, fmt.Sprintf("%s-%d-%d", name, d.st.Pass, try), "new programs by Add")
		out, err := addChild.run(ctx, options, AddInput{
			Config: d.cfg, ModelAndData: d.st.ModelAndData,
			Budget: d.budget(), Moment: d.st.Moment, Kernels: d.st.Kernels, Once: !wait,
		})
		if err != nil {
			return "", err
		}
		d.apply(out.Revision)
		d.addSpending(out.Spend)
		if out.Waiting != "" && try == 0 { // the other tries would repeat it
			d.st.Events = append(d.st.Events, d.st.Event(EventWaiting, "", "for LLM: "+out.Waiting))
		}
		return out.Waiting, nil
	})
}

// textGradDue reports whether the segment that ended is followed by a TextGrad round.
func (d *distillation) textGradDue() bool {
	return !d.cfg.TextGrad.Off && d.textGradStarted() && d.budgetLeft() && !d.st.Stop
}

// textGradStarted, addStarted and dropStarted report whether the run has reached the epoch from which each takes part.
func (d *distillation) textGradStarted() bool { return d.st.Epoch >= d.cfg.TextGrad.StartEpoch }
func (d *distillation) addStarted() bool      { return d.st.Epoch >= d.cfg.Add.Start }
func (d *distillation) dropStarted() bool     { return d.st.Epoch >= d.cfg.Drop.Start }

// pass returns the pass under way, from 0 on, or the last one when all are over: annealing counts as a part of it.
func (d *distillation) pass() int {
	if d.over {
		return d.st.Pass - 1
	}
	return d.st.Pass
}

func (d *distillation) lastPass() bool { return d.st.Pass+1 >= d.cfg.Limits.Passes }

// budget is what the LLM side may still spend.
func (d *distillation) budget() *ledger.Budget { return d.cfg.Limits.Budget().Minus(d.st.Spend) }

func (d *distillation) budgetLeft() bool { return !d.budget().Empty() }

// apply makes a revised bank the run's own.
func (d *distillation) apply(r Revision) {
	d.st.Model = r.Model
	d.st.Events = append(d.st.Events, r.Events...)
}

// addSpending counts what a round spent, which is over. If the stand-in gave any of the answers, the model is marked
// from then on.
func (d *distillation) addSpending(s Spend) {
	d.round = RoundSpend{}
	d.st.Spend = d.st.Spend.Plus(s)
	d.st.Model.StandIn = d.st.Model.StandIn || s.StandIn
}
