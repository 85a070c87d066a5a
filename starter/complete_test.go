package main

import "testing"

// The shell completes banks, presets, modes and roles without a server, and says nothing where Temporal is away.
func TestCompletion(t *testing.T) {
	offline(t)
	must(t, []string{"__complete", "bank", "show", "builtin:tsp-l"}, "builtin:tsp-local")
	must(t, []string{"__complete", "bank", "diff", "builtin:cvrp-s"}, "builtin:cvrp-starter")
	must(t, []string{"__complete", "start", "--bank", "builtin:tsp-p"}, "builtin:tsp-planners")
	must(t, []string{"__complete", "bank", "check", "mine", "--against", "builtin:tsp-p"}, "builtin:tsp-planners")
	must(t, []string{"__complete", "start", "--preset", "lehd-t"}, "lehd-tsp100")
	must(t, []string{"__complete", "eval", "--decode", "aug"}, "aug8")
	must(t, []string{"__complete", "prompts", "show", "w"}, "writer")
	must(t, []string{"__complete", "report", "r"}, ":0")
}
