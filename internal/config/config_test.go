package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

func TestDefaultIsValid(t *testing.T) {
	if err := config.Default().Validate(); err != nil {
		t.Fatal(err)
	}
}

// merge reads a file named config over c.
func merge(t *testing.T, c *config.Distill, yaml string) error {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("config", []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return c.MergeFile("config")
}

func TestMergeOverDefault(t *testing.T) {
	c := config.Default()
	if err := merge(t, &c, "nodes: 50\ntrain:\n  lr: 1e-4\n"); err != nil {
		t.Fatal(err)
	}
	if c.Nodes != 50 || c.Train.LR != 1e-4 || c.Train.BatchStates != config.Default().Train.BatchStates {
		t.Errorf("nodes %d, lr %v, batch_states %d", c.Nodes, c.Train.LR, c.Train.BatchStates)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"no value", "seed: 1\nnodes:", "config:2:7: nodes has no value: give one or leave the key out"},
		{"no values", "data: ~\ntrain:\n  lr: # later\n", "config:1:7: data has no value"},
		{"no value of an alias", "name: &n\ntrain: {lr: *n}", "config:2:13: train.lr has no value"},
		{"unknown key", "nodez: 3", "config:1:1: unknown key nodez: did you mean nodes?"},
		{"unknown nested key", "train:\n  rate: 3",
			"config:2:3: unknown key train.rate: want one of batch_states, lr,"},
		{"two unknown keys", "llm: {a: 3}\ntextgrad: {b: 3}",
			"config:1:7: unknown key llm.a: want one of critic, writer, proposer, temperature, max_tokens, " +
				"repairs, no_habits, endpoints, prices\n" +
				"config:2:12: unknown key textgrad.b"},
		{"wrong type", "seed: 1\nnodes: many", `config:2:8: nodes is "many", want a whole number`},
		{"fraction", "seed: 1\nnodes: 20.5", "config:2:8: nodes is 20.5, want a whole number"},
		{"fraction of a seed", "seed: 1.5", "config:1:7: seed is 1.5, want a whole number"},
		{"two nested fractions", "data:\n  train: 2000.7\n  dagger: .5",
			"config:2:10: data.train is 2000.7, want a whole number\nconfig:3:11: data.dagger is .5, want"},
		{"fraction by an alias", "train: {lr: &x 0.5}\nlimits: {epochs: *x}",
			"config:2:18: limits.epochs is 0.5, want a whole number"},
		{"value for keys", "train: 3", "config:1:8: train is 3, want keys with values"},
		{"an empty file", "", "config: it has no settings: want at least one, such as nodes: 20"},
		{"comments only", "# nodes: 50\n", "config: it has no settings"},
		{"an empty document", "---\n", "config: it has no settings"},
		{"list", "- 3", "config:1:1: this is a list, want keys with values"},
		{"twice", "nodes: 3\nnodes: 4", `config:2:1: mapping key "nodes" already defined at line 1`},
		{"two documents", "nodes: 20\n---\nnodes: 50", "config:2:1: a second YAML document"},
		{"no YAML", "nodes: [", "config:2:1: no valid YAML: "},
		{"a list without an end", "name: a\nnodes: [20",
			"config:3:1: no valid YAML: did not find expected ',' or ']', while parsing a flow sequence " +
				"that begins at 2:8"},
		{"a text for a number", `nodes: "20"`, `config:1:8: nodes is "20", want a whole number`},
		{"a negative seed", "seed: -1", "config:1:7: seed is -1, want a whole number, 0 or above"},
		{"a price of another kind", "llm: {prices: {gpt-5: {input: [1]}}}",
			"config:1:31: llm.prices.gpt-5.input is a list, want a number"},
		{"an unknown merged key", "train: &a {lr: 1}\nlimits: {<<: *a}", "config:1:12: unknown key limits.lr"},
		{"a circle", "train: &a {<<: *a}", "config:1:"},
		{"merged without end", bomb(), "excessive aliasing"},
		{"too few nodes", "nodes: 2", "config: nodes is 2, want 3 to 1024"},
		{"negative rate", "train: {lr: -1}", "config: train.lr is -1"},
		{"heads do not divide", "student: {dim: 100, heads: 8}", "student.dim is 100"},
		{"share above one", "add: {rho_admit: 2}", "add.rho_admit is 2"},
		{"no share", "add: {rho_admit: 0}", "config: add.rho_admit is 0, want a number above 0"},
		{"name with a path", "name: ../x", `config: name is "../x", want letters`},
		{"no name", `name: ""`, `config: name is "", want letters`},
		{"epsilon not a number", "drop: {epsilon: .nan}", "config: drop.epsilon is NaN, want 0 or more"},
		{"endless tau_r", "student: {tau_r: .inf}", "config: student.tau_r is +Inf"},
		{"vanishing tau_r", "student: {tau_r: 1e-300}",
			"config: student.tau_r is 1e-300, want 0 (√dim), or a number from 1e-06 to 1e+06"},
		{"a student beyond memory", "student: {dim: 1000000000}",
			"config: student.dim is 1000000000, want a positive multiple of 16 and of student.heads, at most 1024"},
		{"layers without end", "student: {layers: 1000000000}", "config: student.layers is 1000000000, want 1 to 32"},
		{"hidden channels without end", "student: {ff: 1000000000}",
			"config: student.ff is 1000000000, want 1 to 8192"},
		{"decoder layers without end", "student: {decoder_layers: 1000000000}",
			"config: student.decoder_layers is 1000000000, want 1 to 32"},
		{"heads without end", "student: {heads: 1000000000}", "config: student.heads is 1000000000, want 1 to 1024"},
		{"large in every way", "student: {dim: 1024, ff: 8192, layers: 32}",
			"config: student.dim is 1024, want a student of at most 33554432 parameters: " +
				"with its layers and student.ff it has about 734003200"},
		{"weights beyond float32", "train: {cost_weight: 1e300}",
			"config: train.cost_weight is 1e+300, want 0 to 1e+06"},
		{"negative epoch", "textgrad: {start_epoch: -1}", "config: textgrad.start_epoch is -1"},
		{"no critic", `llm: {critic: ""}`, `config: llm.critic is "", want a model's name`},
		{"no critic of Add's edits", "textgrad: {off: true}\nllm: {critic: ''}", `config: llm.critic is ""`},
		{"no failures for Add's edits", "textgrad: {off: true, failures: 0}", "config: textgrad.failures is 0"},
		{"no failures where nothing is edited", "textgrad: {off: true, failures: 0}\nadd: {rounds: 0}",
			"config: textgrad.failures is 0"},
		{"no second pass", "data: {dagger: 100}\nlimits: {passes: 1}",
			"config: data.dagger is 100, want 0, or limits.passes above 1"},
		{"temperature", "llm: {temperature: 3}", "config: llm.temperature is 3"},
		{"money without prices", "limits: {usd: 5}\nllm: {prices: {gpt-5: {input: 1.25, output: 10}}}",
			`llm.prices has no "gpt-5-mini", the model of the critic`},
		{"more money than there is", "limits: {usd: 1e13}", "config: limits.usd is 1e+13, want 0 to 1e+09"},
		{"money not a number", "limits: {usd: .nan}", "config: limits.usd is NaN, want 0 to 1e+09"},
		{"negative price", "llm: {prices: {gpt-5: {input: -1}}}", "llm.prices.gpt-5 is -1 in"},
		{"unknown role", "llm: {endpoints: {judge: {}}}", `llm.endpoints has "judge"`},
		{"key in the config", "llm: {endpoints: {critic: {key: sk-abc}}}",
			"llm.endpoints.critic.key is no name of an environment variable"},
		{"URL in the config", "llm: {endpoints: {critic: {url: 'http://x'}}}", "llm.endpoints.critic.url is no name"},
		{"more instances than there is room for", "data: {train: 9000000000000000000}",
			"config: data.train is 9000000000000000000, want 1 to 10000000"},
		{"too many states", "nodes: 1000\ndata: {train: 10000000, shard: 100000, starts: 1000}",
			"config: data.train is 10000000, which with data.starts on 1000 nodes makes 9980000000000 states, " +
				"want at most 1000000000"},
		{"too many validation states", "data: {val: 10000000, shard: 100000, starts: 10}",
			"config: data.val is 10000000, which with"},
		{"a huge shard", "data: {shard: 9000000000000000000}",
			"config: data.shard is 9000000000000000000, want 1 to 100000"},
		{"shards of one", "data: {shard: 1}",
			"config: data.shard is 1, which makes 4500 shards of data.train and data.val, want at most 1000"},
		{"a shard a pass too many", "data: {train: 40000, val: 1000, shard: 100, dagger: 20000}\n" +
			"limits: {passes: 5, epochs: 100}\ntrain: {segment_epochs: 1}", "config: data.shard is 100, which makes " +
			"1210 shards of data.train, data.val and, in each pass but the first, data.dagger, want at most 1000"},
		{"a pass without end", "train: {pass_segments: 100, segment_epochs: 1}\nlimits: {epochs: 100}\n" +
			"textgrad: {heuristics: 10}", "config: train.pass_segments is 100, which makes up to"},
		{"weights that change too often", "weights: {states: 1000, rounds: 1, epochs: 1, judge: 1}\n" +
			"limits: {passes: 400, epochs: 400}\ntrain: {segment_epochs: 1, pass_segments: 1}",
			"config: what a run of 410 epochs in 400 segments keeps of the weights of 14 programs, of " +
				"edits and epochs may take"},
		{"a round without end", "textgrad: {heuristics: 20, failures: 50, rounds: 5}\nadd: {modes: 15, rounds: 6}",
			"config: textgrad and add may ask the LLM 4591 times in one round, want at most 4000"},
		{"edits judged on too many shards", "data: {train: 100000, val: 1000, shard: 105}\n" +
			"textgrad: {heuristics: 36, failures: 4, rounds: 10}", "config: data.shard is 105, which has the edits of"},
		{"a huge batch", "train: {batch_states: 9000000000000000000}",
			"config: train.batch_states is 9000000000000000000, want 1 to 1000000"},
		{"epochs without end", "limits: {epochs: 9000000000000000000}",
			"config: limits.epochs is 9000000000000000000, want 1 to 100000"},
		{"annealing without end", "train: {anneal_epochs: 9000000000000000000}", "config: train.anneal_epochs is"},
		{"a fault buffer beyond memory", "add: {faults: 9000000000000000000}",
			"config: add.faults is 9000000000000000000, want 2 to 1000000"},
		{"failures without end", "textgrad: {failures: 9000000000000000000}",
			"config: textgrad.failures is 9000000000000000000, want 1 to 100"},
		{"calls without end", "limits: {calls: 9000000000000000000}",
			"config: limits.calls is 9000000000000000000, want 0 to"},
		{"more calls than anybody pays", "limits: {epochs: 100000, passes: 100000}\ntrain: {segment_epochs: 1}\n" +
			"textgrad: {heuristics: 1000, failures: 100, rounds: 100}\nadd: {modes: 100, rounds: 100}",
			"config: textgrad and add may ask the LLM 131200100000 times, want at most 1000000"},
		{"a class that there is not", "bank_allow: [local, sketch]", `config: bank_allow is ["local" "sketch"], want ` +
			"classes of programs: local, lookahead or plan"},
		{"two numbers of products", "bank: sketch\nstudent: {router: named}\nsketch: {programs: 4, terms: 5, " +
			"products: 50, within: 0.01}", "config: sketch.products is 50, want 0 with sketch.within"},
		{"too many products", "bank: sketch\nstudent: {router: named}\nsketch: {programs: 4, terms: 5, products: 2001}",
			"config: sketch.products is 2001, want 0, for all 5724, or at most 2000"},
		{"a share beyond all", "bank: sketch\nstudent: {router: named}\nsketch: {programs: 4, terms: 5, within: 2}",
			"config: sketch.within is 2, want 0"},
		{"hardening of a mixture", "train: {harden: 0.5}",
			"config: train.harden is 0.5, want 0, or student.routing: hard and train.anneal_epochs"},
		{"weights beside a router that stays as it is",
			"train: {off: true}\nweights: {states: 100, rounds: 1, epochs: 1}",
			"config: train.off is true, want false, or weights: null: they are trained together with the router"},
		{"a scale of attention", "student: {router: named, tau_r: 5}", "config: student.tau_r is 5, want 0"},
		{"attention of a router without", "student: {router: named, no_glimpse: true}",
			"config: student.no_glimpse is true, want false"},
		{"features of planners", "student: {router: named, features: plan}",
			`config: student.features is "plan", want local or lookahead`},
		{"features of a network", "student: {router: attention, features: lookahead}",
			"student.features is lookahead, want local: only student.router: named has features"},
		{"half features of a network", "student: {router: attention, half_features: true}",
			"student.half_features is true, want false: only student.router: named has features"},
		{"features that programs may not have", "student: {router: named, features: lookahead}\nbank_allow: [local]",
			"student.features is lookahead, want what bank_allow allows"},
		{"planners alone", "bank_allow: [plan]", "want local among the classes"},
		{"no class", "bank_allow: []", "want local among the classes"},
		{"a variable of the store", "llm: {endpoints: {critic: {url: CRITIC_URL, key: EPB_S3_SECRET_KEY}}}",
			"llm.endpoints.critic.key names a variable EPB_S3_…, which is for another server than the LLM"},
		{"a secret of the cloud", "llm: {endpoints: {writer: {url: WRITER_URL, key: AWS_SECRET_ACCESS_KEY}}}",
			"llm.endpoints.writer.key names a variable AWS_SECRET_…"},
		{"too many questions at once", "textgrad: {heuristics: 36, failures: 60}",
			"textgrad.heuristics times textgrad.failures is 2160 calls of the LLM at once, want at most 1500"},
		{"too many modes at once", "textgrad: {failures: 60}\nadd: {modes: 26}",
			"add.modes times textgrad.failures is 1560 calls"},
		{"another problem", "problem: op", "config: problem is op, want " + problems.Names()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := config.Default()
			err := merge(t, &c, tt.yaml)
			if err == nil {
				err = c.Validate()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that holds %q", err, tt.want)
			}
		})
	}
}

