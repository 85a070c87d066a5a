package startrule

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Scored is a rule with its agreement with a teacher.
type Scored struct {
	Rule      Rule    `json:"rule"`
	Agreement float64 `json:"agreement"` // share of trajectories whose most probable start the rule names
	Mass      float64 `json:"mass"`      // mean probability the teacher gives the rule's node
}

// Fit ranks the catalogue, and the best "nearest to a place" on a grid of gridSteps, by agreement with the teacher's
// own starts, then by mass, then by simplicity, and returns the best rule with the share of starts it agrees on.
//
// Fit leaves out trajectories whose start was given (a row of zeros in StartProbs). If that leaves none, the rule is
// None, the share 0 and the ranking empty. The error says that shards have no trajectories, or that rows are missing.
func Fit(shards []*rollout.Shard) (rule Rule, share float64, ranking []Scored, err error) {
	starts, all, err := gather(shards)
	if err != nil {
		return None, 0, nil, err
	}
	if all == 0 {
		return None, 0, nil, fmt.Errorf("fit start rule: no trajectories in %d shards", len(shards))
	}
	if len(starts) == 0 {
		return None, 0, nil, nil
	}
	for _, candidate := range append(Catalogue(), bestPlace(starts)) {
		ranking = append(ranking, rate(candidate, starts))
	}
	slices.SortStableFunc(ranking, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Agreement, a.Agreement), cmp.Compare(b.Mass, a.Mass))
	})
	return ranking[0].Rule, ranking[0].Agreement, ranking, nil
}

// start is one decision of the teacher: its most probable first node, and its distribution.
type start struct {
	in    routing.Instance
	node  int
	probs []float32
}

// gather returns the teacher's own starts, and the number of all trajectories.
func gather(shards []*rollout.Shard) (starts []start, all int, err error) {
	for k, sh := range shards {
		if given := len(dense.Open[float32](sh.StartProbs)); given != sh.Trajectories()*sh.N {
			return nil, 0, fmt.Errorf("fit start rule: shard %d has %d start probabilities, want %d trajectories of "+
				"%d nodes",
				k, given, sh.Trajectories(), sh.N)
		}
		all += sh.Trajectories()
		for r := range sh.Trajectories() {
			probs := sh.StartRow(r)
			if node := agreement.Argmax(probs); probs[node] > 0 {
				starts = append(starts, start{sh.Instance(int(sh.InstanceOf[r])), node, probs})
			}
		}
	}
	return starts, all, nil
}

func rate(rule Rule, starts []start) Scored {
	hits, mass := 0, 0.0
	for i := range starts {
		s := &starts[i]
		node := rule.Start(&s.in)
		mass += float64(s.probs[node])
		if node == s.node {
			hits++
		}
	}
	n := float64(len(starts))
	return Scored{rule, float64(hits) / n, mass / n}
}

// gridSteps is how many steps there are between the places that bestPlace tries along each side of the square.
// placeStarts bounds the starts that it looks at, so that a fit takes about a second.
const (
	gridSteps   = 20 // so that places have two decimals, as the rule's name has
	placeStarts = 2000
)

// bestPlace returns the rule "nearest to a place" that names most of the starts, the first such place from the lower
// left.
func bestPlace(starts []start) Rule {
	starts = starts[:min(len(starts), placeStarts)]
	var best Rule
	most := -1
	for i := range gridSteps + 1 {
		for j := range gridSteps + 1 {
			x, y := float64(i)/gridSteps, float64(j)/gridSteps
			hits := 0
			for k := range starts {
				if closest(&starts[k].in, x, y) == starts[k].node {
					hits++
				}
			}
			if hits > most {
				best, most = nearestPlace(x, y), hits
			}
		}
	}
	return best
}

// closest returns the node nearest to (x, y), ties to the lowest index.
func closest(in *routing.Instance, x, y float64) int {
	best, least := 0, math.Inf(1)
	for i := range in.N() {
		if d := squaredTo(in, i, x, y); d < least {
			best, least = i, d
		}
	}
	return best
}
