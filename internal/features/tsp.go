package features

import (
	"maps"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// tspMeasures reads the features of the TSP's full view.
type tspMeasures struct {
	s     *tsp.State
	node  []tspNode
	state []tspState
}

type (
	tspNode  = nodeFeature[tsp.State]
	tspState = stateFeature[tsp.State]
)

func (m *tspMeasures) read(at Decision, f, z []float32) {
	m.s.Set(int(at.Step), tsp.Node(at.First), tsp.Node(at.Current), at.Candidates)
	k1, k2 := m.s.Nearest()
	fill(m.s, k1, k2, len(at.Candidates), m.node, m.state, f, z)
}

func tspSet(ahead bool) *Set {
	node := tspNodes()
	late := (*tsp.State).Progress
	node = append(node, weighted(node, tspLate, "late", "s.Progress() * ", ", late in the tour", late)...)
	state, ends := tspStates(), tspNodeEnds()
	weightedEnds(ends, tspLate, "late", " (the later, the more)")
	if ahead {
		walks := tspWalks()
		node = append(node, walks...)
		node = append(node, weighted(walks, tspWalksLate, "late", "s.Progress() * ", ", late in the tour", late)...)
		maps.Copy(ends, tspWalkEnds())
		weightedEnds(ends, tspWalksLate, "late", " (the later, the more)")
	}
	return newSet(node, state, ends, tspStateEnds(), func(inst *routing.Instance) measures {
		return &tspMeasures{tsp.NewState(places(inst)), node, state}
	})
}

// tspLate are the features of a candidate that also count times progress.
var tspLate = []string{
	"distance", "to_start", "isolation", "two_step", "towards_start", "to_centroid", "skip", "outlying", "cut",
}

// tspNodes lists the features of a candidate.
func tspNodes() []tspNode {
	type s = tsp.State
	return []tspNode{
		{Feature{"distance", "s.Distance(k)", "its distance"}, (*s).Distance},
		{Feature{"log_distance", "s.LogDistance(k)", "the logarithm of its distance"}, (*s).LogDistance},
		{Feature{"distance_squared", "s.DistanceSquared(k)", "the square of its distance"}, (*s).DistanceSquared},
		{
			Feature{"distance_ratio", "s.DistanceRatio(k)", "its distance divided by that of the nearest"},
			(*s).DistanceRatio,
		},
		{Feature{"is_nearest", "s.IsNearest(k)", "being the nearest"}, (*s).IsNearest},
		{Feature{"rank", "s.Rank(k)", "how many are nearer"}, (*s).Rank},
		{Feature{"to_start", "s.ToStart(k)", "its distance to the start"}, (*s).ToStart},
		{
			Feature{"is_nearest_to_start", "s.IsNearestToStart(k)", "being the nearest to the start"},
			(*s).IsNearestToStart,
		},
		{Feature{"towards_start", "s.TowardsStart(k)", "lying towards the start"}, (*s).TowardsStart},
		{Feature{"left_of_start", "s.LeftOfStart(k)", "lying to the left of the way to the start"}, (*s).LeftOfStart},
		{Feature{"to_centroid", "s.ToCentroid(k)", "its distance to the centroid"}, (*s).ToCentroid},
		{Feature{"towards_centroid", "s.TowardsCentroid(k)", "lying towards the centroid"}, (*s).TowardsCentroid},
		{
			Feature{"left_of_centroid", "s.LeftOfCentroid(k)", "lying to the left of the way to the centroid"},
			(*s).LeftOfCentroid,
		},
		{Feature{"place_x", "s.PlaceX(k)", "lying far right in the square"}, (*s).PlaceX},
		{Feature{"place_y", "s.PlaceY(k)", "lying far up in the square"}, (*s).PlaceY},
		{Feature{"direction_x", "s.DirectionX(k)", "a step to the right in the square"}, (*s).DirectionX},
		{Feature{"direction_y", "s.DirectionY(k)", "a step upwards in the square"}, (*s).DirectionY},
		{Feature{"to_edge", "s.ToEdge(k)", "its distance to the edge of the square"}, (*s).ToEdge},

		{Feature{"isolation", "s.Isolation(k)", "its distance to its nearest neighbour"}, (*s).Isolation},
		{Feature{"regret", "s.Regret(k)", "how much farther its second neighbour is than its nearest"}, (*s).Regret},
		{Feature{"two_step", "s.TwoStep(k)", "the length of the step on from it"}, (*s).TwoStep},
		{Feature{"rise", "s.Rise(k)", "how much longer the step on is than the step to it"}, (*s).Rise},
		{
			Feature{
				"second_rise", "s.SecondRise(k)",
				"how much farther its second neighbour is than the current city",
			},
			(*s).SecondRise,
		},
		{Feature{"closer", "s.Closer(k)", "how many are closer to it than the current city"}, (*s).Closer},
		{Feature{"onward", "s.Onward(k)", "how much farther on its nearest neighbour lies"}, (*s).Onward},
		{Feature{"skip", "s.Skip(k)", "what it costs if left for later"}, (*s).Skip},
		{Feature{"missed", "s.Missed(k)", "how much longer its neighbours' links get without it"}, (*s).Missed},
		{
			Feature{"missed_most", "s.MissedMost(k)", "how much longer one neighbour's link gets without it"},
			(*s).MissedMost,
		},
		{
			Feature{
				"neighbour_regret", "s.NeighbourRegret(k)",
				"how much longer its neighbour's link gets once it is left",
			},
			(*s).NeighbourRegret,
		},

		{Feature{"via", "s.Via(k)", "the cheapest detour over another city on the way"}, (*s).Via},
		{Feature{"via_right", "s.ViaRight(k)", "the cheapest detour over a city on the right"}, (*s).ViaRight},
		{Feature{"via_left", "s.ViaLeft(k)", "the cheapest detour over a city on the left"}, (*s).ViaLeft},
		{
			Feature{"left_behind", "s.LeftBehind(k)", "the extra detours paid later for others skipped now"},
			(*s).LeftBehind,
		},
		{
			Feature{"left_behind_most", "s.LeftBehindMost(k)", "the extra detour paid later for one city skipped now"},
			(*s).LeftBehindMost,
		},
		{
			Feature{
				"left_behind_right", "s.LeftBehindRight(k)",
				"the extra detours paid later for others skipped on the right",
			},
			(*s).LeftBehindRight,
		},
		{
			Feature{
				"left_behind_left", "s.LeftBehindLeft(k)",
				"the extra detours paid later for others skipped on the left",
			},
			(*s).LeftBehindLeft,
		},
		{
			Feature{
				"second_step", "s.SecondStep(k)",
				"the length of the best step on, less what the city there would cost later",
			},
			(*s).SecondStep,
		},
		{Feature{"via_nearest", "s.ViaNearest(k)", "the detour over the nearest city"}, (*s).ViaNearest},
		{
			Feature{
				"nearest_left_behind", "s.NearestLeftBehind(k)",
				"the extra detour paid later for the nearest city skipped now",
			},
			(*s).NearestLeftBehind,
		},

		{Feature{"left_share", "s.LeftShare(k)", "the share of cities on its left"}, (*s).LeftShare},
		{Feature{"cut", "s.Cut(k)", "how evenly the way there cuts the cities in two"}, (*s).Cut},
		{Feature{"wedge_right", "s.WedgeRight(k)", "the free angle on its right"}, (*s).WedgeRight},
		{Feature{"wedge_left", "s.WedgeLeft(k)", "the free angle on its left"}, (*s).WedgeLeft},
		{
			Feature{"right_here_1", "s.RightHere(k, 1)", "the cities very near on its right"},
			func(s *s, k int) float32 { return s.RightHere(k, 1) },
		},
		{
			Feature{"right_here_2", "s.RightHere(k, 2)", "the cities near on its right"},
			func(s *s, k int) float32 { return s.RightHere(k, 2) },
		},
		{
			Feature{"right_here_4", "s.RightHere(k, 4)", "the cities on its right"},
			func(s *s, k int) float32 { return s.RightHere(k, 4) },
		},
		{
			Feature{"left_here_1", "s.LeftHere(k, 1)", "the cities very near on its left"},
			func(s *s, k int) float32 { return s.LeftHere(k, 1) },
		},
		{
			Feature{"left_here_2", "s.LeftHere(k, 2)", "the cities near on its left"},
			func(s *s, k int) float32 { return s.LeftHere(k, 2) },
		},
		{
			Feature{"left_here_4", "s.LeftHere(k, 4)", "the cities on its left"},
			func(s *s, k int) float32 { return s.LeftHere(k, 4) },
		},
		{
			Feature{
				"right_more_2", "s.RightMore(k, 2)",
				"how many more near cities it has on the right than on the left",
			},
			func(s *s, k int) float32 { return s.RightMore(k, 2) },
		},
		{
			Feature{"right_more_4", "s.RightMore(k, 4)", "how many more cities it has on the right than on the left"},
			func(s *s, k int) float32 { return s.RightMore(k, 4) },
		},
		{
			Feature{"ahead_4", "s.Ahead(k, 4)", "the cities in its direction"},
			func(s *s, k int) float32 { return s.Ahead(k, 4) },
		},

		{
			Feature{"crowd_1", "s.Crowd(k, 1)", "how crowded it is very near"},
			func(s *s, k int) float32 { return s.Crowd(k, 1) },
		},
		{
			Feature{"crowd_2", "s.Crowd(k, 2)", "how crowded it is near"},
			func(s *s, k int) float32 { return s.Crowd(k, 2) },
		},
		{
			Feature{"crowd_4", "s.Crowd(k, 4)", "how crowded it is about it"},
			func(s *s, k int) float32 { return s.Crowd(k, 4) },
		},
		{
			Feature{"crowd_right_1", "s.CrowdRight(k, 1)", "how crowded it is very near on the right"},
			func(s *s, k int) float32 { return s.CrowdRight(k, 1) },
		},
		{
			Feature{"crowd_right_2", "s.CrowdRight(k, 2)", "how crowded it is near on the right"},
			func(s *s, k int) float32 { return s.CrowdRight(k, 2) },
		},
		{
			Feature{"crowd_left_1", "s.CrowdLeft(k, 1)", "how crowded it is very near on the left"},
			func(s *s, k int) float32 { return s.CrowdLeft(k, 1) },
		},
		{
			Feature{"crowd_left_2", "s.CrowdLeft(k, 2)", "how crowded it is near on the left"},
			func(s *s, k int) float32 { return s.CrowdLeft(k, 2) },
		},
		{
			Feature{"crowd_beyond_2", "s.CrowdBeyond(k, 2)", "how crowded it is beyond it"},
			func(s *s, k int) float32 { return s.CrowdBeyond(k, 2) },
		},
		{
			Feature{"crowd_between_2", "s.CrowdBetween(k, 2)", "how crowded it is on this side of it"},
			func(s *s, k int) float32 { return s.CrowdBetween(k, 2) },
		},

		{
			Feature{"tip_along_1", "s.TipAlong(k, 1.5)", "its near neighbours lying straight on"},
			func(s *s, k int) float32 { return s.TipAlong(k, 1.5) },
		},
		{
			Feature{"tip_across_1", "s.TipAcross(k, 1.5)", "its near neighbours lying to the left"},
			func(s *s, k int) float32 { return s.TipAcross(k, 1.5) },
		},
		{
			Feature{"tip_1", "s.Tip(k, 1.5)", "its near neighbours lying on one side"},
			func(s *s, k int) float32 { return s.Tip(k, 1.5) },
		},
		{
			Feature{"tip_along_3", "s.TipAlong(k, 3)", "its neighbours lying straight on"},
			func(s *s, k int) float32 { return s.TipAlong(k, 3) },
		},
		{
			Feature{"tip_across_3", "s.TipAcross(k, 3)", "its neighbours lying to the left"},
			func(s *s, k int) float32 { return s.TipAcross(k, 3) },
		},
		{
			Feature{"tip_3", "s.Tip(k, 3)", "its neighbours lying on one side"},
			func(s *s, k int) float32 { return s.Tip(k, 3) },
		},
		{Feature{"outlying", "s.Outlying(k)", "how far outside the others it lies"}, (*s).Outlying},
		{Feature{"out_along", "s.OutAlong(k)", "all others lying straight on"}, (*s).OutAlong},
		{Feature{"out_across", "s.OutAcross(k)", "all others lying to the left"}, (*s).OutAcross},

		{Feature{"gap", "s.Gap(k)", "the widest open angle about it"}, (*s).Gap},
		{Feature{"on_hull", "s.OnHull(k)", "being a corner of the hull"}, (*s).OnHull},
		{Feature{"gap_ahead", "s.GapAhead(k)", "the open angle lying straight on"}, (*s).GapAhead},
		{Feature{"gap_left", "s.GapLeft(k)", "the open angle lying to the left"}, (*s).GapLeft},

		{
			Feature{"start_triangle", "s.StartTriangle(k)", "the area between it and the way to the start"},
			(*s).StartTriangle,
		},
		{Feature{"off_start", "s.OffStart(k)", "how far it is to the left of the way to the start"}, (*s).OffStart},
		{
			Feature{"same_side", "s.SameSide(k)", "the share of cities on its side of the way to the start"},
			(*s).SameSide,
		},
		{
			Feature{"in_triangle", "s.InTriangle(k)", "the cities between it and the way to the start"},
			(*s).InTriangle,
		},
		{
			Feature{"home_right", "s.HomeRight(k)", "the share of cities to the right of its way to the start"},
			(*s).HomeRight,
		},
		{
			Feature{
				"home_right_near_2", "s.HomeRightNear(k, 2)",
				"the share of its neighbours to the right of its way to the start",
			},
			func(s *s, k int) float32 { return s.HomeRightNear(k, 2) },
		},
		{
			Feature{"farther_from_start", "s.FartherFromStart(k)", "the share of cities farther from the start"},
			(*s).FartherFromStart,
		},
		{
			Feature{
				"farther_from_centroid", "s.FartherFromCentroid(k)",
				"the share of cities farther from the centroid",
			},
			(*s).FartherFromCentroid,
		},

		{Feature{"angle", "s.Angle(k)", "its angle counterclockwise from the start"}, (*s).Angle},
		{Feature{"angle_step", "s.AngleStep(k)", "going counterclockwise"}, (*s).AngleStep},
		{Feature{"arc_step", "s.ArcStep(k)", "how far it goes counterclockwise"}, (*s).ArcStep},
		{
			Feature{"angle_lag", "s.AngleLag(k)", "being ahead of the last city in counterclockwise order"},
			(*s).AngleLag,
		},
		{Feature{"radius", "s.Radius(k)", "its distance from the middle of all cities"}, (*s).Radius},
		{Feature{"behind", "s.Behind(k)", "the share of cities that come before it counterclockwise"}, (*s).Behind},
		{
			Feature{"behind_near_2", "s.BehindNear(k, 2)", "its neighbours that come before it counterclockwise"},
			func(s *s, k int) float32 { return s.BehindNear(k, 2) },
		},
		{
			Feature{"behind_here_2", "s.BehindHere(k, 2)", "the near cities that come before it counterclockwise"},
			func(s *s, k int) float32 { return s.BehindHere(k, 2) },
		},

		{
			Feature{"visited_distance", "s.VisitedDistance(k)", "its distance from the visited cities"},
			(*s).VisitedDistance,
		},
		{
			Feature{"visited_crowd_2", "s.VisitedCrowd(k, 2)", "the visited cities about it"},
			func(s *s, k int) float32 { return s.VisitedCrowd(k, 2) },
		},
		{
			Feature{"visited_share_2", "s.VisitedShare(k, 2)", "the share of visited ones among those about it"},
			func(s *s, k int) float32 { return s.VisitedShare(k, 2) },
		},
		{
			Feature{"visited_right_2", "s.VisitedRight(k, 2)", "the visited cities about it on the right"},
			func(s *s, k int) float32 { return s.VisitedRight(k, 2) },
		},
		{
			Feature{"visited_left_2", "s.VisitedLeft(k, 2)", "the visited cities about it on the left"},
			func(s *s, k int) float32 { return s.VisitedLeft(k, 2) },
		},
		{
			Feature{"visited_right_here_2", "s.VisitedRightHere(k, 2)", "the near visited cities on its right"},
			func(s *s, k int) float32 { return s.VisitedRightHere(k, 2) },
		},
	}
}

// tspStates lists the features of a decision state. In what a program writes, k1, k2 := s.Nearest().
func tspStates() []tspState {
	type s = tsp.State
	return []tspState{
		{
			Feature{"progress", "s.Progress()", "how much of the tour is done"},
			func(s *s, _, _ int) float32 { return s.Progress() },
		},
		{
			Feature{"few_left", "1 / float32(s.K())", "how few cities are left"},
			func(s *s, _, _ int) float32 { return 1 / float32(s.K()) },
		},
		{
			Feature{"cities_left", "float32(min(12, s.K()))", "how many cities are left, at most 12"},
			func(s *s, _, _ int) float32 { return float32(min(12, s.K())) },
		},
		{
			Feature{"nearest_distance", "s.Distance(k1)", "the distance of the nearest city"},
			func(s *s, k1, _ int) float32 { return s.Distance(k1) },
		},
		{
			Feature{
				"second_ratio", "s.DistanceRatio(k2)",
				"the second-nearest city's distance divided by the nearest one's",
			},
			func(s *s, _, k2 int) float32 { return s.DistanceRatio(k2) },
		},
		{
			Feature{"third_ratio", "s.ThirdRatio()", "the third-nearest city's distance divided by the nearest one's"},
			func(s *s, _, _ int) float32 { return s.ThirdRatio() },
		},
		{
			Feature{
				"nearest_to_mean", "s.Distance(k1) / (s.MeanDistance() + 0.1)",
				"the nearest city's distance divided by the mean",
			},
			func(s *s, k1, _ int) float32 { return s.Distance(k1) / (s.MeanDistance() + 0.1) },
		},
		{
			Feature{"start_distance", "s.StartDistance()", "the distance to the start"},
			func(s *s, _, _ int) float32 { return s.StartDistance() },
		},
		{
			Feature{"centroid_distance", "s.CentroidDistance()", "the distance to the centroid"},
			func(s *s, _, _ int) float32 { return s.CentroidDistance() },
		},
		{
			Feature{"centroid_from_start", "s.CentroidFromStart()", "the distance from the start to the centroid"},
			func(s *s, _, _ int) float32 { return s.CentroidFromStart() },
		},
		{
			Feature{
				"centroid_off_start", "s.CentroidOffStart()",
				"how far the centroid is to the left of the way to the start",
			},
			func(s *s, _, _ int) float32 { return s.CentroidOffStart() },
		},
		{
			Feature{"spread", "s.Spread()", "how widely the cities left are spread"},
			func(s *s, _, _ int) float32 { return s.Spread() },
		},
		{
			Feature{"one_sided", "s.OneSided()", "the cities left lying on one side"},
			func(s *s, _, _ int) float32 { return s.OneSided() },
		},
		{
			Feature{"start_one_sided", "s.StartOneSided()", "the cities left lying on one side of the start"},
			func(s *s, _, _ int) float32 { return s.StartOneSided() },
		},
		{
			Feature{"nearest_isolation", "s.Isolation(k1)", "the nearest city's distance to its nearest neighbour"},
			func(s *s, k1, _ int) float32 { return s.Isolation(k1) },
		},
		{
			Feature{
				"second_isolation", "s.Isolation(k2)",
				"the second-nearest city's distance to its nearest neighbour",
			},
			func(s *s, _, k2 int) float32 { return s.Isolation(k2) },
		},
		{
			Feature{"most_isolation", "s.MostIsolation()", "the loneliest city's distance to its nearest neighbour"},
			func(s *s, _, _ int) float32 { return s.MostIsolation() },
		},
		{
			Feature{"nearest_skip", "s.Skip(k1)", "what the nearest city costs if left for later"},
			func(s *s, k1, _ int) float32 { return s.Skip(k1) },
		},
		{
			Feature{"second_skip", "s.Skip(k2)", "what the second-nearest city costs if left for later"},
			func(s *s, _, k2 int) float32 { return s.Skip(k2) },
		},
		{
			Feature{"most_skip", "s.MostSkip()", "what the dearest city costs if left for later"},
			func(s *s, _, _ int) float32 { return s.MostSkip() },
		},
		{
			Feature{"nearest_cut", "s.Cut(k1)", "how evenly the way to the nearest city cuts the others in two"},
			func(s *s, k1, _ int) float32 { return s.Cut(k1) },
		},
		{
			Feature{
				"second_cut", "s.Cut(k2)",
				"how evenly the way to the second-nearest city cuts the others in two",
			},
			func(s *s, _, k2 int) float32 { return s.Cut(k2) },
		},
		{
			Feature{"nearest_cosine", "s.NearestCosine()", "the two nearest cities lying in one direction"},
			func(s *s, _, _ int) float32 { return s.NearestCosine() },
		},
		{
			Feature{"nearest_sine", "s.NearestSine()", "the second-nearest city lying to the left of the nearest"},
			func(s *s, _, _ int) float32 { return s.NearestSine() },
		},
		{
			Feature{
				"nearest_to_start_less", "s.ToStart(k1) - s.ToStart(k2)",
				"how much farther from the start the nearest city is than the second",
			},
			func(s *s, k1, k2 int) float32 { return s.ToStart(k1) - s.ToStart(k2) },
		},
		{
			Feature{
				"nearest_is_nearest_to_start", "s.IsNearestToStart(k1)",
				"the nearest city being the nearest to the start",
			},
			func(s *s, k1, _ int) float32 { return s.IsNearestToStart(k1) },
		},
		{
			Feature{"second_via", "s.Via(k2)", "the cheapest detour on the way to the second-nearest city"},
			func(s *s, _, k2 int) float32 { return s.Via(k2) },
		},
		{
			Feature{"start_nearest", "s.NearestToStart()", "how far the start is from the cities left"},
			func(s *s, _, _ int) float32 { return s.NearestToStart() },
		},
		{
			Feature{"nearest_outlying", "s.Outlying(k1)", "how far outside the others the nearest city lies"},
			func(s *s, k1, _ int) float32 { return s.Outlying(k1) },
		},
		{
			Feature{"second_outlying", "s.Outlying(k2)", "how far outside the others the second-nearest city lies"},
			func(s *s, _, k2 int) float32 { return s.Outlying(k2) },
		},
		{
			Feature{"nearest_apart", "s.NearestApart()", "how far apart the two nearest cities are"},
			func(s *s, _, _ int) float32 { return s.NearestApart() },
		},
		{
			Feature{"crowd_here_2", "s.CrowdHere(2)", "how crowded it is near the current city"},
			func(s *s, _, _ int) float32 { return s.CrowdHere(2) },
		},
		{
			Feature{"place_x_here", "2*s.X[s.Current] - 1", "standing far right in the square"},
			func(s *s, _, _ int) float32 { return 2*s.X[s.Current] - 1 },
		},
		{
			Feature{"place_y_here", "2*s.Y[s.Current] - 1", "standing far up in the square"},
			func(s *s, _, _ int) float32 { return 2*s.Y[s.Current] - 1 },
		},
		{
			Feature{"start_place_x", "2*s.X[s.First] - 1", "having started far right in the square"},
			func(s *s, _, _ int) float32 { return 2*s.X[s.First] - 1 },
		},
		{
			Feature{"start_place_y", "2*s.Y[s.First] - 1", "having started far up in the square"},
			func(s *s, _, _ int) float32 { return 2*s.Y[s.First] - 1 },
		},
		{
			Feature{"angle_here", "s.AngleHere()", "the angle gone counterclockwise"},
			func(s *s, _, _ int) float32 { return s.AngleHere() },
		},
		{
			Feature{"least_angle", "s.LeastAngle()", "the angle of the last city counterclockwise"},
			func(s *s, _, _ int) float32 { return s.LeastAngle() },
		},
		{
			Feature{"behind_share", "s.BehindShare()", "the share of cities left behind counterclockwise"},
			func(s *s, _, _ int) float32 { return s.BehindShare() },
		},
		{
			Feature{
				"left_of_start_share", "s.LeftOfStartShare()",
				"the share of cities to the left of the way to the start",
			},
			func(s *s, _, _ int) float32 { return s.LeftOfStartShare() },
		},
		{
			Feature{"within_1_5", "s.Within(1.5)", "how many cities are very near"},
			func(s *s, _, _ int) float32 { return s.Within(1.5) },
		},
		{
			Feature{"within_3", "s.Within(3)", "how many cities are near"},
			func(s *s, _, _ int) float32 { return s.Within(3) },
		},
		{
			Feature{"visited_here_2", "s.VisitedHere(2)", "the visited cities near"},
			func(s *s, _, _ int) float32 { return s.VisitedHere(2) },
		},
		{
			Feature{"nearest_right_here_2", "s.RightHere(k1, 2)", "the near cities to the right of the nearest"},
			func(s *s, k1, _ int) float32 { return s.RightHere(k1, 2) },
		},
		{
			Feature{
				"second_right_here_2", "s.RightHere(k2, 2)",
				"the near cities to the right of the second-nearest",
			},
			func(s *s, _, k2 int) float32 { return s.RightHere(k2, 2) },
		},
		{
			Feature{
				"nearest_right_more_4", "s.RightMore(k1, 4)",
				"how many more cities are to the right of the nearest than to the left",
			},
			func(s *s, k1, _ int) float32 { return s.RightMore(k1, 4) },
		},
		{
			Feature{
				"nearest_left_behind_sum", "s.LeftBehind(k1)",
				"the extra detours paid later if the nearest city is next",
			},
			func(s *s, k1, _ int) float32 { return s.LeftBehind(k1) },
		},
		{
			Feature{
				"second_left_behind_sum", "s.LeftBehind(k2)",
				"the extra detours paid later if the second-nearest city is next",
			},
			func(s *s, _, k2 int) float32 { return s.LeftBehind(k2) },
		},
		{
			Feature{"nearest_wedge_right", "s.WedgeRight(k1)", "the free angle on the right of the nearest city"},
			func(s *s, k1, _ int) float32 { return s.WedgeRight(k1) },
		},
		{
			Feature{
				"second_wedge_right", "s.WedgeRight(k2)",
				"the free angle on the right of the second-nearest city",
			},
			func(s *s, _, k2 int) float32 { return s.WedgeRight(k2) },
		},
		{
			Feature{"nearest_on_hull", "s.OnHull(k1)", "the nearest city being a corner of the hull"},
			func(s *s, k1, _ int) float32 { return s.OnHull(k1) },
		},
		{
			Feature{"nearest_behind", "s.Behind(k1)", "the share of cities before the nearest one counterclockwise"},
			func(s *s, k1, _ int) float32 { return s.Behind(k1) },
		},
		{
			Feature{
				"second_behind", "s.Behind(k2)",
				"the share of cities before the second-nearest one counterclockwise",
			},
			func(s *s, _, k2 int) float32 { return s.Behind(k2) },
		},
	}
}
