package ranker

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/rollout"
	ops "github.com/epb-nco/epb/tensorops"
)

// Config says what Fit fits and how.
type Config struct {
	Hidden int     // units of each of the two hidden layers; 0: a linear scorer
	Epochs int     // passes over the data, fewer if there is much of it: see fullStates
	LR     float64 // Adam's step size in the beginning; it falls to 0 by a cosine
	Batch  int     // states of a step
	Seed   uint64  // of the first weights and of the order of the data
}

// Linear returns the configuration of a linear scorer on all features. On AM TSP-20 its loss no longer falls after so
// many steps.
func Linear(seed uint64) Config {
	return Config{Epochs: 20, LR: 3e-2, Batch: 512, Seed: seed}
}

// Neural returns the configuration of a neural ranker on the same features. On AM TSP-20, twice as many hidden units
// gain nothing.
func Neural(seed uint64) Config {
	return Config{Hidden: 64, Epochs: 25, LR: 2e-3, Batch: 512, Seed: seed}
}

// fullStates is how many states are seen for the full number of epochs. Of more states each is seen less often, so that
// the time of a fit is bounded. The programs of a sketch are fitted likewise.
const fullStates = 500_000

// leastEpochs is how often every state is seen however many there are, unless Epochs is less.
const leastEpochs = 2

// epochs returns how many passes are taken over so many states.
func (c Config) epochs(states int) int {
	share := min(1, fullStates/float64(max(states, 1)))
	return min(c.Epochs, max(leastEpochs, int(math.Round(share*float64(c.Epochs)))))
}

// partStates is how many states of a batch one goroutine takes at a time, at least. It is part of the result: another
// value gives other rounding.
const partStates = 128

// The step size rises over the first warmupSteps steps.
const warmupSteps = 30

// part is the share of a batch that one goroutine has at a time.
type part struct {
	spans  []span
	states int
	pass   *pass
	reader *rollout.FeatureReader
	grad   []float32
	loss   float64
}

// trainer is a network in training.
type trainer struct {
	c     Config
	n     *Network
	data  *Table
	m, v  []float32 // Adam's moments
	step  int
	parts []*part
}

// Fit trains a network on the policy of a table's shard: on the loss of Eq. 6, with Adam. It gives the same bytes
// whatever the number of cores. progress, unless nil, is told the epochs done and their total.
func Fit(ctx context.Context, data *Table, c Config, progress func(done, total int)) (*Network, error) {
	if c.Hidden < 0 || c.Epochs < 1 || c.Batch < 1 || !(c.LR > 0) {
		return nil, fmt.Errorf("ranker: %d hidden units, %d epochs, batches of %d states, lr %v: want at least 0, 1 "+
			"and 1, and a positive number", c.Hidden, c.Epochs, c.Batch, c.LR)
	}
	n := newNetwork(data.set, data.scale, c.Hidden, c.Seed)
	t := &trainer{c: c, n: n, data: data, m: make([]float32, len(n.theta)), v: make([]float32, len(n.theta))}
	t.c.Epochs = c.epochs(data.sh.States())
	for e := range t.c.Epochs {
		if err := t.epoch(ctx, e); err != nil {
			return nil, fmt.Errorf("ranker: epoch %d: %w", e, err)
		}
		if progress != nil {
			progress(e+1, t.c.Epochs)
		}
	}
	return n, nil
}

// epoch takes one pass over all trajectories, in an order drawn from the seed and the number of the epoch.
func (t *trainer) epoch(ctx context.Context, epoch int) error {
	all := spans(t.data.sh)
	r := rand.New(rand.NewPCG(t.c.Seed, uint64(epoch)))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	done := 0
	for len(all) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		take, states := 0, 0
		for take < len(all) && states < t.c.Batch {
			states += all[take].to - all[take].from
			take++
		}
		parts, err := t.gradient(all[:take])
		if err != nil {
			return err
		}
		all = all[take:]
		x := (float64(epoch) + float64(done)/float64(t.data.sh.States())) / float64(t.c.Epochs)
		if err := t.descend(parts, states, x); err != nil {
			return err
		}
		done += states
	}
	return nil
}

// gradient runs a batch forward and backward. It returns the parts that hold the gradient.
func (t *trainer) gradient(batch []span) ([]*part, error) {
	used := 0
	for len(batch) > 0 {
		if used == len(t.parts) {
			t.parts = append(t.parts, &part{
				pass: t.n.newPass(), reader: rollout.NewFeatureReader(t.data.set),
				grad: make([]float32, len(t.n.theta)),
			})
		}
		p := t.parts[used]
		take := 0
		for p.states = 0; take < len(batch) && p.states < partStates; take++ {
			p.states += batch[take].to - batch[take].from
		}
		p.spans, batch = batch[:take], batch[take:]
		used++
	}
	learn := func(_, i int) error { return t.parts[i].learn(t.n, t.data) }
	return t.parts[:used], parallel.Try(parallel.Workers(used), used, learn)
}

// learn computes the gradient of the part's loss.
func (p *part) learn(n *Network, data *Table) error {
	p.pass.reset()
	for _, sp := range p.spans {
		if err := p.pass.load(data, p.reader, sp); err != nil {
			return err
		}
	}
	clear(p.grad)
	g := over(p.grad, p.pass.F, p.pass.Z, n.H)
	p.pass.forward(&n.w)
	p.loss = p.pass.loss()
	p.pass.backward(&g, &n.w)
	return nil
}

// descend takes one step of Adam on the mean loss. x is the share of the training that is done.
func (t *trainer) descend(parts []*part, states int, x float64) error {
	g, loss := parts[0].grad, parts[0].loss
	for _, p := range parts[1:] {
		ops.Add(g, p.grad)
		loss += p.loss
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("step %d: the loss is %v, want a finite number: a lower lr may help", t.step, loss)
	}
	t.step++
	lr := t.c.LR * (1 + math.Cos(math.Pi*x)) / 2
	if t.step < warmupSteps {
		lr *= float64(t.step) / warmupSteps
	}
	ops.Adam(t.n.theta, t.m, t.v, g, 1/float32(states), lr, t.step)
	return nil
}
