package sketch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// RouterConfig says how large a router is and how it is trained.
type RouterConfig struct {
	Products int    // 0: all, or as many as Config.Within asks for
	Batch    int    // states of a step
	Memory   int64  // bytes for features that are kept from epoch to epoch, of sets that have no memo
	Seed     uint64 // of the first weights and of the order of the data
}

// Config says how large a sketch is and how it is trained.
type Config struct {
	RouterConfig
	Programs int // M
	Terms    int // weighted features of a program, beside the distance, which every program has

	// Within, unless 0, has the router keep the fewest products with which top-1 on the states of the fit stays within
	// so much of top-1 with all products.
	Within float64

	// Own, unless nil, returns what the teacher does in states that the student so far reaches itself. A router of
	// Products is trained on these too in its last stage: it errs more often than one of all products, and is then in
	// states where the teacher would not be.
	Own func(context.Context, Fitted) (*rollout.Shard, error)
}

// Sized returns the configuration of a sketch of a run, without what else the run decides.
func Sized(c config.Sketch) Config {
	return Config{
		RouterConfig: RouterConfig{Products: c.Products}, Programs: c.Programs, Terms: c.Terms, Within: c.Within,
	}
}

// stage is some epochs of training with at most so many terms a program.
type stage struct {
	terms    int // 0: all features
	products int // of the router; 0: those that it has
	bias     int // with products: terms of the bias of a program, on average
	epochs   int
	lr       float64 // of the router
	rate     float64 // of the weights, as a multiple of lr
	l1       float64
}

// fullCandidates is how many candidates, of all states together, are trained on for the full number of epochs. Of more
// each is seen less often, so that the time of a fit is bounded. AM TSP-50 has as many in 20,000 instances.
const fullCandidates = 25_000_000

// stages returns those of a fit before its router is thinned. They prune terms little by little: what a term is worth
// shows only once the router has adapted to the terms that went.
func (c Config) stages(candidates int) []stage {
	all := []stage{{epochs: 12, lr: 2e-3, rate: 10, l1: 2e-4}}
	for _, terms := range []int{20, 10, 7} {
		if terms > c.Terms {
			all = append(all, stage{terms: terms, epochs: 3, lr: 1e-3, rate: 15})
		}
	}
	return bounded(append(all, stage{terms: c.Terms, epochs: 8, lr: 1e-3, rate: 10}), candidates)
}

// selecting returns the stages that leave the router c.Products, none if it has all. There are two, as Select's
// approximation is good only near the router that it starts from. terms and rate are those of the programs; both are 0
// if the programs stay as they are.
func (c RouterConfig) selecting(terms int, rate float64) []stage {
	if c.Products == 0 {
		return nil
	}
	return []stage{
		{terms: terms, products: 4 * c.Products, bias: 4 * biasTerms, epochs: 6, lr: 2e-3, rate: rate},
		{terms: terms, products: c.Products, bias: biasTerms, epochs: 16, lr: 2e-3, rate: rate},
	}
}

// candidates returns how many candidates the states of the sets have together.
func candidates(sets []student.Dataset) (sum int) {
	for _, s := range sets {
		sum += len(s.Shard.Candidates)
	}
	return sum
}

// bounded gives stages fewer epochs where there are very many candidates.
func bounded(stages []stage, candidates int) []stage {
	share := min(1, fullCandidates/float64(max(candidates, 1)))
	for i := range stages {
		stages[i].epochs = max(leastEpochs, int(math.Round(share*float64(stages[i].epochs))))
	}
	return stages
}

// With Config.Within the number of products is halved from the first of these to the last, as long as top-1 allows it.
const (
	mostKept  = 800
	leastKept = 25
)

// thinning returns the stages of Config.Within: one for each number of products, and one for the router that is kept.
func (c Config) thinning(candidates int) []stage {
	if c.Within == 0 {
		return nil
	}
	var all []stage
	for products := mostKept; products >= leastKept; products /= 2 {
		all = append(all, stage{
			terms: c.Terms, products: products, bias: max(biasTerms, products/leastKept), epochs: 5, lr: 2e-3, rate: 5,
		})
	}
	return bounded(append(all, stage{terms: c.Terms, epochs: 10, lr: 2e-3, rate: 5}), candidates)
}

