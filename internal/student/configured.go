package student

import (
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// archs gives, for each view, the architecture that sees no more than the view shows. The full view has POMO's, which
// configurations do not name.
var archs = map[routing.View]Arch{routing.Full: "", routing.Subgraph: LEHD}

// Configured returns the student that a config asks for, for a bank of M heuristics. Its architecture follows the
// teacher's (paper, appendix C). The bank has the teacher's problem and view.
func Configured(c config.Student, problem routing.Problem, view routing.View, M int) Config {
	cfg := Config{
		Router: Router(c.Router), Routing: Routing(c.Routing),
		D: c.Dim, Layers: c.Layers, Heads: c.Heads, FF: c.FF,
		Glimpse: !c.NoGlimpse, TauR: c.TauR, LearnTauH: !c.FixedTauH,
		HalfFeatures: c.HalfFeatures,
	}
	if problem != implied {
		cfg.Problem = problem
	}
	if cfg.Arch = archs[view]; cfg.lehd() {
		cfg.DecoderLayers, cfg.Glimpse = c.Decoder, false
	}
	if c.StaticKeys {
		cfg.StaticKeys = M
	}
	if cfg.named() {
		cfg.Programs = M
		if c.Features == sdk.ClassLookahead {
			cfg.FeatureClass = c.Features
		}
	}
	return cfg
}

// WarmStarted returns a model of a seed with a teacher's encoder (see warmStart). AM's batch norms need affine norms.
func WarmStarted(cfg Config, t teacher.Teacher, seed uint64) (*Model, error) {
	if t.Info().Arch == teacher.AM {
		cfg.Norm = Affine
	}
	model := New(cfg, seed)
	return model, model.warmStart(t.Encoder())
}
