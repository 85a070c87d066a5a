package cvrp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// TestMeasuresOfTheTour: a customer's measures without regard to loads are those of a tour from Current through all
// waiting customers to the depot, and the depot has none.
func TestMeasuresOfTheTour(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, _ []int32, _ int32) {
		tour := tsp.NewState(s.X, s.Y)
		tour.Set(1, cvrp.Depot, s.Current, s.Waiting)
		for k, c := range s.Candidates {
			got := []float32{
				s.LogDistance(k), s.Isolation(k), s.Skip(k), s.LeftBehindRight(k), s.Density(k, 2), s.TipAlong(k, 3),
				s.OpenAngle(k), s.OffHome(k), s.ServedShare(k, 2), s.FartherFromDepot(k), s.TowardsDepot(k),
			}
			want := make([]float32, len(got))
			if w := slices.Index(s.Waiting, c); w >= 0 {
				want = []float32{
					tour.LogDistance(w), tour.Isolation(w), tour.Skip(w), tour.LeftBehindRight(w), tour.Crowd(w, 2),
					tour.TipAlong(w, 3), tour.Gap(w), tour.OffStart(w), tour.VisitedShare(w, 2),
					tour.FartherFromStart(w), tour.TowardsStart(w),
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("node %d: got %v, want %v", c, got, want)
			}
		}
	})
}

// TestMeasures compares what is the CVRP's own with its definition in float64.
func TestMeasures(t *testing.T) {
	each(t, func(t *testing.T, s *cvrp.State, demand []int32, room int32) {
		const capacity = 20
		u := 0.7 / math.Sqrt(float64(s.N))
		D := func(i, j cvrp.Node) float64 {
			return math.Hypot(float64(s.X[i]-s.X[j]), float64(s.Y[i]-s.Y[j])) / u
		}
		angle := func(c cvrp.Node) float64 {
			return math.Atan2(float64(s.Y[c]-s.Y[0]), float64(s.X[c]-s.X[0])) / (2 * math.Pi)
		}
		around := func(c cvrp.Node, r float64, some func(j cvrp.Node) bool, w func(j cvrp.Node) float64) float64 {
			var sum float64
			for _, j := range s.Waiting {
				if j != c && some(j) {
					sum += w(j) * math.Pow(1+math.Pow(D(c, j)/2.2/r, 2), -3)
				}
			}
			return sum
		}
		all, one := func(cvrp.Node) bool { return true }, func(cvrp.Node) float64 { return 1 }
		others := float64(max(1, len(s.Waiting)-1))
		type check struct {
			name string
			got  float32
			want float64
		}
		var checks []check
		nearest, detour, fullest, waiting := 10.0, 10.0, 0.0, int32(0)
		for _, c := range s.Fitting() {
			nearest = min(nearest, D(s.Current, c))
			detour = min(detour, D(s.Current, c)+D(c, 0)-D(s.Current, 0))
			fullest = max(fullest, float64(demand[c])/float64(max(1, room)))
		}
		for _, c := range s.Waiting {
			waiting += demand[c]
		}
		allFit := 0.0
		if waiting <= room {
			allFit = 1
		}
		for k, c := range s.Candidates {
			checks = append(checks, check{"Distance", s.Distance(k), D(s.Current, c)},
				check{"ToDepot", s.ToDepot(k), D(0, c)},
				check{"HomeDetour", s.HomeDetour(k), D(s.Current, c) + D(c, 0) - D(s.Current, 0)},
				check{"SavingHere", s.SavingHere(k), D(s.Current, 0) + D(0, c) - D(s.Current, c)})
			if c == cvrp.Depot {
				for _, v := range []float32{
					s.Load(k), s.RoomAfter(k), s.Fill(k), s.FitShareAfter(k), s.NextFitDistance(k), s.Larger(k),
					s.DemandNear(k, 2), s.FitNear(k, 2), s.SectorStep(k), s.SectorX(k), s.SectorGapRight(k),
					s.SectorLoad(k, 0.1), s.OutwardStep(k), 1 - s.IsDepot(k),
				} {
					checks = append(checks, check{"of the depot", v, 0})
				}
				continue
			}
			after, next, fits, smaller := room-demand[c], D(c, 0), 0.0, 0.0
			for _, j := range s.Waiting {
				if j == c {
					continue
				}
				if demand[j] <= after {
					if fits == 0 || D(c, j) < next {
						next = D(c, j)
					}
					fits++
				}
				if demand[j] < demand[c] {
					smaller++
				}
			}
			step := 0.0
			if s.Current != cvrp.Depot {
				step = math.Mod(angle(c)-angle(s.Current)+2.5, 1) - 0.5
			}
			checks = append(checks,
				check{"IsDepot", s.IsDepot(k), 0},
				check{"OutwardStep", s.OutwardStep(k), D(0, c) - D(0, s.Current)},
				check{"Load", s.Load(k), float64(demand[c]) / capacity},
				check{"RoomAfter", s.RoomAfter(k), float64(after) / capacity},
				check{"Fill", s.Fill(k), float64(demand[c]) / float64(room)},
				check{"FitShareAfter", s.FitShareAfter(k), fits / others},
				check{"NextFitDistance", s.NextFitDistance(k), next},
				check{"Larger", s.Larger(k), smaller / others},
				check{"DemandNear", s.DemandNear(k, 2), around(c, 2, all,
					func(j cvrp.Node) float64 { return float64(demand[j]) / capacity })},
				check{"FitNear", s.FitNear(k, 2), around(c, 2,
					func(j cvrp.Node) bool { return demand[j] <= after }, one)},
				check{"SectorStep", s.SectorStep(k), step},
				check{"SectorX", s.SectorX(k), math.Cos(2 * math.Pi * angle(c))},
				check{"SectorY", s.SectorY(k), math.Sin(2 * math.Pi * angle(c))})
		}
		checks = append(checks,
			check{"HomeDistance", s.HomeDistance(), D(s.Current, 0)},
			check{"LoadsLeft", s.LoadsLeft(), float64(waiting) / capacity},
			check{"AllFit", s.AllFit(), allFit},
			check{"FitShare", s.FitShare(), float64(len(s.Fitting())) / float64(max(1, len(s.Waiting)))},
			check{"FullestFill", s.FullestFill(), fullest},
			check{"NearestFit", s.NearestFit(), nearest},
			check{"LeastHomeDetour", s.LeastHomeDetour(), detour},
			check{"DensityHere", s.DensityHere(2), around(s.Current, 2, all, one)},
			check{"FitDensityHere", s.FitDensityHere(2), around(s.Current, 2,
				func(j cvrp.Node) bool { return demand[j] <= room }, one)})
		for _, c := range checks {
			if want := max(-20, min(20, c.want)); !(math.Abs(float64(c.got)-want) < 1e-3) {
				t.Errorf("%s is %v, want %v", c.name, c.got, want)
			}
		}
		if k1, k2 := s.Nearest(); len(s.Fitting()) > 0 {
			if math.Abs(D(s.Current, s.Candidates[k1])-nearest) > 1e-3 || k1 == k2 && len(s.Fitting()) > 1 {
				t.Errorf("Nearest() = %d, %d", k1, k2)
			}
		} else if k1 != 0 || k2 != 0 {
			t.Errorf("Nearest() = %d, %d, want the depot", k1, k2)
		}
	})
}
