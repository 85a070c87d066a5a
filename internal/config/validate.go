package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/features"
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

// Unread returns what of the JSON could not be read into the config, such as an unknown key. Who passes the config on
// must ask: the JSON that it is written to no longer has it.
func (c Distill) Unread() error { return c.decodeErr }

// Validate reports every key with a value that cannot be run, and what would be accepted.
func (c Distill) Validate() error { return c.validate(c.Limits.USD > 0) }

// ValidateForEstimate is Validate without what an estimate does not need: a teacher, and the price of every model.
func (c Distill) ValidateForEstimate() error {
	c.Teacher = cmp.Or(c.Teacher, BuiltinTeacher)
	return c.validate(false)
}

// validate is Validate. capped is true if there is a limit on money, for which every model must have a price.
func (c Distill) validate(capped bool) error {
	if c.decodeErr != nil {
		return c.decodeErr
	}
	errs := slices.Concat(c.validateKeys(), c.Data.validate(), c.Sketch.validate(), c.Student.validate(),
		c.Weights.validate(), c.Train.validate(), c.TextGrad.validate(), c.Add.validate(), c.Drop.validate(),
		c.LLM.validate(), c.Limits.validate(), c.validateAcross())
	if len(errs) == 0 { // within bounds, so that no product overflows
		errs = c.size()
	}
	return errors.Join(append(errs, c.LLM.validateAccess(capped)...)...)
}

// findings are the keys of a section with a value that cannot be run.
type findings struct {
	section string // before the names of its keys, such as "train."; empty for keys outside of a section
	errs    []error
}

// check adds an error unless the value of a key is ok.
func (f *findings) check(ok bool, key string, got any, want string) {
	if !ok {
		f.errs = append(f.errs, fmt.Errorf("config: %s%s is %v, want %s", f.section, key, got, want))
	}
}

// between checks that a whole number is from low to high.
func (f *findings) between(key string, got, low, high int) {
	f.check(got >= low && got <= high, key, got, fmt.Sprintf("%d to %d", low, high))
}

// notNegative checks that a number is 0 or more, and finite.
func (f *findings) notNegative(key string, got float64) {
	f.check(got >= 0 && !math.IsInf(got, 1), key, got, "0 or more")
}

// validateKeys reports the keys outside of the sections.
func (c Distill) validateKeys() []error {
	var f findings
	f.check(Nameable(c.Name), "name", strconv.Quote(c.Name),
		"letters, digits, dots, dashes and underscores, beginning with a letter or digit")
	f.check(problems.Known(c.Problem), "problem", c.Problem, problems.Names())
	f.check(c.Teacher != "", "teacher", `""`, "a checkpoint's path or "+BuiltinTeacher)
	f.check(c.Bank != "", "bank", `""`, "a bank folder or "+BuiltinBank)
	most := routing.MaxNodes
	if problems.Known(c.Problem) {
		most -= problems.Must(c.Problem).Traits().Depots()
	}
	f.between("nodes", c.Nodes, 3, most)
	f.check(c.Seed <= math.MaxUint32, "seed", c.Seed, "0 to 2^32-1")
	for _, class := range c.BankAllow {
		f.check(slices.Contains(sdk.Classes, class), "bank_allow", fmt.Sprintf("%.80q", c.BankAllow),
			"classes of programs: local, lookahead or plan")
	}
	f.check(slices.Contains(c.BankAllow, sdk.ClassLocal), "bank_allow", fmt.Sprintf("%.80q", c.BankAllow),
		"local among the classes, as in [local], or [local, lookahead, plan] for all classes")
	return f.errs
}

// validateAcross reports the values that do not go together with those of other sections.
func (c Distill) validateAcross() []error {
	var f findings
	f.check(c.Bank != EmptyBank || !c.Add.Off, "add.off", c.Add.Off,
		"false: the bank is empty, and only Add brings programs")
	f.check(c.Bank != SketchBank || c.Student.Router == NamedRouter, "student.router", strconv.Quote(c.Student.Router),
		NamedRouter+": the bank is fitted together with such a router")
	f.check(c.Bank == SketchBank || c.Sketch == nil, "sketch", "given", "bank: "+SketchBank+" with it")
	if set, ok := features.Of(c.Problem, routing.Full, c.Student.Features); ok && c.Sketch != nil {
		f.check(c.Sketch.Products <= features.MostKept, "sketch.products", c.Sketch.Products,
			fmt.Sprintf("0, for all %d, or at most %d", set.Products(), features.MostKept))
	}
	f.check(c.Data.Starts >= 0 && c.Data.Starts <= c.Nodes, "data.starts", c.Data.Starts,
		"0 (the teacher's own) to nodes")
	f.check(c.Data.Dagger == 0 || c.Limits.Passes > 1, "data.dagger", c.Data.Dagger,
		"0, or limits.passes above 1: the student has trajectories from the second pass on")
	ahead := c.Student.Features == sdk.ClassLookahead
	f.check(!ahead || slices.Contains(c.BankAllow, sdk.ClassLookahead), "student.features",
		c.Student.Features, "what bank_allow allows, as with bank_allow: [local, lookahead]")
	f.check(!c.Student.StaticKeys || c.Add.Off && c.Train.AnnealEpochs > 0, "student.static_keys", c.Student.StaticKeys,
		"false, or add.off and train.anneal_epochs of at least 1 with it")

	hardens := c.Student.Routing == HardRouting && c.Train.AnnealEpochs > 0
	f.check(c.Train.Harden == 0 || hardens, "train.harden", c.Train.Harden,
		"0, or student.routing: hard and train.anneal_epochs of at least 1 with it")
	f.check(!c.Train.Off || c.Weights == nil, "train.off", c.Train.Off,
		"false, or weights: null: they are trained together with the router")
	refines := !c.Add.Off && c.Add.Rounds > 0 // Add asks for gradients too
	if !c.TextGrad.Off || refines {
		f.check(c.LLM.Critic != "", "llm.critic", `""`, "a model's name")
	}
	if !c.TextGrad.Off || !c.Add.Off {
		f.check(c.LLM.Writer != "", "llm.writer", `""`, "a model's name")
	}
	if !c.Add.Off {
		f.check(c.LLM.Proposer != "", "llm.proposer", `""`, "a model's name")
	}
	return f.errs
}

