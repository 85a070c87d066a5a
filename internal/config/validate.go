package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Nameable reports whether a run may have the name or ID: it becomes a key in the store and the folder of a report.
func Nameable(name string) bool { return nameable.MatchString(name) }

var nameable = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$`)

// maxCostWeight is so small that every state has a finite weight in float32, and larger than any useful weight.
const maxCostWeight = 1e6

// maxUSD is more than any run costs, and the ledger can count it in millionths of a dollar.
const maxUSD = 1e9

// Validate reports every key with a value that cannot be run, and what would be accepted.
func (c Distill) Validate() error {
	if c.decodeErr != nil {
		return c.decodeErr
	}
	var errs []error
	check := func(ok bool, key string, got any, want string) {
		if !ok {
			errs = append(errs, fmt.Errorf("config: %s is %v, want %s", key, got, want))
		}
	}
	between := func(key string, got, low, high int) {
		check(got >= low && got <= high, key, got, fmt.Sprintf("%d to %d", low, high))
	}
	notNegative := func(key string, got float64) { check(got >= 0 && !math.IsInf(got, 1), key, got, "0 or more") }

	check(Nameable(c.Name), "name", strconv.Quote(c.Name),
		"letters, digits, dots, dashes and underscores, beginning with a letter or digit")
	check(problems.Known(c.Problem), "problem", c.Problem, problems.Names())
	check(c.Teacher != "", "teacher", `""`, "a checkpoint's path or "+BuiltinTeacher)
	check(c.Bank != "", "bank", `""`, "a bank folder or "+BuiltinBank)
	check(c.Bank != EmptyBank || !c.Add.Off, "add.off", c.Add.Off,
		"false: the bank is empty, and only Add brings programs")
	check(c.Bank != SketchBank || c.Student.Router == NamedRouter, "student.router", strconv.Quote(c.Student.Router),
		NamedRouter+": the bank is fitted together with such a router")
	if s := c.Sketch; s != nil {
		check(c.Bank == SketchBank, "sketch", "given", "bank: "+SketchBank+" with it")
		between("sketch.programs", s.Programs, 1, maxSketch)
		between("sketch.terms", s.Terms, 1, maxTerms)
		between("sketch.products", s.Products, 0, maxProducts)
		check(s.Within >= 0 && s.Within <= 1, "sketch.within", s.Within, "0 (as sketch.products says) to 1")
		check(s.Within == 0 || s.Products == 0, "sketch.products", s.Products, "0 with sketch.within")
	}
	check(c.Nodes >= 3 && c.Nodes <= routing.MaxNodes, "nodes", c.Nodes, fmt.Sprintf("3 to %d", routing.MaxNodes))

	for _, class := range c.BankAllow {
		check(slices.Contains(sdk.Classes, class), "bank_allow", fmt.Sprintf("%.80q", c.BankAllow),
			"classes of programs: local, lookahead or plan")
	}
	check(slices.Contains(c.BankAllow, sdk.ClassLocal), "bank_allow", fmt.Sprintf("%.80q", c.BankAllow),
		"local among the classes, as in [local], or [local, lookahead, plan] for all classes")

	between("data.train", c.Data.Train, 1, maxInstances)
	between("data.val", c.Data.Val, 2, maxInstances)
	between("data.test", c.Data.Test, 1, maxInstances)
	check(c.Data.Search >= 0 && c.Data.Search <= c.Data.Test, "data.search", c.Data.Search, "0 to data.test")
	check(c.Data.TestSeed <= math.MaxUint32, "data.test_seed", c.Data.TestSeed, "0 (as seed) to 2^32-1")
	between("data.shard", c.Data.Shard, 1, maxShard)
	check(c.Data.Starts >= 0 && c.Data.Starts <= c.Nodes, "data.starts", c.Data.Starts,
		"0 (the teacher's own) to nodes")
	check(c.Data.Dagger >= 0 && c.Data.Dagger <= c.Data.Train, "data.dagger", c.Data.Dagger, "0 to data.train")
	check(c.Data.Dagger == 0 || c.Limits.Passes > 1, "data.dagger", c.Data.Dagger,
		"0, or limits.passes above 1: the student has trajectories from the second pass on")

	errs = append(errs, c.Student.validate()...)
	ahead := c.Student.Features == sdk.ClassLookahead
	check(!ahead || slices.Contains(c.BankAllow, sdk.ClassLookahead), "student.features",
		c.Student.Features, "what bank_allow allows, as with bank_allow: [local, lookahead]")
	check(!c.Student.StaticKeys || c.Add.Off && c.Train.AnnealEpochs > 0, "student.static_keys", c.Student.StaticKeys,
		"false, or add.off and train.anneal_epochs of at least 1 with it")

	between("train.batch_states", c.Train.BatchStates, 1, maxBatch)
	check(c.Train.LR > 0 && c.Train.LR < 1, "train.lr", c.Train.LR, "between 0 and 1")
	between("train.segment_epochs", c.Train.SegmentEpochs, 1, maxEpochs)
	between("train.pass_segments", c.Train.PassSegments, 1, maxEpochs)
	between("train.anneal_epochs", c.Train.AnnealEpochs, 0, maxEpochs)
	check(c.Train.CostWeight >= 0 && c.Train.CostWeight <= maxCostWeight, "train.cost_weight", c.Train.CostWeight,
		fmt.Sprintf("0 to %g", maxCostWeight))
	check(c.Train.Harden >= 0 && c.Train.Harden <= 1, "train.harden", c.Train.Harden, "a number from 0 to 1")
	notNegative("train.plateau_delta", c.Train.PlateauDelta)

	if w := c.Weights; w != nil {
		between("weights.states", w.States, 1, maxStates)
		between("weights.rounds", w.Rounds, 1, maxAttempts)
		between("weights.epochs", w.Epochs, 1, maxEpochs)
		between("weights.judge", w.Judge, 0, maxEpochs)
		between("weights.terms", w.Terms, 0, maxTerms)
	}
	refines := !c.Add.Off && c.Add.Rounds > 0 // Add asks for gradients too
	if !c.TextGrad.Off || refines {
		between("textgrad.failures", c.TextGrad.Failures, 1, maxAttempts)
	}
	if !c.TextGrad.Off {
		between("textgrad.heuristics", c.TextGrad.Heuristics, 1, maxBank)
		between("textgrad.rounds", c.TextGrad.Rounds, 1, maxAttempts)
		between("textgrad.buffer", c.TextGrad.Buffer, 1, maxInstances)
		between("textgrad.start_epoch", c.TextGrad.StartEpoch, 0, maxEpochs)
		notNegative("textgrad.delta", c.TextGrad.Delta)
	}
	if !c.Add.Off {
		between("add.modes", c.Add.Modes, 1, maxAttempts)
		between("add.rounds", c.Add.Rounds, 0, maxAttempts)
		between("add.faults", c.Add.Faults, 2, maxFaults)
		between("add.max_bank", c.Add.MaxBank, 1, maxBank)
		between("add.start_epoch", c.Add.Start, 0, maxEpochs)
		check(c.Add.RhoAdmit > 0 && c.Add.RhoAdmit <= 1, "add.rho_admit", c.Add.RhoAdmit, "a number above 0, at most 1")
	}
	if !c.Drop.Off {
		notNegative("drop.epsilon", c.Drop.Epsilon)
		between("drop.max_drops", c.Drop.MaxDrops, 0, maxBank)
		between("drop.min_bank", c.Drop.MinBank, 1, maxBank)
		check(c.Drop.Alike >= 0 && c.Drop.Alike <= 1, "drop.alike", c.Drop.Alike, "a number from 0 (none are) to 1")
		between("drop.start_epoch", c.Drop.Start, 0, maxEpochs)
	}
	between("limits.passes", c.Limits.Passes, 1, maxEpochs)
	between("limits.epochs", c.Limits.Epochs, 1, maxEpochs)
	between("limits.calls", c.Limits.Calls, 0, maxBudget)
	between("limits.tokens", c.Limits.Tokens, 0, maxBudget)
	if !c.TextGrad.Off || refines {
		check(c.LLM.Critic != "", "llm.critic", `""`, "a model's name")
	}
	if !c.TextGrad.Off || !c.Add.Off {
		check(c.LLM.Writer != "", "llm.writer", `""`, "a model's name")
	}
	if !c.Add.Off {
		check(c.LLM.Proposer != "", "llm.proposer", `""`, "a model's name")
	}
	if t := c.LLM.Temperature; t != nil {
		check(*t >= 0 && *t <= 2, "llm.temperature", *t, "a number from 0 to 2, or null to leave it to the server")
	}
	between("llm.max_tokens", c.LLM.MaxTokens, 1, maxAnswer)
	between("llm.repairs", c.LLM.Repairs, 0, maxAttempts)
	check(c.Limits.USD >= 0 && c.Limits.USD <= maxUSD, "limits.usd", c.Limits.USD, fmt.Sprintf("0 to %g", maxUSD))
	if len(errs) == 0 { // within bounds, so that no product overflows
		errs = append(errs, c.size()...)
	}
	return errors.Join(append(errs, c.LLM.validate(c.Limits.USD > 0)...)...)
}
