package student

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Arch names a student's architecture, which follows its teacher's (paper, appendix C).
type Arch string

// The architectures.
const (
	POMO Arch = "pomo" // an encoder with instance norms, a query per state: for AM and POMO
	LEHD Arch = "lehd" // a light encoder and decoder layers over every state's tokens, no norms: for LEHD
)

// Norm names the normalisation after each residual sum of a POMO student's layers.
type Norm string

// The norms.
const (
	Instance Norm = "instance" // instance norm, as in POMO
	Affine   Norm = "affine"   // a scale and a shift per channel: AM's batch norms once trained; for its warm starts
)

// Router names what the routing weights are computed from.
type Router string

// The routers.
const (
	Attention Router = "attention" // queries and keys made of node embeddings (Eq. 3–4)
	Named     Router = "named"     // queries and keys made of named features; there is no network: see named.go
)

// Routing names how the programs' distributions become the student's.
type Routing string

// The routings.
const (
	Soft Routing = "soft" // all programs, mixed by their weights (Eq. 5)
	Hard Routing = "hard" // the program of the largest weight alone: one rule decides each step
)

// Config is the architecture of the student.
type Config struct {
	Problem       routing.Problem `json:"problem,omitempty"`        // "" means TSP: see For
	Router        Router          `json:"router,omitempty"`         // "" means Attention
	Routing       Routing         `json:"routing,omitempty"`        // "" means Soft
	Arch          Arch            `json:"arch,omitempty"`           // "" means POMO
	DecoderLayers int             `json:"decoder_layers,omitempty"` // LEHD only
	Norm          Norm            `json:"norm,omitempty"`           // POMO only; "" means Instance

	D         int     `json:"dim"`         // channels of a node embedding; a multiple of Heads and of 16
	Layers    int     `json:"layers"`      // of the encoder
	Heads     int     `json:"heads"`       // of encoder and glimpse
	FF        int     `json:"ff"`          // hidden channels of the encoder's feed-forward blocks
	Glimpse   bool    `json:"glimpse"`     // POMO only: attend once from the query to the candidates, as AM and POMO do
	TauR      float64 `json:"tau_r"`       // τ_r of Eq. 3; 0 means √D
	LearnTauH bool    `json:"learn_tau_h"` // train τ_h of Eq. 2 through the mixture (Eq. 5)

	// StaticKeys, unless 0, replaces Eq. 4 by that many learned keys, one per heuristic: the paper's ablation.
	// Trainer.Resize follows the bank.
	StaticKeys int `json:"static_keys,omitempty"`

	// Programs is the size of the bank of a named router, which has a bias per program. Trainer.Resize follows the
	// bank.
	Programs int `json:"programs,omitempty"`
	// FeatureClass is the class up to which a named router has features: ClassLookahead, or "" for local ones alone.
	FeatureClass sdk.Class `json:"feature_class,omitempty"`
	// HalfFeatures says that a named router is trained and measured on features of half precision. Decoding has all
	// digits.
	HalfFeatures bool `json:"half_features,omitempty"`
	// Sparse says that the parameters of a named router that are 0 were pruned, and stay 0.
	Sparse bool `json:"sparse,omitempty"`
	// Weights, unless empty, is the number of weights of each program that are trained with the router: see terms.go.
	Weights []int `json:"weights,omitempty"`
}

// Validate reports the first value that a model cannot have.
func (c Config) Validate() error {
	switch {
	case c.Problem != "" && !problems.Known(c.Problem):
		return fmt.Errorf("student: problem %q is unknown, want %s", string(c.Problem), problems.Names())
	case c.Arch != "" && c.Arch != POMO && c.Arch != LEHD:
		return fmt.Errorf("student: arch %q is unknown, want %s or %s", string(c.Arch), POMO, LEHD)
	case c.lehd() && c.DecoderLayers < 1:
		return fmt.Errorf("student: decoder_layers is %d, want at least 1 with arch %s", c.DecoderLayers, LEHD)
	case !c.lehd() && c.DecoderLayers != 0:
		return fmt.Errorf("student: decoder_layers is %d, but only arch %s has them", c.DecoderLayers, LEHD)
	case c.Norm != "" && c.Norm != Instance && c.Norm != Affine:
		return fmt.Errorf("student: norm %q is unknown, want %s or %s", string(c.Norm), Instance, Affine)
	case c.lehd() && c.Norm != "":
		return fmt.Errorf("student: norm is %s, but arch %s has none", c.Norm, LEHD)
	case c.lehd() && c.Glimpse:
		return fmt.Errorf("student: glimpse is set, but arch %s has decoder layers in its place", LEHD)
	case c.Router != "" && c.Router != Attention && c.Router != Named:
		return fmt.Errorf("student: router %q is unknown, want %s or %s", string(c.Router), Attention, Named)
	case c.Routing != "" && c.Routing != Soft && c.Routing != Hard:
		return fmt.Errorf("student: routing %q is unknown, want %s or %s", string(c.Routing), Soft, Hard)
	}
	if c.named() {
		return c.validateNamed()
	}
	return c.validateAttention()
}

