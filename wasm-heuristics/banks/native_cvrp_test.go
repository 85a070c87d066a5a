package banks_test

import (
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/leave_no_stray"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/lonely_customers"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/nearest_that_fills"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/on_the_way_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/out_then_back"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/round_the_depot"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/row_of_customers"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/savings_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/stay_in_the_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-local/where_more_fits"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-planners/grown_route"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-planners/petal"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/arc_cost"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/corridor_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/frontier"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/future_trip"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/isolated_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/keep_direction"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/near_and_full"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/nearest_fitting"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/outward_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/savings_and_turn"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/savings_proximity"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/sector_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/sparse_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/cvrp-starter/way_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h00_snug_arm_fit"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h01_nearest_seed_anchor"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h02_outward_sweep_last_touch"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h03_savings_one_step_on"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h04_dense_near_seed"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h05_corridor_exhaustion"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h06_near_in_first_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h07_savings_out_and_clean"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h08_boundary_of_sparse"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h09_out_then_in"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h10_push_forward"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h11_inward_exact"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h12_savings_then_drift"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h13_wedge_chain"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h14_savings_by_load"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h15_depart_and_pack"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h16_local_mass"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h17_wedge_by_stage"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h18_near_savings_fit"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h19_arm_and_fresh_start"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h20_forward_window_ladder"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h21_expand_return_exact"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h22_smooth_load_gates"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h23_two_step_cost"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h24_exact_on_spoke"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h25_sparse_slices"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h26_heading_kept"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h27_savings_on_spoke"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h28_pairs_and_gaps"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h29_out_or_cluster"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h30_savings_or_remote"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h31_cost_arm_fit"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h32_along_and_beside"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h33_dense_arm_launch"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h34_savings_bundle"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp100/h35_large_out_small_in"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h02_savings_proximity"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h03_sparse_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h05_continue_route"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h08_savings_coherent"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h09_way_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h10_future_trip"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h11_keep_direction"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h12_clustered_route"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h13_farther_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h15_savings_then_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h16_corridor_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-cvrp50/h17_dense_sector"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// nativeCVRP holds the programs for CVRP as compiled by Go itself.
var nativeCVRP = map[string]func(*cvrp.State, []float32){
	"nearest_that_fills": nearest_that_fills.Score,
	"savings_first":      savings_first.Score,
	"on_the_way_home":    on_the_way_home.Score,
	"lonely_customers":   lonely_customers.Score,
	"stay_in_the_sector": stay_in_the_sector.Score,
	"leave_no_stray":     leave_no_stray.Score,
	"out_then_back":      out_then_back.Score,
	"where_more_fits":    where_more_fits.Score,
	"row_of_customers":   row_of_customers.Score,
	"round_the_depot":    round_the_depot.Score,

	"near_and_full":     near_and_full.Score,
	"savings_and_turn":  savings_and_turn.Score,
	"savings_proximity": savings_proximity.Score,
	"sparse_sector":     sparse_sector.Score,
	"outward_sector":    outward_sector.Score,
	"arc_cost":          arc_cost.Score,
	"frontier":          frontier.Score,
	"way_home":          way_home.Score,
	"future_trip":       future_trip.Score,
	"keep_direction":    keep_direction.Score,
	"corridor_home":     corridor_home.Score,
	"nearest_fitting":   nearest_fitting.Score,
	"isolated_first":    isolated_first.Score,
	"sector_sweep":      sector_sweep.Score,

	"grown_route": grown_route.Score,
	"petal":       petal.Score,

	"h00_near_and_full":     near_and_full.Score,
	"h01_savings_and_turn":  savings_and_turn.Score,
	"h02_savings_proximity": h02_savings_proximity.Score,
	"h03_sparse_sector":     h03_sparse_sector.Score,
	"h04_outward_sector":    outward_sector.Score,
	"h05_continue_route":    h05_continue_route.Score,
	"h06_arc_cost":          arc_cost.Score,
	"h07_frontier":          frontier.Score,
	"h08_savings_coherent":  h08_savings_coherent.Score,
	"h09_way_home":          h09_way_home.Score,
	"h10_future_trip":       h10_future_trip.Score,
	"h11_keep_direction":    h11_keep_direction.Score,
	"h12_clustered_route":   h12_clustered_route.Score,
	"h13_farther_first":     h13_farther_first.Score,
	"h14_nearest_fitting":   nearest_fitting.Score,
	"h15_savings_then_home": h15_savings_then_home.Score,
	"h16_corridor_home":     h16_corridor_home.Score,
	"h17_dense_sector":      h17_dense_sector.Score,

	"h00_snug_arm_fit":             h00_snug_arm_fit.Score,
	"h01_nearest_seed_anchor":      h01_nearest_seed_anchor.Score,
	"h02_outward_sweep_last_touch": h02_outward_sweep_last_touch.Score,
	"h03_savings_one_step_on":      h03_savings_one_step_on.Score,
	"h04_dense_near_seed":          h04_dense_near_seed.Score,
	"h05_corridor_exhaustion":      h05_corridor_exhaustion.Score,
	"h06_near_in_first_sector":     h06_near_in_first_sector.Score,
	"h07_savings_out_and_clean":    h07_savings_out_and_clean.Score,
	"h08_boundary_of_sparse":       h08_boundary_of_sparse.Score,
	"h09_out_then_in":              h09_out_then_in.Score,
	"h10_push_forward":             h10_push_forward.Score,
	"h11_inward_exact":             h11_inward_exact.Score,
	"h12_savings_then_drift":       h12_savings_then_drift.Score,
	"h13_wedge_chain":              h13_wedge_chain.Score,
	"h14_savings_by_load":          h14_savings_by_load.Score,
	"h15_depart_and_pack":          h15_depart_and_pack.Score,
	"h16_local_mass":               h16_local_mass.Score,
	"h17_wedge_by_stage":           h17_wedge_by_stage.Score,
	"h18_near_savings_fit":         h18_near_savings_fit.Score,
	"h19_arm_and_fresh_start":      h19_arm_and_fresh_start.Score,
	"h20_forward_window_ladder":    h20_forward_window_ladder.Score,
	"h21_expand_return_exact":      h21_expand_return_exact.Score,
	"h22_smooth_load_gates":        h22_smooth_load_gates.Score,
	"h23_two_step_cost":            h23_two_step_cost.Score,
	"h24_exact_on_spoke":           h24_exact_on_spoke.Score,
	"h25_sparse_slices":            h25_sparse_slices.Score,
	"h26_heading_kept":             h26_heading_kept.Score,
	"h27_savings_on_spoke":         h27_savings_on_spoke.Score,
	"h28_pairs_and_gaps":           h28_pairs_and_gaps.Score,
	"h29_out_or_cluster":           h29_out_or_cluster.Score,
	"h30_savings_or_remote":        h30_savings_or_remote.Score,
	"h31_cost_arm_fit":             h31_cost_arm_fit.Score,
	"h32_along_and_beside":         h32_along_and_beside.Score,
	"h33_dense_arm_launch":         h33_dense_arm_launch.Score,
	"h34_savings_bundle":           h34_savings_bundle.Score,
	"h35_large_out_small_in":       h35_large_out_small_in.Score,
}
