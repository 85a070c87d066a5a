package evaluate

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/epb-nco/epb/internal/ranker"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Rival is a policy that was fitted to the teacher's decisions as the student was, for comparison.
type Rival struct {
	Name       string          `json:"name"`
	Role       Role            `json:"role,omitempty"`
	Parameters int             `json:"parameters"` // of a tree: its nodes
	Fidelity   ranker.Fidelity `json:"fidelity"`   // on the test states
	Seconds    float64         `json:"seconds"`    // of the fit; that of networks begins when the features are read
	Policy     Ranked          `json:"-"`

	// Opaque marks what explains nothing and shows what the features allow.
	Opaque bool `json:"opaque,omitempty"`
}

// Choices returns the rival's first choice in every state of a shard, as an index into the state's candidates.
func (r Rival) Choices(ctx context.Context, sh *rollout.Shard) ([]int32, error) {
	return ranker.Choices(ctx, r.Policy.Ranker, sh)
}

// RivalConfig says what FitRivals fits.
type RivalConfig struct {
	Seed   uint64
	Leaves int       // of the decision tree
	Class  sdk.Class // up to which features are used: that of the student, as the rows say "same features"
	Memory int64     // bytes for features that are kept from epoch to epoch
}

// FitRivals fits a linear scorer, a neural ranker and a decision tree to the policy's decisions in train, and measures
// them on those in test. The policy is also asked about the states that a first tree reaches; nil leaves that out.
// progress, unless nil, is told what is being done.
func FitRivals(
	ctx context.Context, p routing.Policy, train, test *rollout.Shard, start startrule.Rule, c RivalConfig,
	progress func(what string),
) ([]Rival, error) {
	if progress == nil {
		progress = func(string) {}
	}
	fit := rivalFit{
		test: test, start: start, class: c.Class, memory: c.Memory, progress: progress,
	}
	if err := fit.networks(ctx, train, c.Seed); err != nil {
		return nil, fmt.Errorf("rivals: %w", err)
	}
	name := fmt.Sprintf("%s, %d leaves", rowTree, c.Leaves)
	tree := func() (ranker.Ranker, int, error) { return fit.tree(ctx, p, train, c.Leaves) }
	if err := fit.add(ctx, name, RoleTree, tree); err != nil {
		return nil, fmt.Errorf("rivals: %w", err)
	}
	return fit.rivals, nil
}

// rivalFit collects rivals.
type rivalFit struct {
	test     *rollout.Shard
	start    startrule.Rule
	class    sdk.Class
	memory   int64
	progress func(what string)
	rivals   []Rival
}

// add fits a rival and measures it.
func (f *rivalFit) add(
	ctx context.Context, name string, role Role, fit func() (r ranker.Ranker, parameters int, err error),
) error {
	f.progress("fitting the " + name)
	began := time.Now()
	r, parameters, err := fit()
	if err != nil {
		return err
	}
	rival := Rival{
		Name: name, Role: role, Parameters: parameters, Seconds: time.Since(began).Seconds(),
		Policy: Ranked{Label: name, Ranker: r, Start: f.start}, Opaque: role == RoleRanker,
	}
	if rival.Fidelity, err = ranker.Measure(ctx, r, f.test); err != nil {
		return err
	}
	f.rivals = append(f.rivals, rival)
	return nil
}

// networks adds the linear scorer and the neural ranker.
func (f *rivalFit) networks(ctx context.Context, train *rollout.Shard, seed uint64) error {
	f.progress("reading features")
	data, err := ranker.NewTable(ctx, train, f.class, f.memory)
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		name   string
		role   Role
		config ranker.Config
	}{
		{rowScorer, RoleScorer, ranker.Linear(seed)}, {rowRanker, RoleRanker, ranker.Neural(seed)},
	} {
		if err := f.add(ctx, kind.name, kind.role, func() (ranker.Ranker, int, error) {
			n, err := ranker.Fit(ctx, data, kind.config, func(done, total int) {
				f.progress(fmt.Sprintf("fitting the %s: epoch %d of %d", kind.name, done, total))
			})
			if err != nil {
				return nil, 0, err
			}
			return n, n.Parameters(), nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// A tree is grown from about treeCandidates candidates, which bounds memory. Its own solutions add as many again. A
// tree of a hundred leaves gains nothing from more.
const treeCandidates = 1_000_000

// leastInLeaf is how many candidates a leaf of a tree has at least.
const leastInLeaf = 50

// tree grows a tree on the policy's decisions and then, as VIPER does (Bastani et al. 2018), another one on these and
// the decisions that the policy takes in the states of the first tree's own solutions. p nil leaves the second out.
func (f *rivalFit) tree(
	ctx context.Context, p routing.Policy, train *rollout.Shard, leaves int,
) (ranker.Ranker, int, error) {
	if most := treeCandidates * train.Instances() / max(1, len(train.Candidates)); most < train.Instances() {
		train = train.Slice(0, max(1, most))
	}
	grow := func(sh *rollout.Shard) (*ranker.Tree, error) {
		data, err := ranker.NewTable(ctx, sh, f.class, math.MaxInt64) // all, so that f.memory changes no digit
		if err != nil {
			return nil, err
		}
		return ranker.FitTree(ctx, data, ranker.TreeConfig{Leaves: leaves, Least: leastInLeaf})
	}
	t, err := grow(train)
	if err != nil {
		return nil, 0, err
	}
	if p != nil {
		f.progress("labelling the states of the decision tree's solutions")
		paths, err := rollout.Follow(ctx, Ranked{Label: rowTree, Ranker: t, Start: f.start}, train, nil)
		if err != nil {
			return nil, 0, err
		}
		own, err := paths.Record(ctx, p, nil)
		if err != nil {
			return nil, 0, err
		}
		both, err := rollout.Concat(train, own)
		if err != nil {
			return nil, 0, err
		}
		if t, err = grow(both); err != nil {
			return nil, 0, err
		}
	}
	return t, 2*t.Leaves() - 1, nil
}
