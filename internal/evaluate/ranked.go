package evaluate

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/ranker"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
)

// Ranked is a ranker as a policy: it takes the candidate of the best score, and its distribution is the softmax of the
// scores. It is safe for concurrent use.
type Ranked struct {
	Label  string
	Ranker ranker.Ranker
	Start  startrule.Rule // None where the start is given
}

// Name implements routing.Policy.
func (r Ranked) Name() string { return r.Label }

// Decoder implements routing.Policy.
func (r Ranked) Decoder() (routing.Decoder, error) {
	return &constructor{name: r.Label, start: r.Start, chooser: &rankedChooser{scorer: r.Ranker.Scorer()}}, nil
}

type rankedChooser struct {
	scorer       ranker.Scorer
	scores, prob []float32
}

func (c *rankedChooser) begin(in *routing.Instance) error {
	c.scorer.Open(in)
	return nil
}

func (c *rankedChooser) close() {}

func (c *rankedChooser) choose(f *frontier) (probs, preference []float32, err error) {
	c.scores, c.prob = dense.Sized(c.scores, len(f.Candidates)), dense.Sized(c.prob, len(f.Candidates))
	live := f.live()
	for i := range f.run {
		c.scorer.Score(live.Decision(i), f.of(i, c.scores))
		agreement.Divided(f.of(i, c.prob), f.of(i, c.scores), 1)
	}
	return c.prob, c.scores, nil
}
