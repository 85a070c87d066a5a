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
	for stream, split := range []struct {
		name  workflows.Split
		count int
	}{{workflows.TrainSplit, cfg.Data.Train}, {workflows.ValSplit, cfg.Data.Val}} {
		for first := 0; first < split.count; first += cfg.Data.Shard {
			tasks = append(tasks, workflows.RolloutTask{
				Split: split.name, Problem: cfg.Problem,
				NamedTeacher: workflows.NamedTeacher{Teacher: teacher, Name: name}, ViaDepot: viaDepot,
				Nodes: cfg.Nodes, Count: min(cfg.Data.Shard, split.count-first), Starts: cfg.Data.Starts,
				Seed: shardSeed(cfg.Seed, stream, first/cfg.Data.Shard),
			})
		}
	}
	return tasks
}

// testStream numbers the test instances' random stream, after train and val.
const testStream = 2

// shardSeed returns the seed of a shard's instances. Seeds of different runs, splits and shards differ.
func shardSeed(seed uint64, stream, shard int) uint64 {
	return seed<<32 | uint64(stream)<<28 | uint64(shard)
}
