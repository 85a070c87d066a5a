package features

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// tspWalksLate are the features of class lookahead that also count times progress.
var tspWalksLate = []string{"window_home", "walk_home_8"}

// tspWalks lists the features of a candidate that are of class lookahead.
func tspWalks() []tspNode {
	type s = tsp.State
	return []tspNode{
		ofNode("walk_2", "s.WalkLength(k, 2)", func(s *s, k int) float32 { return s.WalkLength(k, 2) },
			"the length of two steps on from it", "cities with two long steps on", "cities with two short steps on"),
		ofNode("walk_4", "s.WalkLength(k, 4)", func(s *s, k int) float32 { return s.WalkLength(k, 4) },
			"the length of four steps on from it", "cities with four long steps on", "cities with four short steps on"),
		ofNode("walk_8", "s.WalkLength(k, 8)", func(s *s, k int) float32 { return s.WalkLength(k, 8) },
			"the length of eight steps on from it",
			"cities with eight long steps on", "cities with eight short steps on"),
		ofNode("walk_home_4", "s.WalkHome(k, 4)", func(s *s, k int) float32 { return s.WalkHome(k, 4) },
			"how far from the start four steps on from it end",
			"cities from which four steps lead away", "cities from which four steps lead to the start"),
		ofNode("walk_home_8", "s.WalkHome(k, 8)", func(s *s, k int) float32 { return s.WalkHome(k, 8) },
			"how far from the start eight steps on from it end",
			"cities from which eight steps lead away", "cities from which eight steps lead to the start"),
		ofNode("walk_strands_2", "s.WalkStrands(k, 2)", func(s *s, k int) float32 { return s.WalkStrands(k, 2) },
			"what two steps on from it leave behind here",
			"cities after which two steps strand one here", "cities after which two steps strand none"),
		ofNode("walk_strands_4", "s.WalkStrands(k, 4)", func(s *s, k int) float32 { return s.WalkStrands(k, 4) },
			"what four steps on from it leave behind here",
			"cities after which four steps strand one here", "cities after which four steps strand none"),
		ofNode("walk_strands_8", "s.WalkStrands(k, 8)", func(s *s, k int) float32 { return s.WalkStrands(k, 8) },
			"what eight steps on from it leave behind here",
			"cities after which eight steps strand one here", "cities after which eight steps strand none"),
		ofNode("window", "s.Window(k)", (*s).Window,
			"the length of the best way from it through the cities here",
			"cities with a long way through those here", "cities with a short way through those here"),
		ofNode("window_home", "s.WindowHome(k)", (*s).WindowHome,
			"the length of the best way from it through the cities here and home",
			"cities with a long way through those here and home",
			"cities with a short way through those here and home"),
	}
}
