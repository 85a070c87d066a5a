package main

import (
	"testing"

	"github.com/epb-nco/epb/internal/config"
)

// A run that starts with an empty bank first proposes programs, then trains.
func TestEmptyBank(t *testing.T) {
	g := newServers(t)
	s := newDeployment(t, g, "empty")
	s.startWorker()
	cfg := drillConfig(config.EmptyBank)
	cfg.Data = config.Data{Train: 60, Val: 40, Test: 5, Shard: 60, Starts: 1}
	cfg.TextGrad.Off = true
	cfg.Limits = config.Limits{Passes: 1, Epochs: 2}
	result := s.distil(cfg, nil)
	if result.Model.Size == 0 || !result.Model.StandIn {
		t.Errorf("the run ended with %d programs: %s", result.Model.Size, result.Summary)
	}
}
