package banks_test

import (
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h00_fit_and_savings"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h01_savings_by_spread"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h02_same_direction"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h03_savings_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h04_near_when_full"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h05_towards_depot"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h06_same_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h07_outward_snug"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h08_forward_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h09_adaptive_sweep"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h10_narrow_cone"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h11_half_fill"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h12_coherent_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h13_stranded_first"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h14_no_deeper"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h15_three_phases"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h16_open_dense_sector"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h17_lonely_places"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h18_corridor_and_sparse"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h19_on_the_way_home"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h20_arm_exhaustion"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h21_sparse_then_savings"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h22_way_back"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h23_soft_turns"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h24_seed_blend_squeeze"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h25_distant_when_full"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h26_near_clusters"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h27_commit_to_cluster"
	"github.com/epb-nco/epb/wasm-heuristics/banks/lehd-cvrp100/h28_tip_blend_near"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// nativeSubCVRP holds the programs for CVRP by way of the depot as compiled by Go itself.
var nativeSubCVRP = map[string]func(*subcvrp.State, []float32){
	"h00_fit_and_savings":     h00_fit_and_savings.Score,
	"h01_savings_by_spread":   h01_savings_by_spread.Score,
	"h02_same_direction":      h02_same_direction.Score,
	"h03_savings_first":       h03_savings_first.Score,
	"h04_near_when_full":      h04_near_when_full.Score,
	"h05_towards_depot":       h05_towards_depot.Score,
	"h06_same_sector":         h06_same_sector.Score,
	"h07_outward_snug":        h07_outward_snug.Score,
	"h08_forward_sector":      h08_forward_sector.Score,
	"h09_adaptive_sweep":      h09_adaptive_sweep.Score,
	"h10_narrow_cone":         h10_narrow_cone.Score,
	"h11_half_fill":           h11_half_fill.Score,
	"h12_coherent_sector":     h12_coherent_sector.Score,
	"h13_stranded_first":      h13_stranded_first.Score,
	"h14_no_deeper":           h14_no_deeper.Score,
	"h15_three_phases":        h15_three_phases.Score,
	"h16_open_dense_sector":   h16_open_dense_sector.Score,
	"h17_lonely_places":       h17_lonely_places.Score,
	"h18_corridor_and_sparse": h18_corridor_and_sparse.Score,
	"h19_on_the_way_home":     h19_on_the_way_home.Score,
	"h20_arm_exhaustion":      h20_arm_exhaustion.Score,
	"h21_sparse_then_savings": h21_sparse_then_savings.Score,
	"h22_way_back":            h22_way_back.Score,
	"h23_soft_turns":          h23_soft_turns.Score,
	"h24_seed_blend_squeeze":  h24_seed_blend_squeeze.Score,
	"h25_distant_when_full":   h25_distant_when_full.Score,
	"h26_near_clusters":       h26_near_clusters.Score,
	"h27_commit_to_cluster":   h27_commit_to_cluster.Score,
	"h28_tip_blend_near":      h28_tip_blend_near.Score,
}
