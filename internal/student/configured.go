package student

import (
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
)

// Configured returns the student that a config asks for, for a bank of M heuristics: its architecture follows the
// teacher, whose problem and view the bank shares (paper, appendix C).
func Configured(c config.Student, problem routing.Problem, view routing.View, M int) Config {
	cfg := Config{
		D: c.Dim, Layers: c.Layers, Heads: c.Heads, FF: c.FF,
		Glimpse: !c.NoGlimpse, TauR: c.TauR, LearnTauH: !c.FixedTauH,
	}
	if problem != routing.TSP {
		cfg.Problem = problem
	}
	if view == routing.Subgraph {
		cfg.Arch, cfg.DecoderLayers, cfg.Glimpse = LEHD, c.Decoder, false
	}
	if c.StaticKeys {
		cfg.StaticKeys = M
	}
	return cfg
}
