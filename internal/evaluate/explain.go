package evaluate

import (
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// StepExplanation says which program drove one step of a student's tour.
type StepExplanation struct {
	Step   int     `json:"step"`   // actions taken before this one; 0 of a first customer that nobody gave
	Action int32   `json:"action"` // node visited
	Prob   float32 `json:"prob"`   // of the action, by what decides: π_S (Eq. 5), or with hard routing the leader's V_m
	// heuristic with the largest weight, as an index into the bank; -1 where forced
	Leader  int       `json:"leader"`
	Weights []float32 `json:"weights"` // [M] w_m(s), Eq. 3; nil where forced
	// Margin is by how much the largest weight exceeds the second one: 1 in a bank of one, 0 where forced.
	Margin float32 `json:"margin"`
	// Agree is how many of the M programs have the student's choice as their own first one. 0 where forced.
	Agree   int  `json:"agree"`
	Nearest bool `json:"nearest"` // no candidate is nearer than the action, or it is forced
	Forced  bool `json:"forced"`  // the only feasible action: nobody decided it
	// the second action of one decision, to go to a customer by way of the depot
	Via bool `json:"via,omitempty"`
}

// Decision is one decision of a student with all that led to it. Its slices belong to the decoder and are valid until
// the next decision.
type Decision struct {
	features.Decision             // K candidates: node j, or N+j for customer j by way of the depot
	Programs          [][]float32 // [M][K] V_m(n|s), Eq. 2
	Weights           []float32   // [M] w_m(s), Eq. 3
	Probs             []float32   // [K] by what decides: π_S (Eq. 5), or with hard routing the leader's V_m
	Firsts            []int       // [M] the candidate that each program would take, as an index
	Chosen            int         // the student's choice, as an index
	Taken             int         // the action that is taken, as an index: the student's choice unless it is forced
}

// Explain constructs the student's greedy solution of in from a first node (routing.OwnStart for the student's own) and
// says which program drove each of its steps, all but a start that was given. A decision to go by way of the depot is
// two steps.
func (s *Student) Explain(in *routing.Instance, start int) (routing.Trajectory, []StepExplanation, error) {
	return s.Watch(in, routing.Run{Start: start}, func(Decision) {})
}

// Watch is Explain of a run, and shows every decision as it is made. Steps that nobody decides are not shown. Where the
// run forces its actions, such as those of a teacher, the student decides in the states that these lead to.
func (s *Student) Watch(in *routing.Instance, run routing.Run, see func(Decision)) (routing.Trajectory,
	[]StepExplanation, error) {
	d, err := s.decoder()
	if err != nil {
		return routing.Trajectory{}, nil, fmt.Errorf("explain: %w", err)
	}
	defer d.Close()
	c := d.chooser.(*mixture)
	var decided []StepExplanation
	var Vm [][]float32
	var firsts []int
	d.watch = func(f *frontier) {
		k := agreement.Argmax(c.mix)
		taken := k
		if step := int(f.Step[0]); step < len(run.Force) {
			action := routing.Taken(run.Force, step, in.N(), d.viaDepot)
			if at := slices.Index(f.Candidates, uint16(action)); at >= 0 { // the decoder reports one that is infeasible
				taken = at
			}
		}
		e := StepExplanation{
			Step: int(f.Step[0]), Prob: c.mix[taken],
			Leader: agreement.Argmax(c.wm), Weights: append([]float32(nil), c.wm...), Margin: routing.Lead(c.wm),
			Nearest: problems.DistanceRank(in, int(f.Current[0]), f.Candidates, taken) == 1,
		}
		firsts = firsts[:0]
		for _, scores := range c.raw {
			firsts = append(firsts, agreement.Argmax(scores))
			if firsts[len(firsts)-1] == k {
				e.Agree++
			}
		}
		Vm = c.distributions(Vm)
		see(Decision{
			Decision: f.live().Decision(0), Programs: Vm, Weights: c.wm, Probs: c.mix, Firsts: firsts, Chosen: k,
			Taken: taken,
		})
		decided = append(decided, e)
		if int(f.Candidates[taken]) >= in.N() {
			e.Step, e.Via = e.Step+1, true
			decided = append(decided, e)
		}
	}
	trs, err := d.Decode(in, []routing.Run{run})
	if err != nil {
		return routing.Trajectory{}, nil, fmt.Errorf("explain: %w", err)
	}
	problem, err := problems.Of(in.Problem)
	if err != nil {
		return routing.Trajectory{}, nil, fmt.Errorf("explain: %w", err)
	}
	first := 1
	if problem.Traits().Depot && run.Start == routing.OwnStart {
		first = 0
	}
	steps := make([]StepExplanation, 0, len(trs[0].Actions))
	for t := first; t < len(trs[0].Actions); t++ {
		e := StepExplanation{Step: t, Prob: 1, Leader: -1, Nearest: true, Forced: true}
		if len(decided) > 0 && decided[0].Step == t {
			e, decided = decided[0], decided[1:]
		}
		e.Action = trs[0].Actions[t]
		steps = append(steps, e)
	}
	return trs[0], steps, nil
}

// distributions returns V_m of the scores of one state, [M][K] (Eq. 2). It reuses out.
func (c *mixture) distributions(out [][]float32) [][]float32 {
	for len(out) < len(c.raw) {
		out = append(out, nil)
	}
	for m, scores := range c.raw {
		out[m] = dense.Sized(out[m], len(scores))
		agreement.Softmax(out[m], scores, c.tauH[m])
	}
	return out
}
