package features

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// tspWalksLate are the features of class lookahead that also count times progress.
var tspWalksLate = []string{"window_home", "walk_home_8"}

// tspWalks lists the features of a candidate that are of class lookahead.
func tspWalks() []tspNode {
	type s = tsp.State
	return []tspNode{
		{
			Feature{"walk_2", "s.WalkLength(k, 2)", "the length of two steps on from it"},
			func(s *s, k int) float32 { return s.WalkLength(k, 2) },
		},
		{
			Feature{"walk_4", "s.WalkLength(k, 4)", "the length of four steps on from it"},
			func(s *s, k int) float32 { return s.WalkLength(k, 4) },
		},
		{
			Feature{"walk_8", "s.WalkLength(k, 8)", "the length of eight steps on from it"},
			func(s *s, k int) float32 { return s.WalkLength(k, 8) },
		},
		{
			Feature{"walk_home_4", "s.WalkHome(k, 4)", "how far from the start four steps on from it end"},
			func(s *s, k int) float32 { return s.WalkHome(k, 4) },
		},
		{
			Feature{"walk_home_8", "s.WalkHome(k, 8)", "how far from the start eight steps on from it end"},
			func(s *s, k int) float32 { return s.WalkHome(k, 8) },
		},
		{
			Feature{"walk_strands_2", "s.WalkStrands(k, 2)", "what two steps on from it leave behind here"},
			func(s *s, k int) float32 { return s.WalkStrands(k, 2) },
		},
		{
			Feature{"walk_strands_4", "s.WalkStrands(k, 4)", "what four steps on from it leave behind here"},
			func(s *s, k int) float32 { return s.WalkStrands(k, 4) },
		},
		{
			Feature{"walk_strands_8", "s.WalkStrands(k, 8)", "what eight steps on from it leave behind here"},
			func(s *s, k int) float32 { return s.WalkStrands(k, 8) },
		},
		{Feature{"window", "s.Window(k)", "the length of the best way from it through the cities here"}, (*s).Window},
		{
			Feature{
				"window_home", "s.WindowHome(k)",
				"the length of the best way from it through the cities here and home",
			},
			(*s).WindowHome,
		},
	}
}

// tspWalkEnds are the phrases of these features.
func tspWalkEnds() map[string]Ends {
	return map[string]Ends{
		"walk_2":      {"cities with two long steps on", "cities with two short steps on"},
		"walk_4":      {"cities with four long steps on", "cities with four short steps on"},
		"walk_8":      {"cities with eight long steps on", "cities with eight short steps on"},
		"walk_home_4": {"cities from which four steps lead away", "cities from which four steps lead to the start"},
		"walk_home_8": {"cities from which eight steps lead away", "cities from which eight steps lead to the start"},
		"walk_strands_2": {
			"cities after which two steps strand one here", "cities after which two steps strand none",
		},
		"walk_strands_4": {
			"cities after which four steps strand one here", "cities after which four steps strand none",
		},
		"walk_strands_8": {
			"cities after which eight steps strand one here", "cities after which eight steps strand none",
		},
		"window": {"cities with a long way through those here", "cities with a short way through those here"},
		"window_home": {
			"cities with a long way through those here and home", "cities with a short way through those here and home",
		},
	}
}
