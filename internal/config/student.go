package config

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The largest sizes of a student, several times those of any router that was useful. A parameter takes up to 140 bytes
// in training: its value, Adam's moments and the gradients of 32 lanes.
const (
	maxDim        = 1024
	maxLayers     = 32
	maxFF         = 8192
	maxParameters = 32 << 20
)

// The range of τ_r, unless it is 0: logits divided by it stay finite in float32.
const minTauR, maxTauR = 1e-6, 1e6

// validate reports every key of the student with a value that cannot be run, and what would be accepted.
func (s Student) validate() []error {
	f := findings{section: "student."}
	f.check(s.Router == "" || s.Router == AttentionRouter || s.Router == NamedRouter, "router", strconv.Quote(s.Router),
		AttentionRouter+" or "+NamedRouter)
	f.check(s.Routing == "" || s.Routing == SoftRouting || s.Routing == HardRouting, "routing",
		strconv.Quote(s.Routing), SoftRouting+" or "+HardRouting)
	f.check(s.Features == "" || s.Features == sdk.ClassLocal || s.Features == sdk.ClassLookahead, "features",
		strconv.Quote(string(s.Features)), fmt.Sprintf("%s or %s", sdk.ClassLocal, sdk.ClassLookahead))
	f.check(s.Router == NamedRouter || s.Features != sdk.ClassLookahead, "features", s.Features,
		fmt.Sprintf("%s: only student.router: %s has features", sdk.ClassLocal, NamedRouter))
	f.check(s.Router == NamedRouter || !s.HalfFeatures, "half_features", s.HalfFeatures,
		"false: only student.router: "+NamedRouter+" has features")
	if s.Router == NamedRouter {
		f.check(!s.StaticKeys, "static_keys", s.StaticKeys, "false with student.router: "+NamedRouter)
		f.check(!s.WarmStart, "warm_start", s.WarmStart, "false with student.router: "+NamedRouter)
		f.check(!s.NoGlimpse, "no_glimpse", s.NoGlimpse, "false with student.router: "+NamedRouter)
		f.check(s.TauR == 0, "tau_r", s.TauR, "0 with student.router: "+NamedRouter)
	}
	f.between("heads", s.Heads, 1, maxDim)
	f.between("layers", s.Layers, 1, maxLayers)
	f.between("ff", s.FF, 1, maxFF)
	f.between("decoder_layers", s.Decoder, 1, maxLayers)
	f.check(s.Dim > 0 && s.Dim <= maxDim && s.Dim%16 == 0 && s.Heads > 0 && s.Dim%s.Heads == 0,
		"dim", s.Dim, fmt.Sprintf("a positive multiple of 16 and of student.heads, at most %d", maxDim))
	f.check(s.TauR == 0 || s.TauR >= minTauR && s.TauR <= maxTauR, "tau_r", s.TauR,
		fmt.Sprintf("0 (√dim), or a number from %g to %g", minTauR, maxTauR))
	if len(f.errs) == 0 {
		parameters := (s.Layers + s.Decoder) * (4*s.Dim*s.Dim + 2*s.Dim*s.FF)
		f.check(parameters <= maxParameters, "dim", s.Dim,
			fmt.Sprintf("a student of at most %d parameters: with its layers and student.ff it has about %d",
				maxParameters, parameters))
	}
	return f.errs
}
