package tsp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// plain is a decision in float64, in units, with each measure worked out from its definition alone.
type plain struct {
	s       *tsp.State
	x, y    []float64 // of all cities, Current at the origin
	c       []int     // candidates
	visited []int
	f       int
}

func plainly(s *tsp.State) *plain {
	p := &plain{s: s, f: int(s.First)}
	u := 0.7 / math.Sqrt(float64(s.N))
	for i := range s.N {
		p.x = append(p.x, (float64(s.X[i])-float64(s.X[s.Current]))/u)
		p.y = append(p.y, (float64(s.Y[i])-float64(s.Y[s.Current]))/u)
		switch {
		case slices.Contains(s.Candidates, tsp.Node(i)):
			p.c = append(p.c, i)
		case i != int(s.Current):
			p.visited = append(p.visited, i)
		}
	}
	return p
}

func (p *plain) d(i int) float64    { return math.Hypot(p.x[i], p.y[i]) }
func (p *plain) D(i, j int) float64 { return math.Hypot(p.x[i]-p.x[j], p.y[i]-p.y[j]) }

// cross is positive if k is on the left of the way from a to b.
func (p *plain) cross(a, b, k int) float64 {
	return (p.x[b]-p.x[a])*(p.y[k]-p.y[a]) - (p.y[b]-p.y[a])*(p.x[k]-p.x[a])
}

// left is positive if k is on the left of the ray from Current through n.
func (p *plain) left(n, k int) float64 { return p.x[n]*p.y[k] - p.y[n]*p.x[k] }

func (p *plain) others(n int, visit func(k int)) {
	for _, k := range p.c {
		if k != n {
			visit(k)
		}
	}
}

// sum adds up w of the other candidates that are some.
func (p *plain) sum(n int, some func(k int) bool, w func(k int) float64) float64 {
	var sum float64
	p.others(n, func(k int) {
		if some(k) {
			sum += w(k)
		}
	})
	return sum
}

func fade(t, r float64) float64 { return math.Pow(1+math.Pow(t/(2.2*r), 2), -3) }

func one(int) float64 { return 1 }

// nearest returns the other candidates of n by distance.
func (p *plain) nearest(n int) []int {
	var o []int
	p.others(n, func(k int) { o = append(o, k) })
	slices.SortStableFunc(o, func(a, b int) int {
		if p.D(n, a) < p.D(n, b) {
			return -1
		}
		return 1
	})
	return o
}

func (p *plain) links(n int) (d1, d2 float64) {
	o := p.nearest(n)
	if len(o) == 0 {
		return p.D(n, p.f), p.D(n, p.f)
	}
	d1 = p.D(n, o[0])
	if len(o) == 1 {
		return d1, max(d1, p.D(n, p.f))
	}
	return d1, p.D(n, o[1])
}

func (p *plain) skip(n int) float64 {
	o := p.nearest(n)
	if len(o) == 0 {
		return 0
	}
	skip := p.D(n, o[0]) + p.D(n, p.f) - p.D(o[0], p.f)
	if len(o) > 1 {
		skip = min(skip, p.D(n, o[0])+p.D(n, o[1])-p.D(o[0], o[1]))
	}
	return skip
}

func (p *plain) over(n, k int) float64 { return p.d(k) + p.D(n, k) - p.d(n) }

func (p *plain) lost(n, k int) float64 { return max(0, p.skip(k)-p.over(n, k)) }

func (p *plain) via(n int, some func(k int) bool) float64 {
	via := 5.0
	p.others(n, func(k int) {
		if some(k) {
			via = min(via, p.over(n, k))
		}
	})
	return via
}

// without returns the nearest link of k without n.
func (p *plain) without(k, n int) float64 {
	for _, j := range p.nearest(k) {
		if j != n {
			return p.D(k, j)
		}
	}
	_, d2 := p.links(k)
	return d2
}

func (p *plain) middle() (x, y float64) {
	for i := range p.x {
		x, y = x+p.x[i]/float64(len(p.x)), y+p.y[i]/float64(len(p.y))
	}
	return x, y
}

func (p *plain) centroid() (x, y float64) {
	for _, k := range p.c {
		x, y = x+p.x[k]/float64(len(p.c)), y+p.y[k]/float64(len(p.c))
	}
	return x, y
}