// leastEpochs is what a stage gets however many candidates there are.
const leastEpochs = 2

// biasTerms is how many features of the state the bias of a program keeps in the end, on average.
const biasTerms = 3

// Epochs returns how many epochs Fit takes at most on states that have so many candidates together.
func (c Config) Epochs(candidates int) int { return c.epochs(candidates, []int{c.Products}) }

// epochs returns how many epochs FitEach takes at most.
func (c Config) epochs(candidates int, products []int) (sum int) {
	all := slices.Concat(c.stages(candidates), c.thinning(candidates))
	for _, p := range products {
		c.Products = p
		all = append(all, bounded(c.selecting(c.Terms, 5), candidates)...)
	}
	for _, s := range all {
		sum += s.epochs
	}
	return sum
}

// Term is one weighted feature of a program.
type Term struct {
	Feature int     // index into the set's Node features
	Weight  float64 // of the feature in its own unit; τ_h is 1
}

// Fitted is what Fit returns.
type Fitted struct {
	Programs [][]Term       // [M], the distance first, then by what the term weighs
	Router   *student.Model // for these programs
}

// distanceWeight is what the distance weighs in the beginning, in units of its spread.
const distanceWeight = -3

// distance returns the index of the feature that every program keeps.
func distance(model student.Config) int {
	set, _ := features.Of(model.For(), routing.Full, model.Features())
	return set.Distance()
}

// Checkpoint is what a fit has after its first stages: enough to train the others.
type Checkpoint struct {
	Stages int            // done
	Model  *student.Model // with the weights of the programs, see student.Model.WithWeights
}

// Watch follows a fit. The zero value does not.
type Watch struct {
	Progress func(done, total int) // is told the epochs done and their total

	// Keep is given a checkpoint after every stage but those of Config.Within. The fit goes on to train its model.
	Keep func(Checkpoint) error
	// From is a checkpoint of the same fit, which then goes on from there. The result is the same, bit for bit.
	From *Checkpoint
}

// Fit fits programs and a named router to the teacher's decisions in the sets, whose Scores are not read.
func Fit(ctx context.Context, model student.Config, c Config, sets []student.Dataset, w Watch) (Fitted, error) {
	f := newFit(model, c, []int{c.Products}, sets, w)
	m, x, err := f.shared(ctx)
	if err == nil {
		m, x, err = f.finish(ctx, m, x)
	}
	if err != nil {
		return Fitted{}, fmt.Errorf("sketch: %w", err)
	}
	return f.fitted(m, x), nil
}

// FitEach returns what Fit returns for each number of products in place of c.Products, bit for bit. What these have in
// common is trained once: all but the last stages, which leave the router its products.
func FitEach(
	ctx context.Context, model student.Config, c Config, products []int, sets []student.Dataset,
	progress func(done, total int),
) ([]Fitted, error) {
	f := newFit(model, c, products, sets, Watch{Progress: progress})
	m, _, err := f.shared(ctx)
	if err != nil {
		return nil, fmt.Errorf("sketch: %w", err)
	}
	each, shared := make([]Fitted, len(products)), *f
	for i := range products {
		f.Products, f.number, f.sets = products[i], shared.number, shared.sets
		m, x := m.Clone()
		if m, x, err = f.finish(ctx, m, x); err != nil {
			return nil, fmt.Errorf("sketch: %w", err)
		}
		each[i] = f.fitted(m, x)
	}
	return each, nil
}

// fit is a fit under way.
type fit struct {
	Config
	model      student.Config
	sets       []student.Dataset // with scores that are all 0
	tauH       *tensor.Dense     // [M], all 1
	candidates int               // of all states together
	number     int               // of the next stage

	done, total int // epochs
	watch       Watch
}

