package student

import (
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
)

// TestConfiguredFollowsTheView: for a bank of any view, a student can be made. That of the subgraph view decodes as
// LEHD.
func TestConfiguredFollowsTheView(t *testing.T) {
	for _, view := range routing.Views {
		if _, ok := archs[view]; !ok {
			t.Errorf("archs has no entry for the %s view", view)
		}
		cfg := Configured(config.Default().Student, routing.CVRP, view, 3)
		if err := cfg.Validate(); err != nil {
			t.Errorf("%s: %v", view, err)
		}
		if cfg.lehd() == cfg.Glimpse || cfg.lehd() != (cfg.DecoderLayers > 0) {
			t.Errorf("%s: arch %q with %d decoder layers, glimpse %v", view, cfg.Arch, cfg.DecoderLayers, cfg.Glimpse)
		}
	}
	if archs[routing.Full] == LEHD || archs[routing.Subgraph] != LEHD {
		t.Errorf("the full view has arch %q, the subgraph view %q", archs[routing.Full], archs[routing.Subgraph])
	}
}
