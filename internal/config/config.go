package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Distill configures one distillation run (Alg. 1). Keys that a config leaves out are Default's.
type Distill struct {
	Name    string          `json:"name" yaml:"name"`       // shown in the UI and the report
	Problem routing.Problem `json:"problem" yaml:"problem"` // "tsp" or "cvrp"
	Teacher string          `json:"teacher" yaml:"teacher"` // path of a checkpoint or an AM's folder, or BuiltinTeacher
	Nodes   int             `json:"nodes" yaml:"nodes"`     // cities of a training instance, in CVRP its customers
	Seed    uint64          `json:"seed" yaml:"seed"`
	Bank    string          `json:"bank" yaml:"bank"` // to start from: a folder, builtin:NAME, EmptyBank or SketchBank

	// BankAllow is the classes of programs that the run may have, local by default; [local, lookahead, plan] allows
	// all. What is not allowed is left out of the SDK in the prompts, and a program of another class is refused, in
	// the starting bank too.
	BankAllow Classes `json:"bank_allow,omitempty" yaml:"bank_allow"`

	Data     Data     `json:"data" yaml:"data"`
	Sketch   *Sketch  `json:"sketch,omitempty" yaml:"sketch"`
	Student  Student  `json:"student" yaml:"student"`
	Weights  *Weights `json:"weights,omitempty" yaml:"weights"`
	Train    Train    `json:"train" yaml:"train"`
	TextGrad TextGrad `json:"textgrad" yaml:"textgrad"`
	Add      Add      `json:"add" yaml:"add"`
	Drop     Drop     `json:"drop" yaml:"drop"`
	LLM      LLM      `json:"llm" yaml:"llm"`
	Limits   Limits   `json:"limits" yaml:"limits"`

	decodeErr error // set by UnmarshalJSON, reported by Validate
}

// Data says which states the student learns from. Splits are by instance.
type Data struct {
	Train  int `json:"train" yaml:"train"`   // instances
	Val    int `json:"val" yaml:"val"`       // instances for acceptance, plateau, Add and Drop
	Test   int `json:"test" yaml:"test"`     // instances of the final table
	Search int `json:"search" yaml:"search"` // of these, instances also searched
	Shard  int `json:"shard" yaml:"shard"`   // instances per shard
	Starts int `json:"starts" yaml:"starts"` // trajectories per instance, from given nodes; 0: the teacher's start

	// Dagger is how many instances each outer pass from the second on adds to the training set, with the student's own
	// trajectories, labelled by the teacher. Whole shards are added, of which the last of the training set may be
	// smaller, so it is rounded up to a multiple of Shard. 0 is the paper's way, with states of the teacher alone.
	Dagger int `json:"dagger" yaml:"dagger"`

	// TestSeed draws the instances of the final table in place of Seed, so that a config can be frozen and then tested
	// on instances that nothing was developed on. 0: Seed.
	TestSeed uint64 `json:"test_seed,omitempty" yaml:"test_seed"`

	// Rivals adds rows to the final table: a linear scorer, a neural ranker and a decision tree on the named features,
	// fitted to the same states as the student. It takes less time than a sketch.
	Rivals bool `json:"rivals,omitempty" yaml:"rivals"`
}

// Sketch configures the first bank of a run that begins with SketchBank: programs that are sums of named features,
// fitted to the teacher's decisions together with a named router. nil means DefaultSketch.
type Sketch struct {
	Programs int `json:"programs" yaml:"programs"` // M; 0: as in DefaultSketch
	Terms    int `json:"terms" yaml:"terms"`       // weighted features of a program, beside the distance; 0: likewise
	Products int `json:"products" yaml:"products"` // products of features that the router keeps; 0: all
	// Within, in place of Products, keeps the fewest products with which top-1 stays within so much of top-1 with all:
	// 0.01 is one point.
	Within float64 `json:"within,omitempty" yaml:"within"`
}

// SketchSize returns the sketch of a run: that of DefaultSketch as far as the config says nothing of it.
func (c Distill) SketchSize() Sketch {
	usual := DefaultSketch()
	if c.Sketch == nil {
		return usual
	}
	s := *c.Sketch
	s.Programs, s.Terms = cmp.Or(s.Programs, usual.Programs), cmp.Or(s.Terms, usual.Terms)
	return s
}