// newFit returns a fit of routers with these numbers of products.
func newFit(model student.Config, c Config, products []int, sets []student.Dataset, w Watch) *fit {
	model.Router, model.Programs, model.LearnTauH = student.Named, c.Programs, false
	f := &fit{
		Config: c, model: model, tauH: dense.Vector(slices.Repeat([]float64{1}, c.Programs)), watch: w,
		candidates: candidates(sets),
	}
	for _, s := range sets {
		f.add(student.Dataset{Shard: s.Shard, Weight: s.Weight, Memo: s.Memo})
	}
	model.Remember(f.sets, c.Memory)
	f.total = c.epochs(f.candidates, products)
	return f
}

// add adds a set to the states of the fit, with scores that are all 0.
func (f *fit) add(s student.Dataset) {
	zero := dense.Vector(make([]float32, len(s.Shard.Candidates)))
	s.Scores = slices.Repeat([]*tensor.Dense{zero}, f.Programs)
	f.sets = append(slices.Clip(f.sets), s) // other fits may share what there was
}

// addOwn adds the states of Config.Own. Their features are kept where there is room beside those of the other states.
func (f *fit) addOwn(ctx context.Context, m *student.Model, x []float32) error {
	sh, err := f.Own(ctx, f.fitted(m, x))
	if err != nil {
		return fmt.Errorf("the student's own states: %w", err)
	}
	room := f.Memory
	for _, s := range f.sets {
		room -= s.Memo.Bytes()
	}
	f.add(student.Dataset{Shard: sh})
	f.model.Remember(f.sets[len(f.sets)-1:], room)
	return nil
}

// shared trains the stages that do not depend on the number of products.
func (f *fit) shared(ctx context.Context) (m *student.Model, x []float32, err error) {
	if f.watch.From != nil {
		m, x = f.watch.From.Model.Clone()
	} else if m, x, err = f.begin(ctx); err != nil {
		return nil, nil, err
	}
	for _, s := range f.stages(f.candidates) {
		if err := f.next(ctx, m, x, s); err != nil {
			return nil, nil, err
		}
	}
	return m, x, nil
}

// fitted returns the result of a fit that is over.
func (f *fit) fitted(m *student.Model, x []float32) Fitted {
	return Fitted{terms(x, m.FeatureScale(), f.Programs, distance(m.Config)), m.WithoutWeights()}
}

// begin returns a model whose programs weigh all features by chance, and their weights.
func (f *fit) begin(ctx context.Context) (m *student.Model, x []float32, err error) {
	F, err := f.model.NodeFeatures()
	if err != nil {
		return nil, nil, err
	}
	plain := student.New(f.model, f.Seed)
	if err := plain.Standardise(ctx, f.sets[:1], f.tauH); err != nil { // one shard says enough of means and spreads
		return nil, nil, err
	}
	m, x = plain.WithWeights(slices.Repeat([]int{F}, f.Programs))
	r := rand.New(rand.NewPCG(f.Seed, 0x5ce7c4))
	kept := distance(f.model)
	for i := range x {
		x[i] = float32(0.25 * r.NormFloat64())
		if i%F == kept {
			x[i] = distanceWeight
		}
	}
	return m, x, nil
}

// finish takes products from the router, as many as the configuration says.
func (f *fit) finish(ctx context.Context, m *student.Model, x []float32) (*student.Model, []float32, error) {
	selecting := bounded(f.selecting(f.Terms, 5), f.candidates)
	for i, s := range selecting {
		if last := i == len(selecting)-1; last && f.Own != nil && !f.trained(f.number+1) {
			if err := f.addOwn(ctx, m, x); err != nil {
				return nil, nil, err
			}
		}
		if err := f.next(ctx, m, x, s); err != nil {
			return nil, nil, err
		}
	}
	rungs := f.thinning(f.candidates)
	if len(rungs) == 0 {
		return m, x, nil
	}
	f.watch.Keep = nil // thin may discard a stage's model, so there is no checkpoint to keep
	return f.thin(m, x, rungs, func(m *student.Model, x []float32, s stage) error { return f.next(ctx, m, x, s) },
		func(m *student.Model) (float64, error) {
			eval, err := student.Evaluate(ctx, m, f.sets, f.tauH)
			return eval.Top1, err
		})
}

// trained reports whether the checkpoint that the fit goes on from has a stage.
func (f *fit) trained(number int) bool { return f.watch.From != nil && number <= f.watch.From.Stages }