// bomb returns a small text whose merged mappings grow to a billion keys.
func bomb() string {
	var b strings.Builder
	b.WriteString("llm: {prices: {k0: &k0 {input: 1}")
	for i := range 30 {
		fmt.Fprintf(&b, ", k%d: &k%d {<<: [*k%d, *k%d]}", i+1, i+1, i, i)
	}
	return b.String() + "}}"
}

// A workflow input with an unknown key must decode, so that the workflow itself can refuse it with a reason.
func TestUnknownJSONKeyIsRefusedByValidate(t *testing.T) {
	var c config.Distill
	if err := json.Unmarshal([]byte(`{"nodes": 20, "epochz": 3}`), &c); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "epochz") {
		t.Errorf("error %v, want one that names epochz", err)
	}
}

func TestSet(t *testing.T) {
	c := config.Default()
	for _, good := range []string{
		"textgrad.rounds=5", "nodes=1e2", "train.lr=2.0", "train.cost_weight=2.5", "llm.temperature=0.5",
		"llm.prices={m: {input: 1.25}}",
	} {
		if err := c.Set(good); err != nil {
			t.Errorf("Set(%q): %v", good, err)
		}
	}
	if c.TextGrad.Rounds != 5 || c.Nodes != 100 || c.Train.LR != 2 || c.Train.CostWeight != 2.5 ||
		*c.LLM.Temperature != 0.5 || c.LLM.Prices["m"].Input != 1.25 {
		t.Errorf("not what was set: %+v", c)
	}
	for bad, want := range map[string]string{
		"textgrad.round=5":  "textgrad.round=5: config: unknown key textgrad.round: did you mean textgrad.rounds?",
		"nodes=20.5":        "nodes=20.5: config: nodes is 20.5, want a whole number",
		"limits.epochs=.9":  "limits.epochs=.9: config: limits.epochs is .9, want a whole number",
		"bank_allow=local":  `bank_allow is "local", want a list`,
		"train.lr=fast":     `train.lr=fast: config: train.lr is "fast", want a number`,
		"nodes=20\nseed: 3": "nodes=20\nseed: 3: config: no valid YAML",
		"nodes=20\n---\n3":  "a second YAML document follows",
		"limits=#5":         "limits=#5: config: limits has no value",
		"rounds":            "want key=value",
		"=3":                "want key=value",
		"data.train=":       "config: data.train has no value: give one, or leave out data.train=",
		"teacher=":          "config: teacher has no value",
		"weights= ":         "config: weights has no value",
		"limits.usd=null":   "limits.usd=null: config: limits.usd has no value: give one or leave the key out",
		"train=~":           "train=~: config: train has no value",
	} {
		if err := c.Set(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%q): error %v, want one that holds %q", bad, err, want)
		}
	}
	// An element of a map keeps what is not set, and all of it where the value is refused.
	c.LLM.Prices = ledger.Prices{"m": {Input: 1, Output: 10}}
	c.LLM.Endpoints = map[string]config.Endpoint{"critic": {URL: "CRITIC_URL", Key: "CRITIC_KEY"}}
	for _, set := range []string{
		"llm.prices.m.input=2", "llm.prices.m.input=x", "llm.endpoints.critic.key=OTHER_KEY", "llm.prices.new.output=3",
	} {
		if err := c.Set(set); (err == nil) != !strings.HasSuffix(set, "=x") {
			t.Errorf("Set(%q): %v", set, err)
		}
	}
	if p := c.LLM.Prices; p["m"].Input != 2 || p["m"].Output != 10 || p["new"].Output != 3 {
		t.Errorf("prices %+v", p)
	}
	if e := c.LLM.Endpoints["critic"]; e.URL != "CRITIC_URL" || e.Key != "OTHER_KEY" {
		t.Errorf("endpoint %+v", e)
	}
	// A key of an API that is put in the wrong place is not repeated.
	for _, misplaced := range []string{
		"llm.api_key=gsk_1", "llm.endpoints={critic: gsk_1}", "llm.endpoints=gsk_1", "llm.temperature=gsk_1",
		"llm.prices={m: gsk_1}", "llm=gsk_1",
	} {
		if err := c.Set(misplaced); err == nil || strings.Contains(err.Error(), "gsk_1") {
			t.Errorf("Set(%q): error %v", misplaced, err)
		}
	}
}

