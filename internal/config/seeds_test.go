package config_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
)

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
	for stream, name := range map[int]string{config.TrainStream: "training", config.ValStream: "validation"} {
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