func (p *plain) angle(i int) float64 {
	x, y := p.middle()
	a := math.Atan2(p.y[i]-y, p.x[i]-x) - math.Atan2(p.y[p.f]-y, p.x[p.f]-x)
	return math.Mod(a/(2*math.Pi)+2, 1)
}

// tip returns the mean direction along and across the way from Current to n.
func (p *plain) tip(n int, w func(k int) float64, rest float64) (along, across, length float64) {
	x, y, sum := 0.0, 0.0, rest
	p.others(n, func(k int) {
		x += w(k) * (p.x[k] - p.x[n]) / p.D(n, k)
		y += w(k) * (p.y[k] - p.y[n]) / p.D(n, k)
		sum += w(k)
	})
	if sum == 0 {
		return 0, 0, 0
	}
	x, y = x/sum, y/sum
	return (x*p.x[n] + y*p.y[n]) / p.d(n), (p.x[n]*y - p.y[n]*x) / p.d(n), math.Hypot(x, y)
}

// gap returns the widest angle at n in half turns, and the angle to its middle from the way from Current.
func (p *plain) gap(n int) (width, middle float64) {
	var a []float64
	p.others(n, func(k int) { a = append(a, math.Atan2(p.y[k]-p.y[n], p.x[k]-p.x[n])) })
	if len(a) == 0 {
		return 2, math.NaN()
	}
	slices.Sort(a)
	for i := range a {
		next := a[0] + 2*math.Pi
		if i+1 < len(a) {
			next = a[i+1]
		}
		if next-a[i] > width {
			width, middle = next-a[i], (a[i]+next)/2
		}
	}
	return width / math.Pi, middle - math.Atan2(p.y[n], p.x[n])
}

func (p *plain) wedge(n int, side float64) float64 {
	least := 1.0
	p.others(n, func(k int) {
		if side*p.left(n, k) > 0 && p.d(k) < 1.5*p.d(n)+1 {
			cos := (p.x[n]*p.x[k] + p.y[n]*p.y[k]) / p.d(n) / p.d(k)
			least = min(least, math.Acos(min(1, cos))/math.Pi)
		}
	})
	return least
}

// TestMeasures compares each measure of a candidate with its definition in float64.
func TestMeasures(t *testing.T) {
	all := func(int) bool { return true }
	for _, s := range append(states(), uniform(40, 5, 21), uniform(40, 30, 22)) {
		p := plainly(s)
		K := len(p.c)
		others := float64(max(1, K-1))
		cx, cy := p.centroid()
		mx, my := p.middle()
		toC := func(k int) float64 { return math.Hypot(p.x[k]-cx, p.y[k]-cy) }
		for k, n := range p.c {
			right := func(j int) bool { return p.left(n, j) < 0 }
			left := func(j int) bool { return p.left(n, j) > 0 }
			behind := func(j int) bool { return p.angle(j) < p.angle(n) }
			beyond := func(j int) bool { return p.d(j) > p.d(n) }
			homeRight := func(j int) bool { return p.cross(n, p.f, j) < 0 }
			near := func(r float64) func(int) float64 { return func(j int) float64 { return fade(p.D(n, j), r) } }
			here := func(r float64) func(int) float64 { return func(j int) float64 { return fade(p.d(j), r) } }
			visited := func(some func(int) bool, w func(int) float64) float64 {
				var sum float64
				for _, j := range p.visited {
					if some(j) {
						sum += w(j)
					}
				}
				return sum
			}
			d1, d2 := p.links(n)
			second, twoStep, onward, neighbour := p.D(n, p.f), p.D(n, p.f), 0.0, 0.0
			missed, missedMost, most := 0.0, 0.0, 0.0
			viaNearest, nearestLeft := 0.0, 0.0
			if o := p.nearest(n); K > 1 {
				second, twoStep = 99, 99
				onward, neighbour = p.d(o[0])-p.d(n), p.without(o[0], n)-d1
				first := o[0]
				p.others(n, func(j int) {
					second = min(second, p.D(n, j)-p.skip(j))
					twoStep = min(twoStep, p.D(n, j)+min(1, 1.6/math.Sqrt(float64(K)))*p.D(j, p.f))
					loss := max(0, p.without(j, n)-p.D(n, j))
					missed, missedMost = missed+loss, max(missedMost, loss)
					most = max(most, p.lost(n, j))
					if p.d(j) < p.d(first) {
						first = j
					}
				})
				viaNearest, nearestLeft = p.over(n, first), p.skip(first)-p.over(n, first)
			}
			isNearest, isNearestF, inside := 1.0, 1.0, 0.0
			p.others(n, func(j int) {
				if p.d(j) < p.d(n) {
					isNearest = 0
				}
				if p.D(j, p.f) < p.D(n, p.f) {
					isNearestF = 0
				}
				side := math.Copysign(1, p.left(p.f, n))
				if p.f != int(s.Current) && side*p.left(n, j) < 0 && side*p.left(p.f, j) > 0 &&
					side*p.cross(n, p.f, j) < 0 {
					inside++
				}
			})
			f := p.d(p.f)
			cosF, sinF := 0.0, 0.0
			if f > 0 {
				cosF = (p.x[n]*p.x[p.f] + p.y[n]*p.y[p.f]) / f / p.d(n)
				sinF = p.left(p.f, n) / f / p.d(n)
			}
			c := math.Hypot(cx, cy)
			a15, x15, l15 := p.tip(n, near(1.5), 0.3)
			outA, outX, outL := p.tip(n, one, 0)
			gap, middle := p.gap(n)
			gapAhead, gapLeft, onHull := math.Cos(middle), math.Sin(middle), 0.0
			if K == 1 {
				gapAhead, gapLeft = 0, 0
			}
			if gap > 1 {
				onHull = 1
			}
			step := math.Mod(p.angle(n)-p.angle(int(s.Current))+1.5, 1) - 0.5
			radius := math.Hypot(p.x[n]-mx, p.y[n]-my)
			lag := p.angle(n)
			p.others(n, func(j int) { lag = min(lag, p.angle(j)) })
			lag = p.angle(n) - lag
			sameSide := 0.0
			if p.f != int(s.Current) {
				sameSide = p.sum(n, func(j int) bool { return p.left(p.f, j)*p.left(p.f, n) > 0 }, one) / others
			}
			d, toF := p.d(n), p.D(n, p.f)
			R4, L4 := p.sum(n, right, here(4)), p.sum(n, left, here(4))
			sumLost := func(some func(int) bool) float64 {
				return p.sum(n, some, func(j int) float64 { return p.lost(n, j) })
			}
			visitedDistance := 5.0
			for _, j := range p.visited {
				visitedDistance = min(visitedDistance, p.D(n, j))
			}
			leftShare := (1 + (p.sum(n, left, one)-p.sum(n, right, one))/others) / 2
			homeShare := (1 + (p.sum(n, homeRight, one)-
				p.sum(n, func(j int) bool { return p.cross(n, p.f, j) > 0 }, one))/others) / 2
			d0 := d
			p.others(n, func(j int) { d0 = min(d0, p.d(j)) })
			homeNear := p.sum(n, homeRight, near(2))
			if K > 1 && p.D(n, p.f) == 0 {
				t.Fatal("a candidate in the place of First")
			}
			V := visited(func(int) bool { return true }, near(2))
			x, y := float64(s.X[n]), float64(s.Y[n])
			u := float64(s.Unit())
			for _, m := range []struct {
				name string
				got  float32
				want float64
			}{
				{"Distance", s.Distance(k), d},
				{"LogDistance", s.LogDistance(k), math.Log(d + 0.1)},
				{"DistanceSquared", s.DistanceSquared(k), d * d / 4},
				{"DistanceRatio", s.DistanceRatio(k), min(8, d/(d0+0.1))},
				{"IsNearest", s.IsNearest(k), isNearest},
				{"Rank", s.Rank(k), p.sum(n, func(j int) bool { return p.d(j) < d }, one)},
				{"ToStart", s.ToStart(k), toF},
				{"IsNearestToStart", s.IsNearestToStart(k), isNearestF},
				{"TowardsStart", s.TowardsStart(k), cosF},
				{"LeftOfStart", s.LeftOfStart(k), sinF},
				{"ToCentroid", s.ToCentroid(k), toC(n)},
				{"TowardsCentroid", s.TowardsCentroid(k), (p.x[n]*cx + p.y[n]*cy) / c / d},
				{"LeftOfCentroid", s.LeftOfCentroid(k), (cx*p.y[n] - cy*p.x[n]) / c / d},
				{"PlaceX", s.PlaceX(k), 2*x - 1},
				{"PlaceY", s.PlaceY(k), 2*y - 1},
				{"DirectionX", s.DirectionX(k), p.x[n] / d},
				{"DirectionY", s.DirectionY(k), p.y[n] / d},
				{"ToEdge", s.ToEdge(k), min(x, 1-x, y, 1-y) / u},
				{"Isolation", s.Isolation(k), d1},
				{"Regret", s.Regret(k), d2 - d1},
				{"TwoStep", s.TwoStep(k), twoStep},
				{"Rise", s.Rise(k), max(0, d1-d)},
				{"SecondRise", s.SecondRise(k), max(0, d2-d)},
				{"Closer", s.Closer(k), p.sum(n, func(j int) bool { return p.D(n, j) < d }, one)},
				{"Onward", s.Onward(k), onward},
				{"Skip", s.Skip(k), p.skip(n)},
				{"Missed", s.Missed(k), missed},
				{"MissedMost", s.MissedMost(k), missedMost},
				{"NeighbourRegret", s.NeighbourRegret(k), neighbour},
				{"Via", s.Via(k), p.via(n, all)},
				{"ViaRight", s.ViaRight(k), p.via(n, right)},
				{"ViaLeft", s.ViaLeft(k), p.via(n, left)},
				{"LeftBehind", s.LeftBehind(k), sumLost(all)},
				{"LeftBehindMost", s.LeftBehindMost(k), most},
				{"LeftBehindRight", s.LeftBehindRight(k), sumLost(right)},
				{"LeftBehindLeft", s.LeftBehindLeft(k), sumLost(left)},
				{"SecondStep", s.SecondStep(k), second},
				{"ViaNearest", s.ViaNearest(k), viaNearest},
				{"NearestLeftBehind", s.NearestLeftBehind(k), nearestLeft},
				{"LeftShare", s.LeftShare(k), leftShare},
				{"Cut", s.Cut(k), min(leftShare, 1-leftShare)},
				{"WedgeRight", s.WedgeRight(k), p.wedge(n, -1)},
				{"WedgeLeft", s.WedgeLeft(k), p.wedge(n, 1)},
				{"RightHere", s.RightHere(k, 2), p.sum(n, right, here(2))},
				{"LeftHere", s.LeftHere(k, 2), p.sum(n, left, here(2))},
				{"RightMore", s.RightMore(k, 4), (R4 - L4) / (R4 + L4 + 0.3)},
				{"Ahead", s.Ahead(k, 4), p.sum(n, func(j int) bool {
					return (p.x[n]*p.x[j]+p.y[n]*p.y[j])/d/p.d(j) > math.Sqrt(0.75)
				}, here(4))},
				{"Crowd", s.Crowd(k, 2), p.sum(n, all, near(2))},
				{"CrowdRight", s.CrowdRight(k, 1), p.sum(n, right, near(1))},
				{"CrowdLeft", s.CrowdLeft(k, 1), p.sum(n, left, near(1))},
				{"CrowdBeyond", s.CrowdBeyond(k, 2), p.sum(n, beyond, near(2))},
				{"CrowdBetween", s.CrowdBetween(k, 2), p.sum(n, all, near(2)) - p.sum(n, beyond, near(2))},
				{"Tip", s.Tip(k, 1.5), l15},
				{"TipAlong", s.TipAlong(k, 1.5), a15},
				{"TipAcross", s.TipAcross(k, 1.5), x15},
				{"Outlying", s.Outlying(k), outL},
				{"OutAlong", s.OutAlong(k), outA},
				{"OutAcross", s.OutAcross(k), outX},
				{"Gap", s.Gap(k), gap},
				{"OnHull", s.OnHull(k), onHull},
				{"GapAhead", s.GapAhead(k), gapAhead},
				{"GapLeft", s.GapLeft(k), gapLeft},
				{"StartTriangle", s.StartTriangle(k), p.left(p.f, n) / 8},
				{"OffStart", s.OffStart(k), p.left(p.f, n) / (f + 0.1)},
				{"SameSide", s.SameSide(k), sameSide},
				{"InTriangle", s.InTriangle(k), inside},
				{"HomeRight", s.HomeRight(k), homeShare},
				{"HomeRightNear", s.HomeRightNear(k, 2), homeNear / (p.sum(n, all, near(2)) + 0.3)},
				{"FartherFromStart", s.FartherFromStart(k),
					p.sum(n, func(j int) bool { return p.D(j, p.f) > toF }, one) / others},
				{"FartherFromCentroid", s.FartherFromCentroid(k),
					p.sum(n, func(j int) bool { return toC(j) > toC(n)+1e-3 }, one) / others},
				{"Angle", s.Angle(k), p.angle(n)},
				{"AngleStep", s.AngleStep(k), step},
				{"ArcStep", s.ArcStep(k), step * 2 * math.Pi * radius},
				{"AngleLag", s.AngleLag(k), lag},
				{"Radius", s.Radius(k), radius},
				{"Behind", s.Behind(k), p.sum(n, behind, one) / others},
				{"BehindNear", s.BehindNear(k, 2), p.sum(n, behind, near(2))},
				{"BehindHere", s.BehindHere(k, 2), p.sum(n, behind, here(2))},
				{"VisitedDistance", s.VisitedDistance(k), visitedDistance},
				{"VisitedCrowd", s.VisitedCrowd(k, 2), V},
				{"VisitedShare", s.VisitedShare(k, 2), V / (V + p.sum(n, all, near(2)) + 0.3)},
				{"VisitedRight", s.VisitedRight(k, 2), visited(right, near(2))},
				{"VisitedLeft", s.VisitedLeft(k, 2), visited(left, near(2))},
				{"VisitedRightHere", s.VisitedRightHere(k, 2), visited(right, here(2))},
			} {
				if want := max(-20, min(20, m.want)); !(math.Abs(float64(m.got)-want) < 1e-3) {
					t.Errorf("K = %d of %d: %s(%d) = %v, want %v", K, s.N, m.name, k, m.got, want)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestNothingIsCarriedByMeasures: a State that is made anew for each decision, as in a guest, or only set to the next
// one, gives the same measures as one that has seen nothing before, whatever was asked of it and done to its fields.
func TestNothingIsCarriedByMeasures(t *testing.T) {
	ask := func(s *tsp.State) (all []float32) {
		for k := range s.Candidates {
			all = append(all, s.Crowd(k, 2), s.LeftBehind(k), s.Gap(k), s.VisitedCrowd(k, 2), s.Tip(k, 1.5), s.Rank(k),
				s.HomeRight(k), s.RightHere(k, 2), s.Outlying(k), s.Cut(k), s.BehindNear(k, 2), s.Skip(k), s.Angle(k))
		}
		return all
	}
	want := ask(uniform(12, 6, 1))
	last := uniform(12, 6, 1)
	step, first, current, candidates := last.Step, last.First, last.Current, last.Candidates
	s := uniform(12, 1, 1)
	fresh := *s
	for _, anew := range []bool{false, true} {
		s.First, s.Current, s.X, s.Y = s.Candidates[3], s.Candidates[2], s.Y, s.X
		ask(s)
		for r := range 9 {
			s.Crowd(0, float32(r))
		}
		if anew {
			*s = fresh
		} else {
			s.X, s.Y = s.Y, s.X
		}
		s.Set(step, first, current, candidates)
		if got := ask(s); !slices.Equal(got, want) {
			t.Errorf("made anew %v: got %v, want %v", anew, got, want)
		}
	}
	s.Set(step, first, current, candidates[:2])
	s.Crowd(0, 2)
	s.Candidates = candidates
	defer func() {
		if recover() == nil {
			t.Error("a measure of a candidate for which it was not worked out")
		}
	}()
	s.Crowd(2, 2)
}

// TestMeasuresAllocateNothing: natively a State keeps its memory from decision to decision.
func TestMeasuresAllocateNothing(t *testing.T) {
	s := uniform(30, 5, 1)
	step, first, current, candidates := s.Step, s.First, s.Current, s.Candidates
	n := testing.AllocsPerRun(5, func() {
		s.Set(step, first, current, candidates)
		for k := range candidates {
			s.Crowd(k, 2)
			s.Tip(k, 3)
			s.LeftBehindRight(k)
			s.Gap(k)
			s.VisitedShare(k, 2)
			s.HomeRightNear(k, 2)
			s.RightMore(k, 4)
			s.Rank(k)
			s.Cut(k)
			s.Outlying(k)
			s.InTriangle(k)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
