package features

import (
	"maps"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// cvrpMeasures reads the features of the CVRP's full view.
type cvrpMeasures struct {
	s     *cvrp.State
	node  []cvrpNode
	state []cvrpState
}

type (
	cvrpNode  = nodeFeature[cvrp.State]
	cvrpState = stateFeature[cvrp.State]
)

func (m *cvrpMeasures) read(at Decision, f, z []float32) {
	m.s.Set(cvrp.Node(at.First), cvrp.Node(at.Current), at.Remaining, at.Candidates, at.Waiting)
	k1, k2 := m.s.Nearest()
	fill(m.s, k1, k2, len(at.Candidates), m.node, m.state, f, z)
}

func cvrpSet(ahead bool) *Set {
	customer := cvrpCustomers()
	node := append(customer, cvrpHome()...)
	late, full := (*cvrp.State).Progress, func(s *cvrp.State) float32 { return 1 - s.Remaining }
	node = append(node, weighted(customer, cvrpLate, "late", "s.Progress() * ", ", late", late)...)
	node = append(node, weighted(customer, cvrpFull, "full", "(1 - s.Remaining) * ", ", with a full vehicle", full)...)
	state, ends := cvrpStates(), cvrpNodeEnds()
	weightedEnds(ends, cvrpLate, "late", " (the later, the more)")
	weightedEnds(ends, cvrpFull, "full", " (the fuller the vehicle, the more)")
	if ahead {
		node = append(node, cvrpWalks()...)
		maps.Copy(ends, cvrpWalkEnds())
	}
	return newSet(node, state, ends, cvrpStateEnds(), func(inst *routing.Instance) measures {
		x, y := places(inst)
		return &cvrpMeasures{cvrp.NewState(x, y, inst.Demand, inst.Capacity), node, state}
	})
}

// cvrpLate are the features of a candidate that also count times progress, cvrpFull those that also count times the
// load of the vehicle.
var (
	cvrpLate = []string{"distance", "to_depot", "isolation", "saving", "skip", "load", "to_centroid"}
	cvrpFull = []string{"distance", "to_depot", "home_detour", "saving", "load", "fill"}
)

// cvrpCustomers lists the features of a candidate. Most are 0 for the depot.
func cvrpCustomers() []cvrpNode {
	type s = cvrp.State
	return []cvrpNode{
		{Feature{"depot", "s.IsDepot(k)", "being the depot"}, (*s).IsDepot},
		{Feature{"distance", "s.Distance(k)", "its distance"}, (*s).Distance},
		{Feature{"log_distance", "s.LogDistance(k)", "the logarithm of its distance"}, (*s).LogDistance},
		{Feature{"distance_squared", "s.DistanceSquared(k)", "the square of its distance"}, (*s).DistanceSquared},
		{
			Feature{"distance_ratio", "s.DistanceRatio(k)", "its distance divided by that of the nearest"},
			(*s).DistanceRatio,
		},
		{Feature{"rank", "s.Rank(k)", "how many are nearer"}, (*s).Rank},
		{Feature{"to_depot", "s.ToDepot(k)", "its distance to the depot"}, (*s).ToDepot},
		{Feature{"home_detour", "s.HomeDetour(k)", "the detour over it on the way home"}, (*s).HomeDetour},
		{Feature{"saving", "s.SavingHere(k)", "what driving on to it saves over a new route"}, (*s).SavingHere},
		{Feature{"outward_step", "s.OutwardStep(k)", "going outward"}, (*s).OutwardStep},
		{Feature{"towards_depot", "s.TowardsDepot(k)", "lying on the way home"}, (*s).TowardsDepot},
		{Feature{"left_of_home", "s.LeftOfHome(k)", "lying to the left of the way home"}, (*s).LeftOfHome},
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

		{Feature{"load", "s.Load(k)", "its demand"}, (*s).Load},
		{Feature{"room_after", "s.RoomAfter(k)", "the room left after it"}, (*s).RoomAfter},
		{Feature{"fill", "s.Fill(k)", "the share of the room that it takes"}, (*s).Fill},
		{Feature{"fit_share_after", "s.FitShareAfter(k)", "how many still fit after it"}, (*s).FitShareAfter},
		{
			Feature{"next_fit_distance", "s.NextFitDistance(k)", "how far it is from it to the next that fits"},
			(*s).NextFitDistance,
		},
		{Feature{"larger", "s.Larger(k)", "how many have less demand"}, (*s).Larger},
		{
			Feature{"demand_near_2", "s.DemandNear(k, 2)", "the demand about it"},
			func(s *s, k int) float32 { return s.DemandNear(k, 2) },
		},
		{
			Feature{"fit_near_2", "s.FitNear(k, 2)", "how many still fit about it"},
			func(s *s, k int) float32 { return s.FitNear(k, 2) },
		},
		{Feature{"sector_step", "s.SectorStep(k)", "going counterclockwise about the depot"}, (*s).SectorStep},
		{
			Feature{
				"sector_from_first", "s.SectorFromFirst(k)",
				"lying counterclockwise of the route's first customer",
			},
			(*s).SectorFromFirst,
		},
		{Feature{"sector_x", "s.SectorX(k)", "lying to the right of the depot in the square"}, (*s).SectorX},
		{Feature{"sector_y", "s.SectorY(k)", "lying above the depot in the square"}, (*s).SectorY},
		{Feature{"sector_gap_right", "s.SectorGapRight(k)", "the free sector clockwise of it"}, (*s).SectorGapRight},
		{
			Feature{"sector_gap_left", "s.SectorGapLeft(k)", "the free sector counterclockwise of it"},
			(*s).SectorGapLeft,
		},
		{
			Feature{"sector_load", "s.SectorLoad(k, 0.05)", "the demand in its sector"},
			func(s *s, k int) float32 { return s.SectorLoad(k, 0.05) },
		},

		{Feature{"isolation", "s.Isolation(k)", "its distance to its nearest neighbour"}, (*s).Isolation},
		{Feature{"regret", "s.Regret(k)", "how much farther its second neighbour is than its nearest"}, (*s).Regret},
		{Feature{"two_step", "s.TwoStep(k)", "the length of the step on from it"}, (*s).TwoStep},
		{Feature{"rise", "s.Rise(k)", "how much longer the step on is than the step to it"}, (*s).Rise},
		{
			Feature{"second_rise", "s.SecondRise(k)", "how much farther its second neighbour is than the vehicle"},
			(*s).SecondRise,
		},
		{Feature{"closer", "s.Closer(k)", "how many are closer to it than the vehicle"}, (*s).Closer},
		{Feature{"onward", "s.Onward(k)", "how much farther on its nearest neighbour lies"}, (*s).Onward},
		{Feature{"missed", "s.Missed(k)", "how much longer its neighbours' links get without it"}, (*s).Missed},
		{
			Feature{
				"neighbour_regret", "s.NeighbourRegret(k)",
				"how much longer its neighbour's link gets once it is left",
			},
			(*s).NeighbourRegret,
		},
		{Feature{"skip", "s.Skip(k)", "what it costs if left for later"}, (*s).Skip},
		{Feature{"via", "s.Via(k)", "the cheapest detour over another customer on the way"}, (*s).Via},
		{Feature{"via_right", "s.ViaRight(k)", "the cheapest detour over a customer on the right"}, (*s).ViaRight},
		{Feature{"via_left", "s.ViaLeft(k)", "the cheapest detour over a customer on the left"}, (*s).ViaLeft},
		{
			Feature{"left_behind", "s.LeftBehind(k)", "the extra detours paid later for others skipped now"},
			(*s).LeftBehind,
		},
		{
			Feature{
				"left_behind_most", "s.LeftBehindMost(k)",
				"the extra detour paid later for one customer skipped now",
			},
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
				"the length of the best step on, less what the customer there would cost later",
			},
			(*s).SecondStep,
		},
		{
			Feature{
				"nearest_left_behind", "s.NearestLeftBehind(k)",
				"the extra detour paid later for the nearest customer skipped now",
			},
			(*s).NearestLeftBehind,
		},

		{Feature{"left_share", "s.LeftShare(k)", "the share of customers on its left"}, (*s).LeftShare},
		{Feature{"cut", "s.Cut(k)", "how evenly the way there cuts the customers in two"}, (*s).Cut},
		{Feature{"wedge_right", "s.WedgeRight(k)", "the free angle on its right"}, (*s).WedgeRight},
		{Feature{"wedge_left", "s.WedgeLeft(k)", "the free angle on its left"}, (*s).WedgeLeft},
		{
			Feature{"right_here_2", "s.RightHere(k, 2)", "the customers near on its right"},
			func(s *s, k int) float32 { return s.RightHere(k, 2) },
		},
		{
			Feature{"left_here_2", "s.LeftHere(k, 2)", "the customers near on its left"},
			func(s *s, k int) float32 { return s.LeftHere(k, 2) },
		},
		{
			Feature{
				"right_more_4", "s.RightMore(k, 4)",
				"how many more customers it has on the right than on the left",
			},
			func(s *s, k int) float32 { return s.RightMore(k, 4) },
		},
		{
			Feature{"ahead_here_4", "s.AheadHere(k, 4)", "the customers in its direction"},
			func(s *s, k int) float32 { return s.AheadHere(k, 4) },
		},

		{
			Feature{"density_1", "s.Density(k, 1)", "how dense it is very near"},
			func(s *s, k int) float32 { return s.Density(k, 1) },
		},
		{
			Feature{"density_2", "s.Density(k, 2)", "how dense it is near"},
			func(s *s, k int) float32 { return s.Density(k, 2) },
		},
		{
			Feature{"density_4", "s.Density(k, 4)", "how dense it is about it"},
			func(s *s, k int) float32 { return s.Density(k, 4) },
		},
		{
			Feature{"density_right_2", "s.DensityRight(k, 2)", "how dense it is near on the right"},
			func(s *s, k int) float32 { return s.DensityRight(k, 2) },
		},
		{
			Feature{"density_left_2", "s.DensityLeft(k, 2)", "how dense it is near on the left"},
			func(s *s, k int) float32 { return s.DensityLeft(k, 2) },
		},
		{
			Feature{"density_beyond_2", "s.DensityBeyond(k, 2)", "how dense it is beyond it"},
			func(s *s, k int) float32 { return s.DensityBeyond(k, 2) },
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
		{Feature{"open_angle", "s.OpenAngle(k)", "the widest open angle about it"}, (*s).OpenAngle},
		{Feature{"open_ahead", "s.OpenAhead(k)", "the open angle lying straight on"}, (*s).OpenAhead},
		{Feature{"open_left", "s.OpenLeft(k)", "the open angle lying to the left"}, (*s).OpenLeft},
		{
			Feature{"served_distance", "s.ServedDistance(k)", "its distance from the served customers"},
			(*s).ServedDistance,
		},
		{
			Feature{"served_density_2", "s.ServedDensity(k, 2)", "the served customers about it"},
			func(s *s, k int) float32 { return s.ServedDensity(k, 2) },
		},
		{
			Feature{"served_share_2", "s.ServedShare(k, 2)", "the share of served ones among those about it"},
			func(s *s, k int) float32 { return s.ServedShare(k, 2) },
		},

		{Feature{"off_home", "s.OffHome(k)", "how far it is to the left of the way home"}, (*s).OffHome},
		{Feature{"same_side", "s.SameSide(k)", "the share of customers on its side of the way home"}, (*s).SameSide},
		{Feature{"in_triangle", "s.InTriangle(k)", "the customers between it and the way home"}, (*s).InTriangle},
		{
			Feature{"home_right", "s.HomeRight(k)", "the share of customers to the right of its way home"},
			(*s).HomeRight,
		},
		{
			Feature{
				"home_right_near_2", "s.HomeRightNear(k, 2)",
				"the share of its neighbours to the right of its way home",
			},
			func(s *s, k int) float32 { return s.HomeRightNear(k, 2) },
		},
		{
			Feature{"farther_from_depot", "s.FartherFromDepot(k)", "the share of customers farther from the depot"},
			(*s).FartherFromDepot,
		},
	}
}

// cvrpHome lists the features of the depot alone, 0 for a customer: whether it is time to go home.
func cvrpHome() []cvrpNode {
	type s = cvrp.State
	return []cvrpNode{
		{
			Feature{"depot_distance", "s.IsDepot(k) * s.HomeDistance()", "going home, the more the farther it is"},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.HomeDistance() },
		},
		{
			Feature{"depot_room", "s.IsDepot(k) * s.Remaining", "going home, the more the more room is left"},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.Remaining },
		},
		{
			Feature{
				"depot_fit_share", "s.IsDepot(k) * s.FitShare()",
				"going home, the more the more customers still fit",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.FitShare() },
		},
		{
			Feature{
				"depot_nearest_fit", "s.IsDepot(k) * s.NearestFit()",
				"going home, the more the farther the nearest customer is that fits",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.NearestFit() },
		},
		{
			Feature{
				"depot_least_detour", "s.IsDepot(k) * s.LeastHomeDetour()",
				"going home, the more the longer the cheapest detour on the way home is",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.LeastHomeDetour() },
		},
		{
			Feature{
				"depot_fullest_fill", "s.IsDepot(k) * s.FullestFill()",
				"going home, the more the fuller a customer would make the vehicle",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.FullestFill() },
		},
		{
			Feature{
				"depot_fit_density_2", "s.IsDepot(k) * s.FitDensityHere(2)",
				"going home, the more the more customers near the vehicle fit",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.FitDensityHere(2) },
		},
		{
			Feature{
				"depot_density_2", "s.IsDepot(k) * s.DensityHere(2)",
				"going home, the more the more customers near the vehicle are unserved",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.DensityHere(2) },
		},
		{
			Feature{"depot_loads_left", "s.IsDepot(k) * s.LoadsLeft()", "going home, the more the more loads are left"},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.LoadsLeft() },
		},
		{
			Feature{
				"depot_all_fit", "s.IsDepot(k) * s.AllFit()",
				"going home where all that is left fits into the vehicle",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.AllFit() },
		},
		{
			Feature{
				"depot_centroid_distance", "s.IsDepot(k) * s.CentroidDistance()",
				"going home, the more the farther the centroid is",
			},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.CentroidDistance() },
		},
		{
			Feature{"depot_late", "s.IsDepot(k) * s.Progress()", "going home, the more the later it is"},
			func(s *s, k int) float32 { return s.IsDepot(k) * s.Progress() },
		},
	}
}

