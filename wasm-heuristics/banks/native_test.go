package banks_test

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h00_short_step"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h01_two_step_closure"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h02_splice"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h03_outward_closure"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h04_chain_and_close"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h05_tangential_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h06_local_scale"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h07_start_last"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h08_dense_side"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h09_forward_gap"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-tsp100/h10_pocket_cleaning"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h00_isolation_then_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h01_far_from_start"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h02_hull_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h03_hull_then_far"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h04_second_neighbour_regret"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h05_count_lookahead"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h06_cheap_onward"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h07_keep_heading"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h08_outlier_urgency"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h09_dense_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h11_inward_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h12_start_swing"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp100/h13_closing_cost"
	"github.com/epb-nco/epb/wasm-heuristics/banks/pomo-tsp50/h02_reduced_hull_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/cheap_next_step"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/clean_up_behind"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/finish_the_cluster"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/keep_to_one_side"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/leave_none_behind"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/outline_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/save_the_way_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/settle_the_lonely"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/start_at_the_tip"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-local/stop_on_the_way"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/forced_plan"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/insertion_plan"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/isolation_chain"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/outlier_chain"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/sweep_plan"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/tree_walk"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/uncrossed_backward"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/uncrossed_chain"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/costly_later"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/far_from_start"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/isolation_regret"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/outlier_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/postponement_regret"
	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-starter/two_step_closure"
)

// native holds the same programs as compiled by Go itself.
var native = map[string]func(*tsp.State, []float32){
	"cheap_next_step":             cheap_next_step.Score,
	"clean_up_behind":             clean_up_behind.Score,
	"costly_later":                costly_later.Score,
	"far_from_start":              far_from_start.Score,
	"finish_the_cluster":          finish_the_cluster.Score,
	"forced_plan":                 forced_plan.Score,
	"h00_isolation_then_home":     h00_isolation_then_home.Score,
	"h01_far_from_start":          h01_far_from_start.Score,
	"h02_hull_sweep":              h02_hull_sweep.Score,
	"h02_reduced_hull_sweep":      h02_reduced_hull_sweep.Score,
	"h03_hull_then_far":           h03_hull_then_far.Score,
	"h04_second_neighbour_regret": h04_second_neighbour_regret.Score,
	"h05_count_lookahead":         h05_count_lookahead.Score,
	"h06_cheap_onward":            h06_cheap_onward.Score,
	"h07_keep_heading":            h07_keep_heading.Score,
	"h08_outlier_urgency":         h08_outlier_urgency.Score,
	"h09_dense_sector":            h09_dense_sector.Score,
	"h10_postponement_regret":     postponement_regret.Score,
	"h11_inward_sweep":            h11_inward_sweep.Score,
	"h12_start_swing":             h12_start_swing.Score,
	"h13_closing_cost":            h13_closing_cost.Score,
	"insertion_plan":              insertion_plan.Score,
	"isolation_chain":             isolation_chain.Score,
	"isolation_regret":            isolation_regret.Score,
	"keep_to_one_side":            keep_to_one_side.Score,
	"leave_none_behind":           leave_none_behind.Score,
	"outlier_chain":               outlier_chain.Score,
	"outlier_first":               outlier_first.Score,
	"outline_first":               outline_first.Score,
	"postponement_regret":         postponement_regret.Score,
	"save_the_way_home":           save_the_way_home.Score,
	"settle_the_lonely":           settle_the_lonely.Score,
	"start_at_the_tip":            start_at_the_tip.Score,
	"stop_on_the_way":             stop_on_the_way.Score,
	"sweep_plan":                  sweep_plan.Score,
	"tree_walk":                   tree_walk.Score,
	"two_step_closure":            two_step_closure.Score,
	"uncrossed_backward":          uncrossed_backward.Score,
	"uncrossed_chain":             uncrossed_chain.Score,

	"h00_short_step":       onSubgraph(h00_short_step.Score),
	"h01_two_step_closure": onSubgraph(h01_two_step_closure.Score),
	"h02_splice":           onSubgraph(h02_splice.Score),
	"h03_outward_closure":  onSubgraph(h03_outward_closure.Score),
	"h04_chain_and_close":  onSubgraph(h04_chain_and_close.Score),
	"h05_tangential_sweep": onSubgraph(h05_tangential_sweep.Score),
	"h06_local_scale":      onSubgraph(h06_local_scale.Score),
	"h07_start_last":       onSubgraph(h07_start_last.Score),
	"h08_dense_side":       onSubgraph(h08_dense_side.Score),
	"h09_forward_gap":      onSubgraph(h09_forward_gap.Score),
	"h10_pocket_cleaning":  onSubgraph(h10_pocket_cleaning.Score),
}