// What may be absent may be null: nothing trains weights then.
func TestNull(t *testing.T) {
	c := config.Default()
	c.Weights = &config.Weights{States: 1}
	if err := c.Set("weights=null"); err != nil || c.Weights != nil {
		t.Errorf("weights %+v (%v), want none", c.Weights, err)
	}
	if err := merge(t, &c, "bank_allow:\nsketch: ~\nllm: {endpoints: , temperature: null}\n"); err != nil {
		t.Error(err)
	}
}

// Another bank than a sketch leaves out what the config says of a sketch.
func TestWithBank(t *testing.T) {
	c := config.Default()
	c.Bank, c.Sketch = config.SketchBank, &config.Sketch{Programs: 12, Terms: 5}
	c.Student.Router = config.NamedRouter
	if same := c.WithBank(config.SketchBank); same.Sketch == nil || same.Validate() != nil {
		t.Errorf("the sketch is lost: %v", same.Validate())
	}
	if other := c.WithBank("mine"); other.Bank != "mine" || other.Sketch != nil || other.Validate() != nil {
		t.Errorf("with a bank of one's own: %v", other.Validate())
	}
}

// What a config does not say of its sketch is as by default.
func TestSketchSize(t *testing.T) {
	c := config.Default()
	c.Bank, c.Student.Router = config.SketchBank, config.NamedRouter
	if err := errors.Join(c.Set("sketch.products=200"), c.Validate()); err != nil {
		t.Fatal(err)
	}
	if got, want := c.SketchSize(), (config.Sketch{Programs: 10, Terms: 5, Products: 200}); got != want {
		t.Errorf("sketch %+v, want %+v", got, want)
	}
}

