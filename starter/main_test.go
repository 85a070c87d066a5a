package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A command that a signal ends says which one it was, and has the exit status that a shell expects.
func TestEndedBySignal(t *testing.T) {
	const child = "EPB_TEST_CHILD"
	if os.Getenv(child) != "" {
		os.Args = []string{"epb", "status", "r1"}
		main()
		t.Fatal("it was not ended")
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for by, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		var stderr strings.Builder
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestEndedBySignal$")
		cmd.Env = append(os.Environ(), child+"=1", "TEMPORAL_ADDRESS="+silent.Addr().String())
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		conn, err := silent.Accept() // it runs, and waits for an answer
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(by); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // with an error that holds the status
		conn.Close()
		says := "epb: " + by.String() + " signal received\n"
		if got := cmd.ProcessState.ExitCode(); got != want || stderr.String() != says {
			t.Errorf("%v: exit status %d, want %d; it said %q", by, got, want, stderr.String())
		}
	}
}

// TestMistyped: a mistake in a command's name or in a flag's value is an error that says what was meant.
func TestMistyped(t *testing.T) {
	offline(t)
	for _, tt := range []struct {
		line string
		want string
	}{
		{"bank chek mine", `unknown command "chek" for "epb bank": did you mean check?`},
		{"bank chek mine --against x", "did you mean check?"},
		{"dev upp", `unknown command "upp" for "epb dev": did you mean up?`},
		{"rollout impor x", `unknown command "impor" for "epb rollout": did you mean import?`},
		{"rollout import x --force", "--force: it is of a file that --out names"},
		{"bank diff a b --json --brief", "--json and --brief exclude each other"},
		{"llm nonsense", "epb llm --help lists its commands"},
		{"prompts x", `unknown command "x" for "epb prompts"`},
		{"banc", `unknown command "banc" for "epb": did you mean bank?`},
		{"nonsense", `unknown command "nonsense" for "epb": epb --help lists its commands`},
		{"start --seed -1", "--seed -1: want a whole number from 0 to 4294967295"},
		{"sketch --teacher builtin:pomo-tsp20 --seed 4294967296", "want a whole number from 0 to 4294967295"},
		{"sketch --teacher builtin:pomo-tsp20 --seeds 1,4294967296", "--seeds 4294967296: want"},
		{"bank check mine --capacity 30", "--capacity: it is of a CSV that --instances names"},
		{"bank check mine --shard x --capacity 30", "--capacity: it is of a CSV that --instances names"},
		{"llm archive --out -", "--out -: want the name of a file"},
		{"sketch --memory 1.5", "--memory 1.5: want a whole number"},
		{"start --nodes x", "--nodes x: want a whole number"},
		{"sketch --within x", "--within x: want a number, such as 0.01"},
		{"sketch --products x", "--products x: want whole numbers, such as 0,200,100"},
		{"sketch --seeds x", "--seeds x: want whole numbers from 0 on, such as 1,2,3"},
		{"eval --time-limit 5", "--time-limit 5: want a time, such as 5s"},
		{"bank check mine --json=perhaps", "--json perhaps: want true or false"},
		{"bank --against x", "unknown flag: --against (epb bank --help lists the flags)"},
		{"llm log a b", "want epb llm log [RUN]; got 2 arguments: a b"},
		{"bank diff a", "want epb bank diff OLD NEW; got only a"},
		{"llm-replay", "want epb llm-replay ARCHIVE; got no argument"},
		{"runs x", "epb runs takes no argument; got x"},
		{"dev logs nope", "want epb dev logs [service...], of temporal, minio, llm, worker; got nope"},
		{"llm archive", "want --out (the new file, such as run.jsonl.gz)"},
		{"llm archive --out", "--out wants a value: the new file, such as run.jsonl.gz"},
		{"export table x y --nonsense", "unknown flag: --nonsense (epb export table --help lists the flags)"},
		{"profile", "want --teacher or --shard"},
		{"profile --teacher x --shard y", "--shard and --teacher exclude each other: leave one out"},
		{"llm log --summary --rejected", "--summary and --rejected exclude each other"},
		{"llm log --json --full", "--json and --full exclude each other"},
		{"dev logs -n -5", "--lines -5: want a number of lines, or 0 for none"},
		{"llm log --role writer --role critic", "--role is given twice, as writer and as critic: leave one out"},
		{"start --seed 1 --seed 1", "--seed is given twice, as 1 and as 1: leave one out"},
		{"start -c a.yaml --config b.yaml", "--config is given twice, as a.yaml and as b.yaml"},
		{"bank check none --json --json", "there is no folder none"},         // says the same twice
		{"start --dry-run --set nodes=1 --set seed=2", "config: nodes is 1"}, // takes many values
	} {
		out, err := epb(t, strings.Fields(tt.line)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
			t.Errorf("epb %s: error %v, want one with %q; printed %q", tt.line, err, tt.want, out)
		}
	}
	must(t, []string{"bank"}, "Available Commands", "check")
}