// cvrpStates lists the features of a decision state. In what a program writes, k1, k2 := s.Nearest().
func cvrpStates() []cvrpState {
	type s = cvrp.State
	return []cvrpState{
		{
			Feature{"progress", "s.Progress()", "how much is done"},
			func(s *s, _, _ int) float32 { return s.Progress() },
		},
		{
			Feature{"room", "s.Remaining", "how much room is left"},
			func(s *s, _, _ int) float32 { return s.Remaining },
		},
		{
			Feature{"at_depot", "s.AtDepot()", "standing at the depot"},
			func(s *s, _, _ int) float32 { return s.AtDepot() },
		},
		{
			Feature{"few_waiting", "1 / float32(max(1, len(s.Waiting)))", "how few customers are left"},
			func(s *s, _, _ int) float32 { return 1 / float32(max(1, len(s.Waiting))) },
		},
		{
			Feature{"fitting", "float32(min(12, len(s.Fitting())))", "how many customers fit, at most 12"},
			func(s *s, _, _ int) float32 { return float32(min(12, len(s.Fitting()))) },
		},
		{
			Feature{"loads_left", "s.LoadsLeft()", "how many loads are left"},
			func(s *s, _, _ int) float32 { return s.LoadsLeft() },
		},
		{
			Feature{"all_fit", "s.AllFit()", "the rest fitting into the vehicle"},
			func(s *s, _, _ int) float32 { return s.AllFit() },
		},
		{
			Feature{"fit_share", "s.FitShare()", "the share of customers that fit"},
			func(s *s, _, _ int) float32 { return s.FitShare() },
		},
		{
			Feature{"fullest_fill", "s.FullestFill()", "how full a customer would make the vehicle"},
			func(s *s, _, _ int) float32 { return s.FullestFill() },
		},
		{
			Feature{"nearest_fit", "s.NearestFit()", "the distance of the nearest customer that fits"},
			func(s *s, _, _ int) float32 { return s.NearestFit() },
		},
		{
			Feature{"least_home_detour", "s.LeastHomeDetour()", "the cheapest detour on the way home"},
			func(s *s, _, _ int) float32 { return s.LeastHomeDetour() },
		},
		{
			Feature{"home_distance", "s.HomeDistance()", "the distance home"},
			func(s *s, _, _ int) float32 { return s.HomeDistance() },
		},
		{
			Feature{
				"nearest_to_home", "s.NearestFit() / (s.HomeDistance() + 0.5)",
				"the nearest customer's distance by the distance home",
			},
			func(s *s, _, _ int) float32 { return s.NearestFit() / (s.HomeDistance() + 0.5) },
		},
		{
			Feature{
				"nearest_to_mean", "s.NearestFit() / (s.MeanDistance() + 0.5)",
				"the nearest customer's distance by the mean",
			},
			func(s *s, _, _ int) float32 { return s.NearestFit() / (s.MeanDistance() + 0.5) },
		},
		{
			Feature{"centroid_distance", "s.CentroidDistance()", "the distance to the centroid"},
			func(s *s, _, _ int) float32 { return s.CentroidDistance() },
		},
		{
			Feature{"centroid_from_depot", "s.CentroidFromDepot()", "the distance from the depot to the centroid"},
			func(s *s, _, _ int) float32 { return s.CentroidFromDepot() },
		},
		{
			Feature{
				"centroid_off_home", "s.CentroidOffHome()",
				"how far the centroid is to the left of the way home",
			},
			func(s *s, _, _ int) float32 { return s.CentroidOffHome() },
		},
		{
			Feature{"spread", "s.Spread()", "how widely the customers left are spread"},
			func(s *s, _, _ int) float32 { return s.Spread() },
		},
		{
			Feature{"one_sided", "s.OneSided()", "the customers left lying on one side"},
			func(s *s, _, _ int) float32 { return s.OneSided() },
		},
		{
			Feature{"depot_one_sided", "s.DepotOneSided()", "the customers left lying on one side of the depot"},
			func(s *s, _, _ int) float32 { return s.DepotOneSided() },
		},
		{
			Feature{
				"most_isolation", "s.MostIsolation()",
				"the loneliest customer's distance to its nearest neighbour",
			},
			func(s *s, _, _ int) float32 { return s.MostIsolation() },
		},
		{
			Feature{"most_skip", "s.MostSkip()", "what the dearest customer costs if left for later"},
			func(s *s, _, _ int) float32 { return s.MostSkip() },
		},
		{
			Feature{"depot_nearest", "s.NearestToDepot()", "how far the depot is from the customers left"},
			func(s *s, _, _ int) float32 { return s.NearestToDepot() },
		},
		{
			Feature{
				"left_of_home_share", "s.LeftOfHomeShare()",
				"the share of customers to the left of the way home",
			},
			func(s *s, _, _ int) float32 { return s.LeftOfHomeShare() },
		},
		{
			Feature{"density_here_2", "s.DensityHere(2)", "how dense it is near the vehicle"},
			func(s *s, _, _ int) float32 { return s.DensityHere(2) },
		},
		{
			Feature{"fit_density_here_2", "s.FitDensityHere(2)", "how many customers fit near the vehicle"},
			func(s *s, _, _ int) float32 { return s.FitDensityHere(2) },
		},
		{
			Feature{"within_1_5", "s.Within(1.5)", "how many customers are very near"},
			func(s *s, _, _ int) float32 { return s.Within(1.5) },
		},
		{
			Feature{"within_3", "s.Within(3)", "how many customers are near"},
			func(s *s, _, _ int) float32 { return s.Within(3) },
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
			Feature{"depot_place_x", "2*s.X[cvrp.Depot] - 1", "the depot lying far right in the square"},
			func(s *s, _, _ int) float32 { return 2*s.X[cvrp.Depot] - 1 },
		},
		{
			Feature{"depot_place_y", "2*s.Y[cvrp.Depot] - 1", "the depot lying far up in the square"},
			func(s *s, _, _ int) float32 { return 2*s.Y[cvrp.Depot] - 1 },
		},
		{
			Feature{"second_distance", "s.Distance(k2)", "the distance of the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.Distance(k2) },
		},
		{
			Feature{"nearest_isolation", "s.Isolation(k1)", "the nearest customer's distance to its nearest neighbour"},
			func(s *s, k1, _ int) float32 { return s.Isolation(k1) },
		},
		{
			Feature{
				"second_isolation", "s.Isolation(k2)",
				"the second-nearest customer's distance to its nearest neighbour",
			},
			func(s *s, _, k2 int) float32 { return s.Isolation(k2) },
		},
		{
			Feature{"nearest_skip", "s.Skip(k1)", "what it costs to leave the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.Skip(k1) },
		},
		{
			Feature{"second_skip", "s.Skip(k2)", "what it costs to leave the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.Skip(k2) },
		},
		{
			Feature{
				"nearest_home_detour", "s.HomeDetour(k1)",
				"the detour on the way home over the nearest customer",
			},
			func(s *s, k1, _ int) float32 { return s.HomeDetour(k1) },
		},
		{
			Feature{
				"second_home_detour", "s.HomeDetour(k2)",
				"the detour on the way home over the second-nearest customer",
			},
			func(s *s, _, k2 int) float32 { return s.HomeDetour(k2) },
		},
		{
			Feature{"nearest_saving_here", "s.SavingHere(k1)", "the saving of the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.SavingHere(k1) },
		},
		{
			Feature{"second_saving_here", "s.SavingHere(k2)", "the saving of the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.SavingHere(k2) },
		},
		{
			Feature{"nearest_load", "s.Load(k1)", "the demand of the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.Load(k1) },
		},
		{
			Feature{"second_load", "s.Load(k2)", "the demand of the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.Load(k2) },
		},
		{
			Feature{"nearest_fill", "s.Fill(k1)", "the share of the room taken by the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.Fill(k1) },
		},
		{
			Feature{"second_fill", "s.Fill(k2)", "the share of the room taken by the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.Fill(k2) },
		},
		{
			Feature{"nearest_to_depot", "s.ToDepot(k1)", "the distance to the depot of the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.ToDepot(k1) },
		},
		{
			Feature{"second_to_depot", "s.ToDepot(k2)", "the distance to the depot of the second-nearest customer"},
			func(s *s, _, k2 int) float32 { return s.ToDepot(k2) },
		},
		{
			Feature{
				"nearest_cut", "s.Cut(k1)",
				"how evenly the customers are cut in two by the way to the nearest customer",
			},
			func(s *s, k1, _ int) float32 { return s.Cut(k1) },
		},
		{
			Feature{
				"second_cut", "s.Cut(k2)",
				"how evenly the customers are cut in two by the way to the second-nearest customer",
			},
			func(s *s, _, k2 int) float32 { return s.Cut(k2) },
		},
		{
			Feature{"nearest_outlying", "s.Outlying(k1)", "how far outside the others the nearest customer lies"},
			func(s *s, k1, _ int) float32 { return s.Outlying(k1) },
		},
		{
			Feature{"second_outlying", "s.Outlying(k2)", "how far outside the others the second-nearest customer lies"},
			func(s *s, _, k2 int) float32 { return s.Outlying(k2) },
		},
		{
			Feature{
				"nearest_left_behind_sum", "s.LeftBehind(k1)",
				"what is left behind by going to the nearest customer",
			},
			func(s *s, k1, _ int) float32 { return s.LeftBehind(k1) },
		},
		{
			Feature{
				"second_left_behind_sum", "s.LeftBehind(k2)",
				"what is left behind by going to the second-nearest customer",
			},
			func(s *s, _, k2 int) float32 { return s.LeftBehind(k2) },
		},
		{
			Feature{"nearest_sector_step", "s.SectorStep(k1)", "going counterclockwise to the nearest customer"},
			func(s *s, k1, _ int) float32 { return s.SectorStep(k1) },
		},
		{
			Feature{
				"second_sector_step", "s.SectorStep(k2)",
				"going counterclockwise to the second-nearest customer",
			},
			func(s *s, _, k2 int) float32 { return s.SectorStep(k2) },
		},
		{
			Feature{
				"nearest_wedge_right", "s.WedgeRight(k1)",
				"the free angle on the right of the nearest customer",
			},
			func(s *s, k1, _ int) float32 { return s.WedgeRight(k1) },
		},
		{
			Feature{
				"second_wedge_right", "s.WedgeRight(k2)",
				"the free angle on the right of the second-nearest customer",
			},
			func(s *s, _, k2 int) float32 { return s.WedgeRight(k2) },
		},
	}
}
