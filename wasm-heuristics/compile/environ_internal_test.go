package compile

import (
	"os"
	"slices"
	"testing"
)

// TestBuildsInheritNoKeys: a build of a program that an LLM wrote does not get the LLM's key.
func TestBuildsInheritNoKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-hush")
	t.Setenv("EPB_S3_SECRET_KEY", "hush")
	t.Setenv("GOMODCACHE", "/mod")
	env := (&Toolchain{}).environ()
	for v, want := range map[string]bool{
		"OPENAI_API_KEY=sk-hush": false, "EPB_S3_SECRET_KEY=hush": false,
		"GOMODCACHE=/mod": true, "GOPROXY=off": true, "PATH=" + os.Getenv("PATH"): true,
	} {
		if slices.Contains(env, v) != want {
			t.Errorf("%s is in the environment of a build: %v, want %v", v, !want, want)
		}
	}
}
