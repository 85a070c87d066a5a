package features

import "github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"

// cvrpWalks lists the features of a candidate that are of class lookahead.
func cvrpWalks() []cvrpNode {
	type s = cvrp.State
	return []cvrpNode{
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
			Feature{"walk_home_4", "s.WalkHome(k, 4)", "how far from the depot four steps on from it end"},
			func(s *s, k int) float32 { return s.WalkHome(k, 4) },
		},
		{
			Feature{"walk_home_8", "s.WalkHome(k, 8)", "how far from the depot eight steps on from it end"},
			func(s *s, k int) float32 { return s.WalkHome(k, 8) },
		},
		{
			Feature{"walk_load_4", "s.WalkLoad(k, 4)", "what it and four steps on from it load"},
			func(s *s, k int) float32 { return s.WalkLoad(k, 4) },
		},
		{
			Feature{"walk_load_8", "s.WalkLoad(k, 8)", "what it and eight steps on from it load"},
			func(s *s, k int) float32 { return s.WalkLoad(k, 8) },
		},
		{
			Feature{"walk_saving_4", "s.WalkSaving(k, 4)", "what four steps on from it save over routes of their own"},
			func(s *s, k int) float32 { return s.WalkSaving(k, 4) },
		},
		{
			Feature{
				"walk_saving_8", "s.WalkSaving(k, 8)", "what eight steps on from it save over routes of their own",
			},
			func(s *s, k int) float32 { return s.WalkSaving(k, 8) },
		},
	}
}

// cvrpWalkEnds are the phrases of these features.
func cvrpWalkEnds() map[string]Ends {
	return map[string]Ends{
		"walk_2":        {"those with two long steps on from them", "those with two short steps on from them"},
		"walk_4":        {"those with four long steps on from them", "those with four short steps on from them"},
		"walk_8":        {"those with eight long steps on from them", "those with eight short steps on from them"},
		"walk_home_4":   {"those from which four steps lead away", "those from which four steps lead home"},
		"walk_home_8":   {"those from which eight steps lead away", "those from which eight steps lead home"},
		"walk_load_4":   {"those after which four steps load much", "those after which four steps load little"},
		"walk_load_8":   {"those after which eight steps load much", "those after which eight steps load little"},
		"walk_saving_4": {"those after which four steps save much", "those after which four steps save little"},
		"walk_saving_8": {"those after which eight steps save much", "those after which eight steps save little"},
	}
}
