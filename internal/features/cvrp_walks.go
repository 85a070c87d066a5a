package features

import "github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"

// cvrpWalks lists the features of a candidate that are of class lookahead.
func cvrpWalks() []cvrpNode {
	type s = cvrp.State
	return []cvrpNode{
		ofNode("walk_2", "s.WalkLength(k, 2)", func(s *s, k int) float32 { return s.WalkLength(k, 2) },
			"the length of two steps on from it",
			"those with two long steps on from them", "those with two short steps on from them"),
		ofNode("walk_4", "s.WalkLength(k, 4)", func(s *s, k int) float32 { return s.WalkLength(k, 4) },
			"the length of four steps on from it",
			"those with four long steps on from them", "those with four short steps on from them"),
		ofNode("walk_8", "s.WalkLength(k, 8)", func(s *s, k int) float32 { return s.WalkLength(k, 8) },
			"the length of eight steps on from it",
			"those with eight long steps on from them", "those with eight short steps on from them"),
		ofNode("walk_home_4", "s.WalkHome(k, 4)", func(s *s, k int) float32 { return s.WalkHome(k, 4) },
			"how far from the depot four steps on from it end",
			"those from which four steps lead away", "those from which four steps lead home"),
		ofNode("walk_home_8", "s.WalkHome(k, 8)", func(s *s, k int) float32 { return s.WalkHome(k, 8) },
			"how far from the depot eight steps on from it end",
			"those from which eight steps lead away", "those from which eight steps lead home"),
		ofNode("walk_load_4", "s.WalkLoad(k, 4)", func(s *s, k int) float32 { return s.WalkLoad(k, 4) },
			"what it and four steps on from it load",
			"those after which four steps load much", "those after which four steps load little"),
		ofNode("walk_load_8", "s.WalkLoad(k, 8)", func(s *s, k int) float32 { return s.WalkLoad(k, 8) },
			"what it and eight steps on from it load",
			"those after which eight steps load much", "those after which eight steps load little"),
		ofNode("walk_saving_4", "s.WalkSaving(k, 4)", func(s *s, k int) float32 { return s.WalkSaving(k, 4) },
			"what four steps on from it save over routes of their own",
			"those after which four steps save much", "those after which four steps save little"),
		ofNode("walk_saving_8", "s.WalkSaving(k, 8)", func(s *s, k int) float32 { return s.WalkSaving(k, 8) },
			"what eight steps on from it save over routes of their own",
			"those after which eight steps save much", "those after which eight steps save little"),
	}
}
