package tool_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/tool"
)

// TestEnviron: a program that EPB starts has what it needs, and no key that is meant for another one.
func TestEnviron(t *testing.T) {
	for _, name := range []string{"HOME", "LC_TIME", "OWN", "OWN_2", "MORE_1", "OPENAI_API_KEY", "CRITIC_KEY", "AWS_SECRET_ACCESS_KEY", "GOOGLE_API_KEY", "HTTPS_PROXY"} {
		t.Setenv(name, "x")
	}
	got := tool.Environ("OWN", "MORE_")
	for name, want := range map[string]bool{
		"HOME": true, "LC_TIME": true, "OWN": true, "OWN_2": false, "MORE_1": true,
		"OPENAI_API_KEY": false, "CRITIC_KEY": false, "AWS_SECRET_ACCESS_KEY": false, "GOOGLE_API_KEY": false, "HTTPS_PROXY": false,
	} {
		if slices.Contains(got, name+"=x") != want {
			t.Errorf("%s is passed on: %v, want %v", name, !want, want)
		}
	}
}