// WithBank returns the config with another starting bank. What the config says of a sketch belongs to the bank that a
// sketch makes, and goes with it.
func (c Distill) WithBank(bank string) Distill {
	if c.Bank = bank; bank != SketchBank {
		c.Sketch = nil
	}
	return c
}

// DefaultSketch returns the sketch of a config that says nothing of it.
func DefaultSketch() Sketch { return Sketch{Programs: 10, Terms: DefaultTerms} }

// Leaves returns the leaves of a decision tree that has as many splits as the programs have terms, the distance
// included, so that there is as much to read.
func (s Sketch) Leaves() int { return s.Programs*(s.Terms+1) + 1 }

// The routers and routings that a student can have.
const (
	AttentionRouter = "attention" // queries and keys made of node embeddings (Eq. 3–4)
	NamedRouter     = "named"     // the same form over named features: a person can read it, and there is no network
	SoftRouting     = "soft"      // the programs' distributions are mixed by their weights (Eq. 5)
	HardRouting     = "hard"      // the program of the largest weight decides alone
)

// Classes are the classes of programs that a run may have. Where a part of a run is given none, it may have all.
type Classes []sdk.Class

// Student sizes the router (paper, settings table).
type Student struct {
	Router  string `json:"router,omitempty" yaml:"router"`   // AttentionRouter or NamedRouter; "" means the former
	Routing string `json:"routing,omitempty" yaml:"routing"` // SoftRouting or HardRouting; "" means the former
	// Features is the class of the features that a named router and bank: sketch weigh: lookahead ones walk on from a
	// candidate for a few steps. "" means local.
	Features sdk.Class `json:"features,omitempty" yaml:"features"`
	// HalfFeatures rounds these features to half precision, 11 significant bits, where training and validation read
	// them: twice as many fit into memory and onto a disk. Decoding has all digits.
	HalfFeatures bool `json:"half_features,omitempty" yaml:"half_features"`

	Dim       int     `json:"dim" yaml:"dim"`
	Layers    int     `json:"layers" yaml:"layers"`
	Heads     int     `json:"heads" yaml:"heads"`
	FF        int     `json:"ff" yaml:"ff"`
	Decoder   int     `json:"decoder_layers" yaml:"decoder_layers"` // layers per state; subgraph view (LEHD) only
	NoGlimpse bool    `json:"no_glimpse" yaml:"no_glimpse"`         // query without attention; attention only, not LEHD
	TauR      float64 `json:"tau_r" yaml:"tau_r"`                   // τ_r of Eq. 3, attention only; 0 means √dim
	FixedTauH bool    `json:"fixed_tau_h" yaml:"fixed_tau_h"`

	// WarmStart begins with the teacher's encoder weights instead of random ones. With an AM teacher the student then
	// also has the teacher's norms: a scale and a shift per channel.
	WarmStart bool `json:"warm_start" yaml:"warm_start"`

	// StaticKeys gives every heuristic a learned key of its own instead of Eq. 4: the paper's ablation. A program that
	// has never been trained with has no such key, so it needs add.off and at least one annealing epoch.
	StaticKeys bool `json:"static_keys" yaml:"static_keys"`
}

// Train schedules SGD within Block I.
type Train struct {
	BatchStates   int     `json:"batch_states" yaml:"batch_states"`
	LR            float64 `json:"lr" yaml:"lr"`
	SegmentEpochs int     `json:"segment_epochs" yaml:"segment_epochs"` // epochs between two TextGrad rounds
	PassSegments  int     `json:"pass_segments" yaml:"pass_segments"`   // at most this many segments per outer pass
	PlateauDelta  float64 `json:"plateau_delta" yaml:"plateau_delta"`   // a smaller fall is a plateau; 0: no plateaus
	AnnealEpochs  int     `json:"anneal_epochs" yaml:"anneal_epochs"`   // last ones: lr falls to a hundredth

	// CostWeight is β: a state weighs 1 + β·regret/mean regret in the loss. The regret of a state is how much longer
	// the teacher's own solution gets if the teacher takes its second choice there. 0 is the paper's plain mean.
	// Programs, with their weights, are trained and judged on the plain mean in any case.
	CostWeight float64 `json:"cost_weight" yaml:"cost_weight"`
	// Harden is for student.routing hard: the share of the expected loss of one program alone, drawn by the weights, in
	// the last annealing epoch. It rises evenly from the first one. It makes the weights sparser and the student worse
	// (docs/results.md), so the default is 0: Eq. 6 alone.
	Harden float64 `json:"harden" yaml:"harden"`
	// Off leaves the router as it was initialised: text only, an ablation. It excludes weights, whose training trains
	// the router too.
	Off bool `json:"off" yaml:"off"`
}