// validateAttention reports the first value that a model with an attention router cannot have.
func (c Config) validateAttention() error {
	switch {
	case c.D <= 0 || c.D%16 != 0:
		return fmt.Errorf("student: dim is %d, want a positive multiple of 16", c.D)
	case c.Heads <= 0 || c.D%c.Heads != 0:
		return fmt.Errorf("student: heads is %d, want a divisor of dim %d", c.Heads, c.D)
	case c.Layers < 1:
		return fmt.Errorf("student: layers is %d, want at least 1", c.Layers)
	case c.FF < 1:
		return fmt.Errorf("student: ff is %d, want at least 1", c.FF)
	case c.Programs != 0:
		return fmt.Errorf("student: programs is %d, want 0: only router %s has parameters of each", c.Programs, Named)
	case c.StaticKeys < 0:
		return fmt.Errorf("student: static_keys is %d, want 0 (keys of Eq. 4) or the size of the bank", c.StaticKeys)
	case !(c.TauR >= 0) || math.IsInf(c.TauR, 0):
		return fmt.Errorf("student: tau_r is %v, want 0 (√dim) or more", c.TauR)
	}
	if c.StaticKeys > 0 { // otherwise the router takes any bank
		return c.validateWeights(c.StaticKeys)
	}
	return nil
}

// validateWeights reports weights of another number of programs than the bank has.
func (c Config) validateWeights(programs int) error {
	if len(c.Weights) != 0 && len(c.Weights) != programs {
		return fmt.Errorf("student: weights of %d programs, the bank has %d", len(c.Weights), programs)
	}
	return nil
}

func (c Config) lehd() bool { return c.Arch == LEHD }

func (c Config) named() bool { return c.Router == Named }

// PerProgram reports whether the model has parameters of each program, so that it fits one bank only. Trainer.Resize
// fits it to another.
func (c Config) PerProgram() bool { return c.OwnParameters() > 0 }

// implied is the problem of a configuration that names none, as old checkpoints do.
const implied = routing.TSP

// For returns the problem that the student is for.
func (c Config) For() routing.Problem { return cmp.Or(c.Problem, implied) }

// normed reports whether the layers have norms.
func (c Config) normed() bool { return !c.lehd() }

// definition returns the definition of the student's problem.
func (c Config) definition() routing.Definition { return problems.Must(c.For()) }

// depot reports whether the depot has an embedding of its own.
func (c Config) depot() bool { return c.definition().Traits().Depot && !c.lehd() }

// features returns the number of inputs of a node.
func (c Config) features() int { return c.definition().Traits().NodeFeatures }

func (c Config) tauR() float32 {
	if c.TauR > 0 {
		return float32(c.TauR)
	}
	return float32(math.Sqrt(float64(c.D)))
}

// param is one named parameter; its backing slice is the model's own.
type param struct {
	Name  string
	Value *tensor.Dense
}

// Model is the router's θ: encoder and query. It is safe for concurrent use as long as nobody writes to it.
type Model struct {
	Config Config
	params []param
	theta  []float32 // all parameters, one after the other
	w      weights   // the same, by role
}

// New returns a model with weights drawn uniformly from ±1/√fan-in, as PyTorch's linear layers.
// It panics if cfg is not valid.
func New(cfg Config, seed uint64) *Model {
	m := newModel(cfg)
	if cfg.named() {
		m.w.named.unscaled()
		return m
	}
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	for _, p := range m.params {
		shape := p.Value.Shape()
		x := dense.Must[float32](p.Name, p.Value, shape...)
		switch {
		case len(shape) == 2:
			bound := 1 / math.Sqrt(float64(shape[0]))
			for i := range x {
				x[i] = uniform(r, bound)
			}
		case isScale(p.Name):
			for i := range x {
				x[i] = 1
			}
		}
	}
	return m
}

func uniform(r *rand.Rand, bound float64) float32 { return float32(bound * (2*r.Float64() - 1)) }

func newModel(cfg Config) *Model {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	size := 0
	cfg.layout(func(_ string, shape ...int) []float32 {
		size += tensor.Shape(shape).TotalSize()
		return nil
	})
	m := &Model{Config: cfg, theta: make([]float32, size)}
	rest := m.theta
	m.w = cfg.layout(func(name string, shape ...int) []float32 {
		n := tensor.Shape(shape).TotalSize()
		x := rest[:n:n]
		rest = rest[n:]
		m.params = append(m.params, param{name, dense.Of(x, shape...)})
		return x
	})
	return m
}

// Size returns the number of parameters.
func (m *Model) Size() int { return len(m.theta) }