// next trains the next stage, unless the checkpoint that the fit goes on from has it.
func (f *fit) next(ctx context.Context, m *student.Model, x []float32, s stage) error {
	f.number++
	if f.trained(f.number) {
		f.done += s.epochs
		return nil
	}
	err := f.train(ctx, m, x, s, f.sets, f.tauH, uint64(f.number-1), func() {
		if f.done++; f.watch.Progress != nil {
			f.watch.Progress(f.done, f.total)
		}
	})
	if err != nil || f.watch.Keep == nil {
		return err
	}
	return f.watch.Keep(Checkpoint{f.number, m})
}

// thin takes a model with the weights x of its programs through stages with fewer and fewer products, until top-1 falls
// by more than c.Within, and trains the last model before that once more.
func (c Config) thin(
	m *student.Model, x []float32, rungs []stage, run func(*student.Model, []float32, stage) error,
	top1 func(*student.Model) (float64, error),
) (*student.Model, []float32, error) {
	whole, err := top1(m)
	if err != nil {
		return nil, nil, err
	}
	last := len(rungs) - 1
	for _, s := range rungs[:last] {
		thinner, y := m.Clone()
		if err := run(thinner, y, s); err != nil {
			return nil, nil, err
		}
		agrees, err := top1(thinner)
		if err != nil {
			return nil, nil, err
		}
		if agrees < whole-c.Within {
			break
		}
		m, x = thinner, y
	}
	return m, x, run(m, x, rungs[last])
}

// train trains one stage.
func (c RouterConfig) train(
	ctx context.Context, m *student.Model, x []float32, s stage, sets []student.Dataset, tauH *tensor.Dense,
	seed uint64, epoch func(),
) error {
	t := student.NewTrainer(m, student.TrainConfig{
		LR: s.lr, BatchStates: c.Batch, WarmupSteps: 30, Schedule: student.Cosine, TotalEpochs: s.epochs,
	}, c.Seed<<8|seed)
	t.Programs = student.ProgramTraining{Rate: s.rate, L1: s.l1}
	if s.terms > 0 {
		t.Programs.Lo, t.Programs.Hi = prune(x, m.Config.Programs, s.terms, distance(m.Config))
	}
	if s.products > 0 {
		if err := m.Select(ctx, sets, tauH, s.products, s.bias*m.Config.Programs); err != nil {
			return err
		}
	}
	for e := range s.epochs {
		if _, err := t.Epoch(ctx, sets, tauH, e, nil); err != nil {
			return err
		}
		epoch()
	}
	return nil
}

// prune sets all weights of each program to 0 but the largest and that of the feature kept, and returns bounds that
// keep them there.
func prune(x []float32, M, terms, kept int) (lo, hi []float32) {
	F := len(x) / M
	lo, hi = make([]float32, len(x)), make([]float32, len(x))
	for m := range M {
		w := x[m*F : (m+1)*F]
		for rank, j := range largest(w, kept) {
			if rank < 1+terms {
				lo[m*F+j], hi[m*F+j] = -math.MaxFloat32, math.MaxFloat32
			} else {
				w[j] = 0
			}
		}
	}
	return lo, hi
}

// largest returns the indices of a program's weights: the feature kept, then the others by decreasing size.
func largest(w []float32, kept int) []int {
	order := make([]int, len(w))
	for j := range order {
		order[j] = j
	}
	order[0], order[kept] = kept, 0
	slices.SortStableFunc(order[1:], func(a, b int) int {
		return cmp.Compare(math.Abs(float64(w[b])), math.Abs(float64(w[a])))
	})
	return order
}

// terms returns the programs' terms, the feature kept first, without those of weight 0.
func terms(x, scale []float32, M, kept int) [][]Term {
	F := len(x) / M
	programs := make([][]Term, M)
	for m := range M {
		w := x[m*F : (m+1)*F]
		for _, j := range largest(w, kept) {
			if w[j] != 0 {
				programs[m] = append(programs[m], Term{j, float64(w[j]) / float64(scale[j])})
			}
		}
	}
	return programs
}