// Weights configures the training of the programs' weights: their named constants. nil leaves the numbers as they were
// written.
type Weights struct {
	States int `json:"states" yaml:"states"` // training states, at least, on which a round measures the programs
	// Rounds is how often the programs are measured anew, at the weights of the round before.
	Rounds int `json:"rounds" yaml:"rounds"`
	Epochs int `json:"epochs" yaml:"epochs"` // of a round
	// Judge is how many such epochs an edit and the program that it would replace are given, each, before they are
	// compared. 0 compares them as they were written.
	Judge int `json:"judge" yaml:"judge"`
	// Terms is how many terms a program may have beside its distance: so many with a weight if it has a term without
	// one, such as -s.Distance(k), else one more. 0 means DefaultTerms. Terms beyond it, and those that earn nothing,
	// are folded away.
	Terms int `json:"terms,omitempty" yaml:"terms"`
}

// MostTerms returns how many terms a program may have beside its distance. w is nil where nothing trains weights.
func (w *Weights) MostTerms() int {
	if w == nil {
		return DefaultTerms
	}
	return cmp.Or(w.Terms, DefaultTerms)
}

// DefaultTerms is how many terms a program may have where the config does not say it: as many as a sketch has.
const DefaultTerms = 5

// TextGrad configures textual gradient descent (Block I).
type TextGrad struct {
	Off        bool    `json:"off" yaml:"off"`
	StartEpoch int     `json:"start_epoch" yaml:"start_epoch"`
	Heuristics int     `json:"heuristics" yaml:"heuristics"` // dispatched per round, by accumulated score (Eq. 10)
	Failures   int     `json:"failures" yaml:"failures"`     // top-K failures per heuristic
	Rounds     int     `json:"rounds" yaml:"rounds"`         // R: attempts on the code per dispatched heuristic
	Delta      float64 `json:"delta" yaml:"delta"`           // δ: fall of validation loss that accepts an edit
	NoPhase2   bool    `json:"no_phase2" yaml:"no_phase2"`   // no phase 2, which revises the description
	Buffer     int     `json:"buffer" yaml:"buffer"`         // training instances that the failures come from
}

// Add configures Alg. 2.
type Add struct {
	Off      bool    `json:"off" yaml:"off"`
	Start    int     `json:"start_epoch" yaml:"start_epoch"` // no earlier than after this epoch
	Modes    int     `json:"modes" yaml:"modes"`             // K failure modes, one candidate each
	Rounds   int     `json:"rounds" yaml:"rounds"`           // T refinement rounds
	RhoAdmit float64 `json:"rho_admit" yaml:"rho_admit"`     // ρ_admit: least marginal coverage
	MaxBank  int     `json:"max_bank" yaml:"max_bank"`       // readers' limit: no admission beyond it
	Faults   int     `json:"faults" yaml:"faults"`           // at most this many fault states are kept
}

// Drop configures Alg. 3.
type Drop struct {
	Off      bool    `json:"off" yaml:"off"`
	Start    int     `json:"start_epoch" yaml:"start_epoch"` // no earlier than after this epoch
	Epsilon  float64 `json:"epsilon" yaml:"epsilon"`         // ε: tolerated rise of the validation loss per removal
	MaxDrops int     `json:"max_drops" yaml:"max_drops"`     // D_max
	MinBank  int     `json:"min_bank" yaml:"min_bank"`       // M_min
	// Alike is the share of the validation states beyond which two programs with the same first choice are merged; 0:
	// none are.
	Alike float64 `json:"alike" yaml:"alike"`
}

