package tsp

import "math"

// Measures of a candidate are methods that take k, its index into Candidates. Those that need the other candidates are
// worked out for all candidates at the first question of a decision, and kept in local.

// places is what the measures need of the instance beside its distances. It never changes.
type places struct {
	unit, perUnit    float32
	middleX, middleY float32   // the mean of all cities
	angle, radius    []float32 // [N] of each city about the middle: shares of a turn from the x axis, units
}

func newPlaces(x, y []float32) places {
	n := len(x)
	p := places{unit: 0.7 / float32(math.Sqrt(float64(n)))}
	p.perUnit = 1 / p.unit
	for i := range n {
		p.middleX += x[i]
		p.middleY += y[i]
	}
	p.middleX, p.middleY = p.middleX/float32(n), p.middleY/float32(n)
	both := make([]float32, 2*n)
	p.angle, p.radius = both[:n:n], both[n:]
	for i := range n {
		dx, dy := x[i]-p.middleX, y[i]-p.middleY
		p.angle[i] = turn(dx, dy)
		p.radius[i] = root(dot(dx, dy, dx, dy)) * p.perUnit
	}
	return p
}

// local holds the measures of one decision, as far as they were asked for.
type local struct {
	here    here
	ranks   lane[rank]
	links   lane[link]
	detours lane[detour]
	sides   lane[side]
	outs    lane[tip]
	gaps    lane[gap]
	to      []float32 // [N] scratch of gaps
	sectors []int32   // [2N] scratch of gaps
	turns   []float32 // [K(K-1)/2] scratch of gaps
	homes   lane[home]
	walks   lane[walk]
	windows lane[window]
	nearest []int32 // candidates by their distance, empty until they are ordered

	sights  dial[sight]
	glances dial[glance]
	crowds  dial[crowd]
	flanks  dial[flank]
	tips    dial[tip]
	visited visited
	tracks  dial[track]
}

// forget makes the next questions work everything out anew. What was worked out is never read again.
func (l *local) forget() {
	l.here.known = false
	l.ranks.of, l.links.of, l.detours.of, l.sides.of = nil, nil, nil, nil
	l.outs.of, l.gaps.of, l.homes.of = nil, nil, nil
	l.walks.of, l.windows.of, l.nearest = nil, nil, l.nearest[:0]
	l.sights.forget()
	l.glances.forget()
	l.crowds.forget()
	l.flanks.forget()
	l.tips.forget()
	l.visited.known = false
	l.tracks.forget()
}

// lane holds one value for each candidate.
type lane[T any] struct {
	of   []T // [K], nil until it is worked out
	room []T // [N] what of is a part of
}

// open returns the lane of a decision, whose values are still to be set. It panics on more candidates than cities,
// whose work fuel would not count.
func (l *lane[T]) open(s *State) []T {
	if l.room == nil {
		l.room = make([]T, len(s.gap))
	}
	l.of = l.room[:len(s.Candidates)]
	return l.of
}

// radii is how many radii a dial remembers. A program that asks for more in turns is right, but slow.
const radii = 6

// dial holds a lane for each of a few radii.
type dial[T any] struct {
	at   [radii]lane[T]
	r    [radii]float32
	last int // the one asked for last
	next int // the one to work out next
}

func (d *dial[T]) forget() {
	for i := range d.at {
		d.at[i].of = nil
	}
	d.last, d.next = 0, 0
}

// known returns the lane of a radius, nil if it is not worked out.
func (d *dial[T]) known(r float32) []T {
	if d.r[d.last] == r {
		return d.at[d.last].of
	}
	for i, known := range d.r {
		if known == r && d.at[i].of != nil {
			d.last = i
			return d.at[i].of
		}
	}
	return nil
}

// open returns a lane for a radius, in place of that of another radius if there is no free one.
func (d *dial[T]) open(s *State, r float32) []T {
	d.last, d.next = d.next, (d.next+1)%radii
	d.r[d.last] = r
	return d.at[d.last].open(s)
}

// fading returns what fade needs of a radius.
func fading(r float32) (q float32) {
	const least = 0.01 // smaller radii, and what is no number, count as this one
	if !(r > least) {
		r = least
	}
	return 1 / float32(2.2*2.2*r*r)
}

// fade is the weight of a city at distance t when sums fade with radius r: 1/(1 + (t/2.2r)²)³, close to the bell curve
// exp(-t²/2r²). It is 1 at t = 0, 0.57 at r, 0.16 at 2r and 0.04 at 3r. It takes t² and q = fading(r).
func fade(tt, q float32) float32 {
	y := 1 + float32(tt*q)
	return 1 / float32(float32(y*y)*y)
}

// most is the largest absolute value of a measure.
const most = 20

