package fleet_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/version"
)

// TestEnded tells a worker of this machine that has ended from all others.
func TestEnded(t *testing.T) {
	worker := exec.Command("/bin/sleep", "600")
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() {
		_ = worker.Process.Kill()
		_ = worker.Wait()
	}
	defer end()
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	identity := func(host string) string { return fmt.Sprintf("%d@%s@epb", worker.Process.Pid, host) }
	if fleet.Ended(identity(name)) {
		t.Error("a live process has ended")
	}
	end()
	for id, want := range map[string]bool{
		identity(name): true, identity(name + "x"): false, "worker-1": false, "": false,
	} {
		if got := fleet.Ended(id); got != want {
			t.Errorf("%q: %v, want %v", id, got, want)
		}
	}
}

// TestIdentity: a worker says where it runs and which build it is, and Temporal's other clients are not taken for
// builds.
func TestIdentity(t *testing.T) {
	own := fleet.Identity()
	if fleet.Ended(own) {
		t.Errorf("%s, this process, has ended", own)
	}
	for identity, want := range map[string]string{
		own: version.Commit(), "12@host@0123+dirty": "0123+dirty", "12@host@": "", "somebody": "",
	} {
		if got := (fleet.Poller{Identity: identity}).Commit(); got != want {
			t.Errorf("%s is of the commit %q, want %q", identity, got, want)
		}
	}
}
