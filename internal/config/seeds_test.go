package config_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
)

// TestStreams: the seeds of the streams are those that results were measured with, and no two are the same, for as many
// shards as a run may have.
func TestStreams(t *testing.T) {
	const most = 1000 // shards
	more := config.Default()
	more.Data.Shard, more.Data.Train, more.Data.Val = 2, 2*most, 2
	if err := more.Validate(); err == nil || !strings.Contains(err.Error(), "which makes 1001 shards") {
		t.Fatalf("%d shards: %v", most+1, err)
	}
	owner := map[uint64]string{}
	for _, s := range []struct {
		name   string
		stream config.Stream
		parts  int
		first  uint64
	}{
		{"training", config.TrainStream, most, 7<<32 | 0<<28},
		{"validation", config.ValStream, most, 7<<32 | 1<<28},
		{"test", config.TestStream, 1, 7<<32 | 2<<28},
		{"compare", config.CompareStream, 1, 7<<32 | 0xc03a},
		{"compare, training", config.CompareTrainStream, 1, 7<<32 | 0xc03b},
		{"compare, again", config.CompareAgainStream, 1, 7<<32 | 0xc03c},
		{"certify", config.CertifyStream, 1, 7<<32 | 0xce27},
		{"rivals", config.RivalStream, 1, 7<<32 | 0xce28},
	} {
		for part := range s.parts {
			seed := s.stream.Seed(7, part)
			if want := s.first + uint64(part); seed != want || seed>>32 != 7 {
				t.Errorf("%s, part %d: seed %#x, want %#x", s.name, part, seed, want)
			}
			if other, ok := owner[seed]; ok {
				t.Errorf("%s, part %d: seed %#x is of %s", s.name, part, seed, other)
			}
			owner[seed] = s.name
		}
	}
}

// TestTestSeed: a test seed changes the test instances and no others; a config without one is written as before.
func TestTestSeed(t *testing.T) {
	plain := config.Default()
	frozen := plain
	if err := frozen.Set("data.test_seed=9"); err != nil {
		t.Fatal(err)
	}
	if err := frozen.Validate(); err != nil {
		t.Error(err)
	}
	for stream, name := range map[config.Stream]string{config.TrainStream: "training", config.ValStream: "validation"} {
		if a, b := plain.ShardSeed(stream, 3), frozen.ShardSeed(stream, 3); a != b {
			t.Errorf("%s: seed %d became %d", name, a, b)
		}
	}
	other := plain
	other.Seed = 9
	switch got := frozen.ShardSeed(config.TestStream, 0); got {
	case plain.ShardSeed(config.TestStream, 0):
		t.Error("the test instances are those of the run's seed")
	case other.ShardSeed(config.TestStream, 0):
	default:
		t.Errorf("test instances of seed %d, want those that a run of seed 9 has", got)
	}
	if data, err := json.Marshal(plain); err != nil || strings.Contains(string(data), "test_seed") {
		t.Errorf("a config without a test seed is %s (%v)", data, err)
	}
	for _, key := range []string{"seed", "data.test_seed"} {
		long := plain
		if err := long.Set(key + "=4294967296"); err != nil {
			t.Fatal(err)
		}
		if err := long.Validate(); err == nil || !strings.Contains(err.Error(), key+" is 4294967296") {
			t.Errorf("%s of 33 bits: %v", key, err)
		}
	}
}
