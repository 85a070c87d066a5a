package main

import (
	"encoding/json"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/workflows"
)

// A run that begins with a sketch and trains weights, with a named router and hard routing, has the bytes of an
// undisturbed run, too, if one worker is killed in the sketch and the next one while it trains weights. Another worker
// goes on from the last checkpoint of the sketch. It begins to train weights anew, and finds what the killed one has
// stored.
func TestKilledWorkersChangeNoWeights(t *testing.T) {
	cfg := drillConfig(config.SketchBank)
	cfg.Sketch = &config.Sketch{Programs: 4, Terms: 3, Products: 50}
	cfg.Data = config.Data{Train: 300, Val: 60, Test: 5, Shard: 60, Starts: 1}
	cfg.Student.Router, cfg.Student.Routing = config.NamedRouter, config.HardRouting
	cfg.Weights = &config.Weights{States: 2000, Rounds: 1, Epochs: 2, Judge: 1}
	cfg.Train.SegmentEpochs, cfg.Train.PassSegments = 2, 1
	cfg.TextGrad.Heuristics, cfg.TextGrad.Failures, cfg.TextGrad.Rounds = 1, 1, 1
	cfg.Add.Off = true
	cfg.Limits = config.Limits{Passes: 1, Epochs: 2}

	calm, undisturbed := compareKilled(t, newServers(t), cfg, workflows.StageSketch, workflows.StageWeights)
	data, err := calm.store.Get(t.Context(), undisturbed.Data)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Data
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Weights) == 0 {
		t.Error("no weight changed: the drill shows nothing of their training")
	}
}
