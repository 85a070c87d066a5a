package main

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/config"
)

// BenchmarkTextGradRound measures the time of a TextGrad round without the LLM, which answers at once here:
// attribution, two attempts at each of three heuristics (check, compile, score, judge), commits, and the work of
// Temporal and the store. The bank has twelve programs for TSP-20.
func BenchmarkTextGradRound(b *testing.B) {
	g := newServers(b)
	seconds, rounds := 0.0, 0
	for b.Loop() {
		s := newDeployment(b, g, fmt.Sprintf("round-%d", rounds))
		s.startWorker()
		cfg := drillConfig(config.BuiltinBank)
		cfg.Data = config.Data{Train: 2000, Val: 500, Test: 5, Shard: 500, Starts: 1}
		cfg.TextGrad.Heuristics, cfg.TextGrad.Failures = 3, 4
		cfg.Train.SegmentEpochs, cfg.Train.PassSegments, cfg.Train.AnnealEpochs = 1, 2, 0
		cfg.Add.Off, cfg.Drop.Off = true, true
		cfg.Limits = config.Limits{Passes: 1, Epochs: 2}
		s.distil(cfg, nil)
		s.killWorker()
		for segment := range cfg.Train.PassSegments {
			id := fmt.Sprintf("%s/textgrad-0-%d", s.name, segment)
			round, err := s.c.DescribeWorkflowExecution(b.Context(), id, "")
			if err != nil {
				b.Fatal(err)
			}
			info := round.WorkflowExecutionInfo
			seconds += info.CloseTime.AsTime().Sub(info.StartTime.AsTime()).Seconds()
			rounds++
		}
	}
	b.ReportMetric(seconds/float64(rounds), "s/round")
	b.ReportMetric(0, "ns/op") // the time includes the distillation around the round
}
