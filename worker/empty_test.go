package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
)

// A run that starts from an empty bank has one proposed before anything is trained.
func TestEmptyBank(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "epb-worker")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build the worker: %v\n%s", err, out)
	}
	stack := devstacktest.Start(t, devstack.Temporal, devstack.MinIO)
	c, err := client.Dial(client.Options{HostPort: stack.Temporal, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := newSite(t, bin, stack, c, "empty")
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