// A temperature of null is none, and stays none on the way to a worker; left out, it is the default.
func TestTemperatureIsOptional(t *testing.T) {
	for set, want := range map[string]*float64{
		"llm.temperature=null": nil, "llm.temperature=0": new(0.0), "llm.max_tokens=9": new(1.0),
	} {
		c := config.Default()
		if err := errors.Join(c.Set(set), c.Validate()); err != nil {
			t.Fatalf("%s: %v", set, err)
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var sent config.Distill
		if err := json.Unmarshal(data, &sent); err != nil {
			t.Fatal(err)
		}
		for _, got := range []*float64{c.LLM.Temperature, sent.LLM.Temperature} {
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Errorf("%s: temperature %v, want %v", set, got, want)
			}
		}
	}
}

// The size of the tree is a figure of reports: a run, epb sketch and epb certify compare with the same one.
func TestLeaves(t *testing.T) {
	if got := config.DefaultSketch().Leaves(); got != 61 {
		t.Errorf("%d leaves, want 61: 60 splits for 10 programs of 5 terms and the distance", got)
	}
}

func TestEstimate(t *testing.T) {
	c := config.Default()
	c.Data = config.Data{Train: 100, Val: 10, Shard: 30, Starts: 2}
	c.Nodes = 20
	c.Train.BatchStates = 1000
	e := c.Estimate()
	if e.TrainStates != 100*2*18 || e.ValStates != 10*2*18 || e.StepsPerEpoch != 4 {
		t.Errorf("%+v", e)
	}
	c.Problem = routing.CVRP
	if e = c.Estimate(); e.TrainStates != 100*2*21 {
		t.Errorf("CVRP: %+v", e)
	}
	for dagger, want := range map[int]int{0: 0, 1: 30, 30: 30, 31: 60, 100: 100} {
		c.Data.Dagger = dagger
		if e = c.Estimate(); e.Dagger != want {
			t.Errorf("data.dagger %d in shards of 30 adds %d instances, want %d", dagger, e.Dagger, want)
		}
	}
}

