package config

import (
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// The random streams of a run's instances. No two of them share an instance.
const (
	TrainStream = iota
	ValStream
	TestStream // has one shard, of Data.Test instances
)

// ShardSeed returns the seed of the instances of a shard of a stream. Seeds of different runs, streams and shards
// differ.
//
// The test instances follow Data.TestSeed, if there is one. Seeds 1 to 3 with test seed 9 share their test instances.
func (c Distill) ShardSeed(stream, shard int) uint64 {
	seed := c.Seed
	if stream == TestStream && c.Data.TestSeed != 0 {
		seed = c.Data.TestSeed
	}
	return seed<<32 | uint64(stream)<<28 | uint64(shard)
}

// TestInstances draws the instances of the final table.
func (c Distill) TestInstances() ([]routing.Instance, error) {
	p, err := problems.Of(c.Problem)
	if err != nil {
		return nil, err
	}
	return p.Generate(c.Nodes, c.Data.Test, c.ShardSeed(TestStream, 0)), nil
}
