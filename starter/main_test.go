package main

import (
	"strings"
	"testing"
)

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
		{"llm nonsense", "epb llm --help lists its commands"},
		{"prompts x", `unknown command "x" for "epb prompts"`},
		{"banc", "bank"},
		{"start --seed -1", "--seed -1: want a whole number, at least 0"},
		{"start --nodes x", "--nodes x: want a whole number"},
		{"eval --time-limit 5", "--time-limit 5: want a time, such as 5s"},
		{"bank check mine --json=perhaps", "--json perhaps: want true or false"},
		{"bank --against x", "unknown flag: --against"},
	} {
		out, err := epb(t, strings.Fields(tt.line)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
			t.Errorf("epb %s: error %v, want one with %q; printed %q", tt.line, err, tt.want, out)
		}
	}
	must(t, []string{"bank"}, "Available Commands", "check")
}
