package config

import "github.com/epb-nco/epb/internal/problems"

// Estimate is what a run will do, as far as that is known before it starts. Upper bounds are named Max.
type Estimate struct {
	Trajectories  int // training
	TrainStates   int
	ValStates     int
	Dagger        int // instances that each pass from the second on adds; no other number counts them
	StepsPerEpoch int // SGD steps
	MaxEpochs     int
	MaxStates     int // states passed through SGD
	MaxLLMCalls   int // without repairs, and without new descriptions of programs that lose a term in training
}

// Estimate works out the size of the run from what its teacher will be asked.
func (c Distill) Estimate() Estimate {
	starts := max(c.Data.Starts, 1)
	return c.EstimateOn(c.Data.Train*starts, c.Data.Train*starts*c.decisions(), c.Data.Val*starts*c.decisions())
}

// EstimateOn works out the size of the run on data of a known size.
func (c Distill) EstimateOn(trajectories, trainStates, valStates int) Estimate {
	e := Estimate{
		Trajectories: trajectories,
		TrainStates:  trainStates,
		ValStates:    valStates,
		Dagger:       min(ceil(c.Data.Dagger, c.Data.Shard)*c.Data.Shard, c.Data.Train),
		MaxEpochs:    c.MostEpochs() + c.Train.AnnealEpochs,
	}
	e.StepsPerEpoch = ceil(e.TrainStates, c.Train.BatchStates)
	e.MaxStates = e.TrainStates * e.MaxEpochs
	for _, t := range c.LLMCalls() {
		e.MaxLLMCalls += t.Calls
	}
	if c.Limits.Calls > 0 {
		e.MaxLLMCalls = min(e.MaxLLMCalls, c.Limits.Calls)
	}
	return e
}

// decisions estimates the number of states of a solution, 0 for a problem that is unknown (Validate says so).
func (c Distill) decisions() int {
	p, err := problems.Of(c.Problem)
	if err != nil {
		return 0
	}
	return p.Decisions(c.Nodes)
}

// Segments returns how many segments of SGD a run has at most, not counting its annealing.
func (c Distill) Segments() int {
	return min(c.Limits.Passes*c.Train.PassSegments, ceil(c.Limits.Epochs, c.Train.SegmentEpochs))
}

// MostEpochs returns how many epochs a run may take before it anneals, by its limits on epochs and passes.
func (c Distill) MostEpochs() int { return min(c.Limits.Epochs, c.Segments()*c.Train.SegmentEpochs) }

// TaskCalls is how often a run asks the LLM for one thing, at most and without repairs.
type TaskCalls struct {
	Task  string // as prompts are headed
	Calls int
}

// LLMCalls returns the calls of each task, in the order in which a run first makes them. It counts no DESCRIBE if
// there is a phase 2: a heuristic has either its accepted code described or its description revised, and the latter
// takes more calls. Nor does it count the DESCRIBE of programs that lose a term in training, since it is not known how
// many do.
func (c Distill) LLMCalls() []TaskCalls {
	segments := c.Segments()
	proposals := min(c.Limits.Passes, segments) // every pass has at least one segment
	if c.Bank == EmptyBank {
		proposals++ // its first programs
	}
	if c.Add.Off {
		proposals = 0
	}
	revised, refined := segments*c.TextGrad.Heuristics, proposals*c.Add.Modes*c.Add.Rounds
	if c.TextGrad.Off {
		revised = 0
	}
	calls := []TaskCalls{
		{"BACKWARD CODE", (revised + refined) * c.TextGrad.Failures},
		{"STEP", revised*c.TextGrad.Rounds + refined},
	}
	if c.TextGrad.NoPhase2 {
		calls = append(calls, TaskCalls{"DESCRIBE", revised})
	} else {
		calls = append(calls,
			TaskCalls{"BACKWARD DESCRIPTION", revised * c.TextGrad.Failures},
			TaskCalls{"STEP DESCRIPTION", revised},
			TaskCalls{"IMPLEMENT", revised})
	}
	return append(calls, TaskCalls{"PROPOSE", proposals})
}