func (d Data) validate() []error {
	f := findings{section: "data."}
	f.between("train", d.Train, 1, maxInstances)
	f.between("val", d.Val, 2, maxInstances)
	f.between("test", d.Test, 1, maxInstances)
	f.check(d.Search >= 0 && d.Search <= d.Test, "search", d.Search, "0 to data.test")
	f.check(d.TestSeed <= math.MaxUint32, "test_seed", d.TestSeed, "0 (as seed) to 2^32-1")
	f.between("shard", d.Shard, 1, maxShard)
	f.check(d.Dagger >= 0 && d.Dagger <= d.Train, "dagger", d.Dagger, "0 to data.train")
	return f.errs
}

func (s *Sketch) validate() []error {
	if s == nil {
		return nil
	}
	f := findings{section: "sketch."}
	f.between("programs", s.Programs, 0, maxSketch)
	f.between("terms", s.Terms, 0, maxTerms)
	f.between("products", s.Products, 0, maxProducts)
	f.check(s.Within >= 0 && s.Within <= 1, "within", s.Within, "0 (as sketch.products says) to 1")
	f.check(s.Within == 0 || s.Products == 0, "products", s.Products, "0 with sketch.within")
	return f.errs
}

func (w *Weights) validate() []error {
	if w == nil {
		return nil
	}
	f := findings{section: "weights."}
	f.between("states", w.States, 1, maxStates)
	f.between("rounds", w.Rounds, 1, maxAttempts)
	f.between("epochs", w.Epochs, 1, maxEpochs)
	f.between("judge", w.Judge, 0, maxEpochs)
	f.between("terms", w.Terms, 0, maxTerms)
	return f.errs
}

func (t Train) validate() []error {
	f := findings{section: "train."}
	f.between("batch_states", t.BatchStates, 1, maxBatch)
	f.check(t.LR > 0 && t.LR < 1, "lr", t.LR, "between 0 and 1")
	f.between("segment_epochs", t.SegmentEpochs, 1, maxEpochs)
	f.between("pass_segments", t.PassSegments, 1, maxEpochs)
	f.between("anneal_epochs", t.AnnealEpochs, 0, maxEpochs)
	f.check(t.CostWeight >= 0 && t.CostWeight <= maxCostWeight, "cost_weight", t.CostWeight,
		fmt.Sprintf("0 to %g", maxCostWeight))
	f.check(t.Harden >= 0 && t.Harden <= 1, "harden", t.Harden, "a number from 0 to 1")
	f.notNegative("plateau_delta", t.PlateauDelta)
	return f.errs
}

func (t TextGrad) validate() []error {
	f := findings{section: "textgrad."}
	f.between("failures", t.Failures, 1, maxAttempts) // Add and the estimate of prompts take as many
	if t.Off {
		return f.errs
	}
	f.between("heuristics", t.Heuristics, 1, maxBank)
	f.between("rounds", t.Rounds, 1, maxAttempts)
	f.between("buffer", t.Buffer, 1, maxInstances)
	f.between("start_epoch", t.StartEpoch, 0, maxEpochs)
	f.notNegative("delta", t.Delta)
	return f.errs
}

func (a Add) validate() []error {
	if a.Off {
		return nil
	}
	f := findings{section: "add."}
	f.between("modes", a.Modes, 1, maxAttempts)
	f.between("rounds", a.Rounds, 0, maxAttempts)
	f.between("faults", a.Faults, 2, maxFaults)
	f.between("max_bank", a.MaxBank, 1, maxBank)
	f.between("start_epoch", a.Start, 0, maxEpochs)
	f.check(a.RhoAdmit > 0 && a.RhoAdmit <= 1, "rho_admit", a.RhoAdmit, "a number above 0, at most 1")
	return f.errs
}

func (d Drop) validate() []error {
	if d.Off {
		return nil
	}
	f := findings{section: "drop."}
	f.notNegative("epsilon", d.Epsilon)
	f.between("max_drops", d.MaxDrops, 0, maxBank)
	f.between("min_bank", d.MinBank, 1, maxBank)
	f.check(d.Alike >= 0 && d.Alike <= 1, "alike", d.Alike, "a number from 0 (none are) to 1")
	f.between("start_epoch", d.Start, 0, maxEpochs)
	return f.errs
}

func (l Limits) validate() []error {
	f := findings{section: "limits."}
	f.between("passes", l.Passes, 1, maxEpochs)
	f.between("epochs", l.Epochs, 1, maxEpochs)
	f.between("calls", l.Calls, 0, maxBudget)
	f.between("tokens", l.Tokens, 0, maxBudget)
	f.check(l.USD >= 0 && l.USD <= maxUSD, "usd", l.USD, fmt.Sprintf("0 to %g", maxUSD))
	return f.errs
}
