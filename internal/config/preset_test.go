package config_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
)

// The rows of the paper's settings table.
func TestPresetsAreThePapers(t *testing.T) {
	for name, want := range map[string]struct {
		problem                      routing.Problem
		nodes, layers, batch, epochs int
		lr                           float64
		every                        int // batches between backward passes
	}{
		"pomo-tsp50":  {routing.TSP, 50, 3, 4096, 144, 6e-4, 100},
		"pomo-tsp100": {routing.TSP, 100, 4, 2048, 80, 3e-4, 200},
		"pomo-cvrp50": {routing.CVRP, 50, 6, 16384, 50, 4e-4, 200},
		"lehd-tsp100": {routing.TSP, 100, 3, 1024, 50, 1e-4, 200},
	} {
		c, err := config.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		s, tr := c.Student, c.Train
		if c.Problem != want.problem || c.Nodes != want.nodes || s.Dim != 128 || s.Heads != 8 || s.Layers != want.layers ||
			tr.BatchStates != want.batch || tr.LR != want.lr || c.Limits.Epochs+tr.AnnealEpochs != want.epochs {
			t.Errorf("%s: %+v %+v, %d nodes, %d epochs", name, s, tr, c.Nodes, c.Limits.Epochs+tr.AnnealEpochs)
		}
		batches := float64(tr.SegmentEpochs) * 100_000 / float64(tr.BatchStates)
		if off := batches / float64(want.every); off < 0.9 || off > 1.1 {
			t.Errorf("%s: a backward pass every %.0f batches, want %d", name, batches, want.every)
		}
		c.Teacher = "checkpoint.pt"
		if err := c.Validate(); err != nil {
			t.Errorf("%s with a teacher: %v", name, err)
		}
	}
	if _, err := config.Preset("am-tsp7"); err == nil || !strings.Contains(err.Error(), strings.Join(config.Presets(), ", ")) {
		t.Errorf("error %v, want one that names the presets", err)
	}
}