// bounded returns v within ±most. The builtin min and max, which know of numbers that are none, would take longer.
func bounded(v float32) float32 {
	if v > most {
		return most
	}
	if v < -most {
		return -most
	}
	return v
}

// far stands for the distance to a city that does not exist.
const far = math.MaxFloat32

// The conversions in this package forbid fused multiply-add, which would differ between machines.

// units returns the distance between two cities in units.
func (s *State) units(i, j Node) float32 { return float32(s.Dist(i, j) * s.perUnit) }

// dot returns the scalar product of two vectors.
func dot(ax, ay, bx, by float32) float32 { return float32(ax*bx) + float32(ay*by) }

// cross returns the cross product of two vectors. It is positive if b points to the left of a.
func cross(ax, ay, bx, by float32) float32 { return float32(ax*by) - float32(ay*bx) }

// bits returns the bits of a number.
func bits(v float32) int32 { return int32(math.Float32bits(v)) }

// root returns the square root.
func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// sign returns 1 for a positive number, -1 for a negative one, 0 for 0. It has no branch, because sides are no pattern
// that a processor could guess.
func sign(v float32) float32 {
	i := bits(v + 0) // of v = -0 it is that of 0
	return float32(i>>31 | int32(uint32(-i)>>31))
}

// less returns 1 if a < b, 0 if not, of numbers that are not negative. It has no branch.
func less(a, b float32) float32 {
	return float32(uint32(bits(a)-bits(b)) >> 31)
}

// positive returns the number if it is positive, 0 if not. It has no branch.
func positive(v float32) float32 {
	return math.Float32frombits(uint32(bits(v) &^ (bits(v) >> 31)))
}

// half returns -1 for a negative number and for -0, 1 for any other.
func half(v float32) float32 { return math.Float32frombits(math.Float32bits(v)&(1<<31) | 0x3f800000) }

// size returns the absolute value.
func size(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

// turn returns the direction of a vector as a share of a full turn, counterclockwise from the x axis, from 0 to 1; 0
// of a vector of no length. It is right to 2·10⁻⁶ of a turn, and gives the same bits natively and in the sandbox,
// which math.Atan2 need not. Abramowitz and Stegun, 4.4.49.
func turn(x, y float32) float32 {
	y += 0
	ax, ay := size(x), size(y)
	// Of numbers that are not negative the larger one has the larger bits, and whole numbers need no branch for it.
	i, j := math.Float32bits(ax), math.Float32bits(ay)
	long, short := math.Float32frombits(max(i, j)), math.Float32frombits(min(i, j))
	if long == 0 {
		return 0
	}
	t := short / long
	tt := float32(t * t)
	a := 0.0208351 * tt
	a = float32((a - 0.0851330) * tt)
	a = float32((a + 0.1801410) * tt)
	a = float32((a - 0.3302995) * tt)
	a = float32((a+0.9998660)*t) * (1 / (2 * math.Pi)) // of the angle to the nearer axis, up to an eighth of a turn
	steep, left, below := half(ax-ay), half(x+0), half(y)
	a = (1-steep)/8 + float32(steep*a)    // a or ¼-a
	a = (1-left)/4 + float32(left*a)      // a or ½-a
	return (1-below)/2 + float32(below*a) // a or 1-a
}

// sine returns the sine of an angle in turns from -2 to 2, right to 4·10⁻⁶.
func sine(t float32) float32 {
	if t < 0 {
		t++
	}
	if t < 0 {
		t++
	}
	if t >= 1 {
		t--
	}
	sign := float32(1)
	if t >= 0.5 {
		t, sign = t-0.5, -1
	}
	if t > 0.25 {
		t = 0.5 - t
	}
	x := t * (2 * math.Pi)
	xx := float32(x * x)
	p := float32(xx * (1. / 362880))
	p = float32((p - 1./5040) * xx)
	p = float32((p + 1./120) * xx)
	p = float32((p - 1./6) * xx)
	return float32(sign*x) * (1 + p)
}

// logarithm returns the natural logarithm of a positive number, right to 10⁻⁶. math.Log need not give the same bits
// natively and in the sandbox.
func logarithm(v float32) float32 {
	bits := math.Float32bits(v)
	exponent := int32(bits>>23) - 127
	m := math.Float32frombits(bits&(1<<23-1) | 0x3f800000) // v = m·2^exponent, m from 1 to 2
	if m > math.Sqrt2 {
		m, exponent = m/2, exponent+1
	}
	z := (m - 1) / (m + 1)
	zz := float32(z * z)
	p := float32(zz * (1. / 7))
	p = float32((p + 1./5) * zz)
	p = float32((p + 1./3) * zz)
	return float32(float32(exponent)*math.Ln2) + float32(float32(2*z)*(1+p))
}
