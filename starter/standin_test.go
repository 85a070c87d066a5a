package main

import (
	"net"
	"strings"
	"testing"
)

// TestReplayBesideAStack: a replay has another address than the stand-in of a dev stack, and says so if that is taken.
func TestReplayBesideAStack(t *testing.T) {
	of := func(of string) string {
		cmd, _, err := root().Find([]string{of})
		if err != nil {
			t.Fatal(err)
		}
		return cmd.Flags().Lookup("listen").DefValue
	}
	if replay, standIn := of("llm-replay"), of("llm-standin"); replay == standIn {
		t.Errorf("both listen on %s", replay)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	for _, args := range [][]string{{"llm-standin"}, {"llm-replay", "../examples/replies/am-tsp20-seed1.jsonl.gz"}} {
		_, err := epb(t, append(args, "--listen", at)...)
		if err == nil || !strings.HasPrefix(err.Error(), "--listen "+at+": ") ||
			!strings.HasSuffix(err.Error(), ": choose another address") {
			t.Errorf("epb %s: error %v", args[0], err)
		}
	}
}