// Whichever limit comes first ends the training: that on epochs, or that on passes with their segments.
func TestEstimateOfEpochs(t *testing.T) {
	c := config.Default()
	c.Train.SegmentEpochs, c.Train.PassSegments, c.Train.AnnealEpochs = 5, 4, 10
	for _, tt := range []struct{ passes, epochs, want int }{{3, 60, 70}, {1, 60, 30}, {3, 7, 17}, {1, 18, 28}} {
		c.Limits.Passes, c.Limits.Epochs = tt.passes, tt.epochs
		if e := c.Estimate(); e.MaxEpochs != tt.want || e.MaxStates != e.TrainStates*tt.want {
			t.Errorf("%d passes, %d epochs: %+v, want %d epochs", tt.passes, tt.epochs, e, tt.want)
		}
	}
}

// The LLM is asked at most once to propose in every pass, of which a run has no more than segments, and once more for
// an empty bank.
func TestLLMCallsOfAdd(t *testing.T) {
	for name, tt := range map[string]struct {
		change    func(*config.Distill)
		proposals int
	}{
		"a pass each":  {func(*config.Distill) {}, 3},
		"empty bank":   {func(c *config.Distill) { c.Bank = config.EmptyBank }, 4},
		"few segments": {func(c *config.Distill) { c.Limits.Passes = 50 }, 6},
		"no Add":       {func(c *config.Distill) { c.Add.Off = true }, 0},
	} {
		c := config.Default()
		c.Limits.Passes, c.Limits.Epochs, c.Train.SegmentEpochs, c.Train.PassSegments = 3, 12, 2, 4
		c.TextGrad.Off, c.TextGrad.Failures, c.Add.Modes, c.Add.Rounds = true, 5, 4, 2
		tt.change(&c)
		got := map[string]int{}
		for _, task := range c.LLMCalls() {
			got[task.Task] = task.Calls
		}
		refined := tt.proposals * 4 * 2
		if got["PROPOSE"] != tt.proposals || got["STEP"] != refined || got["BACKWARD CODE"] != 5*refined {
			t.Errorf("%s: %v, want %d proposals and %d refinements", name, got, tt.proposals, refined)
		}
	}
}
