package config

import (
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Stream is a random stream of instances. It has as many parts as it needs, and its number is where their seeds begin.
type Stream uint32

// The random streams of instances. For one seed no two of them share an instance.
//
// Samples that no student is fitted to, such as those of epb profile, have no stream: their seed is a bare number,
// which is that of a training part of seed 0.
const (
	// Of a run. Training and validation have a part for each shard, TestStream has one of Data.Test instances. epb
	// sketch fits to the first part of TrainStream and tests on that of ValStream.
	TrainStream Stream = iota << 28
	ValStream
	TestStream

	// Of a command, with one part each. They lie behind the most shards that a run may train on.
	CompareStream      Stream = 0xc03a // what students, teachers and routers are compared on
	CompareTrainStream Stream = 0xc03b // what the routers for two teachers are fitted to
	CompareAgainStream Stream = 0xc03c // what they are fitted to a second time
	CertifyStream      Stream = 0xce27 // what a certificate is measured on
	RivalStream        Stream = 0xce28 // what the rivals in a certificate are fitted to
)

// Seed returns the seed of the instances of a part of the stream. The seed that it is given has at most 32 bits.
func (s Stream) Seed(seed uint64, part int) uint64 { return seed<<32 + uint64(s) + uint64(part) }

// ShardSeed returns the seed of the instances of a shard of one of a run's streams.
//
// The test instances follow Data.TestSeed, if there is one. Seeds 1 to 3 with test seed 9 share their test instances.
func (c Distill) ShardSeed(stream Stream, shard int) uint64 {
	if stream == TestStream && c.Data.TestSeed != 0 {
		return stream.Seed(c.Data.TestSeed, shard)
	}
	return stream.Seed(c.Seed, shard)
}

// TestInstances draws the instances of the final table.
func (c Distill) TestInstances() ([]routing.Instance, error) {
	p, err := problems.Of(c.Problem)
	if err != nil {
		return nil, err
	}
	return p.Generate(c.Nodes, c.Data.Test, c.ShardSeed(TestStream, 0)), nil
}
