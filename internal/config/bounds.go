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
	maxKept      = 1_900_000     // bytes of changes, epochs and events in the state of a run, which may have 2 MiB
	maxPassCalls = 8_000         // each makes up to five events of a pass, and Temporal ends a workflow of over 51,200
	maxRound     = 4_000         // calls of one round: each makes up to twelve events of the round's own workflow
	maxNamed     = 300_000       // shards in the inputs of a round's Judge and Commit: 130 bytes each, of 50 MiB
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
	if err := c.CheckState(0); err != nil {
		errs = append(errs, err)
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
	if asked := c.roundCalls(); asked > maxRound {
		errs = append(errs, fmt.Errorf("config: textgrad and add may ask the LLM %d times in one round, want at "+
			"most %d: lower textgrad.failures, textgrad.rounds or add.rounds", asked, maxRound))
	}
	if named := c.TextGrad.Heuristics * (c.TextGrad.Rounds + 2) * shards; !c.TextGrad.Off && named > maxNamed {
		errs = append(errs, fmt.Errorf("config: data.shard is %d, which has the edits of one round judged on %d "+
			"shards in all, want at most %d: raise it, or lower textgrad.heuristics or textgrad.rounds", c.Data.Shard,
			named, maxNamed))
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

// roundCalls returns how often one round of edits, or one Add, may ask the LLM.
func (c Distill) roundCalls() int {
	c.Limits.Passes, c.Limits.Epochs, c.Train.PassSegments = 1, c.Train.SegmentEpochs, 1
	edits, add := c, c
	edits.Add.Off, add.TextGrad.Off = true, true
	return max(edits.passCalls(), add.passCalls())
}

// CheckState reports that the state of a run which begins with a bank of so many programs may outgrow what Temporal
// takes.
func (c Distill) CheckState(programs int) error {
	programs = max(programs, c.Add.MaxBank, c.SketchSize().Programs)
	if bytes, epochs := c.kept(programs); bytes > maxKept {
		return fmt.Errorf("config: what a run of %d epochs in %d segments keeps of the weights of %d programs, of "+
			"edits and epochs may take %d bytes, want at most %d: lower limits.epochs or raise train.segment_epochs",
			epochs, c.Segments(), programs, bytes, maxKept)
	}
	return nil
}

// kept returns how many bytes the changes of weights, the epochs and the events of a run with so many programs take in
// its state, at most, and how many epochs these are.
func (c Distill) kept(programs int) (bytes, epochs int) {
	segments, passes := c.Segments(), min(c.Limits.Passes, c.Segments())
	terms := c.Weights.MostTerms() + 1 // see Weights.Terms
	changes, events := 0, 0
	if c.Weights != nil {
		changes, events = segments*programs*terms, programs*terms // a term is lost once
	}
	if !c.TextGrad.Off {
		events += segments * c.TextGrad.Heuristics
	}
	if !c.Add.Off {
		events += 2 * passes * c.Add.Modes // a program comes and goes
	}
	epochs = c.MostEpochs() + c.Train.AnnealEpochs
	return 90*changes + 160*epochs + 200*events, epochs
}

// ceil is a/b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }
