package tool_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/tool"
)

// TestEnviron: a program that EPB starts has what it needs, and no key that is meant for another one.
func TestEnviron(t *testing.T) {
	passed := map[string]bool{
		"HOME": true, "LC_TIME": true, "OWN": true, "OWN_2": false, "MORE_1": true, "OPENAI_API_KEY": false,
		"CRITIC_KEY": false, "AWS_SECRET_ACCESS_KEY": false, "GOOGLE_API_KEY": false, "HTTPS_PROXY": false,
	}
	for name := range passed {
		t.Setenv(name, "x")
	}
	got := tool.Environ("OWN", "MORE_")
	for name, want := range passed {
		if slices.Contains(got, name+"=x") != want {
			t.Errorf("%s is passed on: %v, want %v", name, !want, want)
		}
	}
}
