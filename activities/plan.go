package activities

import (
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// plan lays out the shards that the teacher is to record for a config. Every shard has a seed of its own, so that
// splits never share an instance.
func plan(cfg config.Distill, teacher store.Ref, name string, viaDepot bool) []workflows.RolloutTask {
	var tasks []workflows.RolloutTask
	for _, split := range []struct {
		name   workflows.Split
		stream config.Stream
		count  int
	}{
		{workflows.TrainSplit, config.TrainStream, cfg.Data.Train},
		{workflows.ValSplit, config.ValStream, cfg.Data.Val},
	} {
		for first := 0; first < split.count; first += cfg.Data.Shard {
			tasks = append(tasks, workflows.RolloutTask{
				Split: split.name, Problem: cfg.Problem,
				NamedTeacher: workflows.NamedTeacher{Teacher: teacher, Name: name}, ViaDepot: viaDepot,
				Nodes: cfg.Nodes, Count: min(cfg.Data.Shard, split.count-first), Starts: cfg.Data.Starts,
				Seed: cfg.ShardSeed(split.stream, first/cfg.Data.Shard),
			})
		}
	}
	return tasks
}