// LLM names the models that write text and programs. Endpoints and keys come from the worker's environment
// (OPENAI_BASE_URL, OPENAI_API_KEY, or the variables named per role), never from here.
type LLM struct {
	Critic      string   `json:"critic" yaml:"critic"`           // backward
	Writer      string   `json:"writer" yaml:"writer"`           // step, describe, implement, repair
	Proposer    string   `json:"proposer" yaml:"proposer"`       // Add
	Temperature *float64 `json:"temperature" yaml:"temperature"` // null: not sent, for models that refuse it
	MaxTokens   int      `json:"max_tokens" yaml:"max_tokens"`   // per answer
	Repairs     int      `json:"repairs" yaml:"repairs"`         // how often a faulty reply is sent back with its error

	// NoHabits leaves out of the prompts what the teacher usually does (epb profile): an ablation.
	NoHabits bool `json:"no_habits,omitempty" yaml:"no_habits"`

	Endpoints map[string]Endpoint `json:"endpoints,omitempty" yaml:"endpoints"` // by role: critic, writer, proposer
	Prices    ledger.Prices       `json:"prices,omitempty" yaml:"prices"`       // by model, USD per million tokens
}

// Endpoint names the environment variables of the worker that hold a role's base URL and key.
type Endpoint struct {
	URL string `json:"url" yaml:"url"`
	Key string `json:"key" yaml:"key"`
}

// Limits end Alg. 1 if it does not end by itself.
type Limits struct {
	Passes int `json:"passes" yaml:"passes"` // outer passes
	Epochs int `json:"epochs" yaml:"epochs"` // SGD epochs before annealing
	Calls  int `json:"calls" yaml:"calls"`   // LLM calls; 0: no limit
	Tokens int `json:"tokens" yaml:"tokens"` // LLM tokens; 0: no limit

	USD float64 `json:"usd,omitempty" yaml:"usd"` // money for the LLM by llm.prices; 0: no limit
}

// Budget returns what the LLM side may spend in all.
func (l Limits) Budget() *ledger.Budget { return ledger.New(l.Calls, l.Tokens, l.USD) }

// BuiltinTeacher is the teacher that ships with EPB.
const BuiltinTeacher = "builtin:pomo-tsp20"

// LocalSearchTeacher is a teacher that follows near-optimal TSP tours. It has no checkpoint: commands can ask it, and a
// run takes its rollouts.
const LocalSearchTeacher = "builtin:local-search"

// EmptyBank as the starting bank lets the LLM propose the first programs.
const EmptyBank = "empty"

// SketchBank as the starting bank has the first programs fitted to the teacher's decisions. No LLM is asked for them.
const SketchBank = "sketch"

// BuiltinBank is the starting bank that ships with EPB.
const BuiltinBank = "builtin:tsp-starter"

// Default is a TSP-20 distillation of the built-in teacher that takes minutes on two cores.
func Default() Distill {
	return Distill{
		Name: "tsp20", Problem: routing.TSP, Teacher: BuiltinTeacher, Nodes: 20, Seed: 1, Bank: BuiltinBank,
		BankAllow: Classes{sdk.ClassLocal},
		Data:      Data{Train: 4000, Val: 500, Test: 500, Search: 50, Shard: 500, Starts: 1},
		Student:   Student{Dim: 128, Layers: 3, Heads: 8, FF: 512, Decoder: 3},
		Train: Train{
			BatchStates: 2048, LR: 6e-4, SegmentEpochs: 5, PassSegments: 4, PlateauDelta: 1e-3, AnnealEpochs: 10,
		},
		TextGrad: TextGrad{StartEpoch: 5, Heuristics: 2, Failures: 4, Rounds: 2, Delta: 2e-4, Buffer: 500},
		Add:      Add{Modes: 4, Rounds: 1, RhoAdmit: 2e-3, MaxBank: 14, Faults: 2000},
		Drop:     Drop{Epsilon: 2e-4, MaxDrops: 4, MinBank: 4, Alike: 0.95},
		LLM: LLM{
			Critic: "gpt-5-mini", Writer: "gpt-5", Proposer: "gpt-5", Temperature: new(1.0),
			MaxTokens: 4096, Repairs: 2,
		},
		Limits: Limits{Passes: 3, Epochs: 60},
	}
}

// UnmarshalJSON reads over Default, so that `temporal workflow start --input-file` does the same as `epb start`. An
// unknown key fails in Unread and Validate and not here: here Temporal would retry the workflow task for ever.
func (c *Distill) UnmarshalJSON(data []byte) error {
	type plain Distill
	p := plain(Default())
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(&p)
	*c = Distill(p)
	if err != nil {
		c.decodeErr = fmt.Errorf("config: %.200s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
