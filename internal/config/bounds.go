package config

import "fmt"

// The largest values of whole numbers. No run that makes sense needs more, and no product of them overflows.
const (
	maxInstances = 10_000_000    // of each split
	maxStates    = 1_000_000_000 // decision states of each split; the scores of one program take tens of gigabytes
	maxShard     = 100_000       // instances, all in memory at once
	maxShards    = 1_000         // of training and validation: the input of every activity names them all
	maxBatch     = 1_000_000     // states
	maxEpochs    = 100_000       // epochs, segments and passes
	maxBank      = 1_000         // programs
	maxSketch    = 100           // programs
	maxProducts  = 1_000_000     // of the router
	maxTerms     = 30            // weights of a program, fewer than package compile allows
	maxAttempts  = 100           // failures, modes, rounds, repairs
	maxFaults    = 1_000_000     // states
	maxLLMCalls  = 1_000_000     // the paper's longest run took 5,471
	maxChanges   = 20_000        // of weights: the state of a run has each, in 90 bytes, and may have 2 MiB
	maxPassCalls = 8_000         // each makes up to five events of a pass, and Temporal ends a workflow of over 51,200
	maxAsked     = 1_500         // calls of the LLM at once: Temporal takes 2,000 activities of a workflow
	maxAnswer    = 1_000_000     // tokens of one answer
	maxBudget    = 1_000_000_000_000
)

// size reports a run that is too large although each of its numbers is within bounds.
func (c Distill) size() []error {
	var errs []error
	starts := max(c.Data.Starts, 1)
	for _, split := range []struct {
		key       string
		instances int
	}{{"data.train", c.Data.Train}, {"data.val", c.Data.Val}} {
		if states := split.instances * starts * c.decisions(); states > maxStates {
			errs = append(errs, fmt.Errorf("config: %s is %d, which with data.starts on %d nodes makes %d states, "+
				"want at most %d", split.key, split.instances, c.Nodes, states, maxStates))
		}
	}
	shards := ceil(c.Data.Train, c.Data.Shard) + ceil(c.Data.Val, c.Data.Shard)
	of := "data.train and data.val"
	if c.Data.Dagger > 0 {
		shards += (min(c.Limits.Passes, c.Segments()) - 1) * ceil(c.Data.Dagger, c.Data.Shard)
		of = "data.train, data.val and, in each pass but the first, data.dagger"
	}
	if shards > maxShards {
		errs = append(errs, fmt.Errorf("config: data.shard is %d, which makes %d shards of %s, want at most %d of "+
			"them", c.Data.Shard, shards, of, maxShards))
	}
	programs := max(c.Add.MaxBank, c.SketchSize().Programs)
	if changes := c.Segments() * programs * c.Weights.MostTerms(); c.Weights != nil && changes > maxChanges {
		errs = append(errs, fmt.Errorf("config: weights of %d programs of %d terms may change %d times in %d "+
			"segments, want at most %d: raise train.segment_epochs", programs, c.Weights.MostTerms(), changes,
			c.Segments(), maxChanges))
	}
	if asked := c.passCalls(); asked > maxPassCalls {
		errs = append(errs, fmt.Errorf("config: train.pass_segments is %d, which makes up to %d calls of the LLM in a "+
			"pass, want at most %d", c.Train.PassSegments, asked, maxPassCalls))
	}
	for _, round := range []struct {
		off   bool
		first string
		of    int
	}{{c.TextGrad.Off, "textgrad.heuristics", c.TextGrad.Heuristics}, {c.Add.Off, "add.modes", c.Add.Modes}} {
		if asked := round.of * c.TextGrad.Failures; !round.off && asked > maxAsked {
			errs = append(errs, fmt.Errorf("config: %s times textgrad.failures is %d calls of the LLM at once, "+
				"want at most %d", round.first, asked, maxAsked))
		}
	}
	calls := 0
	for _, t := range c.LLMCalls() {
		calls += t.Calls
	}
	if calls > maxLLMCalls {
		errs = append(errs, fmt.Errorf("config: textgrad and add may ask the LLM %d times, want at most %d: "+
			"lower limits.epochs or limits.passes, or what is asked in a round", calls, maxLLMCalls))
	}
	return errs
}

// passCalls returns how often one pass may ask the LLM.
func (c Distill) passCalls() (calls int) {
	c.Limits.Passes, c.Limits.Epochs = 1, c.Train.PassSegments*c.Train.SegmentEpochs
	for _, t := range c.LLMCalls() {
		calls += t.Calls
	}
	return calls
}

// ceil is a/b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }
