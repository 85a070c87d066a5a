package student

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/parallel"
	ops "github.com/epb-nco/epb/tensorops"
)

// A named router is made sparse by forward selection. Many products say almost the same, since features do (distance,
// its logarithm, its square), so the size of a product does not tell what the router would be without it: of ten that
// share a task all look small. Select asks instead which few products, with new values, come closest to the router as
// it is.
//
// Close is measured by the Gauss–Newton approximation of the loss about the present parameters θ. If the logits change
// by δ, the loss of a state changes by about ½ Σ_n π_S(n)·(Σ_m δ_m·(ρ_m(n) − w_m))², where ρ_m(n) = w_m·V_m(n)/π_S(n)
// is the share of program m in the choice of n. δ is linear in the parameters, so each candidate of each state gives
// one row of a linear regression: with y = Σ_m √π_S(n)·(ρ_m(n) − w_m)·K_m, the column of the product of z_i and f_j has
// z_i·y_j there. The target is what the rows give with θ. Columns are taken one by one, always the one that lowers the
// sum of squares most, together with the best new values of those before it (orthogonal least squares).

const (
	selectStates = 40_000 // about how many states the regression is made of
	leastShare   = 0.02   // candidates with less of the mixture give no row
	ridge        = 1e-3   // added to the diagonal, as a share of its mean
	collinear    = 1e-3   // a column with no more of its square left is explained by those taken
)

// Select keeps so many products of a named router, and so many terms of its programs' biases beside their constants:
// those that together stand best for the router as it is on the states of the sets. One program may have many terms and
// another none. It gives what it keeps new values. The rest is 0 from now on, and stays 0 in training. A router of one
// program has nothing to choose and stays as it is. tauH, float64 [M], holds τ_h of Eq. 2. The weights ω of states do
// not count here.
func (m *Model) Select(ctx context.Context, sets []Dataset, tauH *tensor.Dense, products, terms int) error {
	data, tau, err := m.Config.open(sets, tauH)
	if err != nil || m.Config.Programs == 1 {
		return err
	}
	rows, err := m.regression(ctx, data, tau, max(1, States(sets)/selectStates))
	if err != nil {
		return err
	}
	if rows.rows() == 0 {
		return fmt.Errorf("student: no products can be selected: in all states every candidate has less than %g of "+
			"the mixture", leastShare)
	}
	n := &m.w.named
	if m.Config.Sparse {
		products = min(products, count(n.products))
	}
	s := rows.selection(n, m.Config.Sparse)
	if slices.Max(s.full) == 0 {
		return errors.New("student: no products can be selected: in all states all programs propose the same, or one " +
			"has all the weight")
	}
	s.take(products, terms)
	m.Config.Sparse = true
	clear(n.products)
	clear(n.bias)
	for i, v := range s.values() {
		switch p := s.params[s.taken[i]]; {
		case p < len(n.products):
			n.products[p] = float32(v)
		default:
			n.bias[p-len(n.products)] = float32(v)
		}
	}
	return nil
}

func count(x []float32) int {
	sum := 0
	for _, v := range x {
		if v != 0 {
			sum++
		}
	}
	return sum
}

// regression is R rows of a linear regression on the parameters of a named router. A column of the products is z_i·y_j,
// one of the biases z_i·d_m.
type regression struct {
	Z1, F1, M int       // 1+Z, F+1
	z         []float32 // [R,1+Z]
	y         []float32 // [R,F+1]
	d         []float32 // [R,M]
}

// regression collects the rows of every stride-th state.
func (m *Model) regression(ctx context.Context, sets []opened, tauH []float64, stride int) (*regression, error) {
	n := &m.w.named
	Z1, F1, M := len(n.mean)+1, len(n.scale)+1, m.Config.Programs
	parts := make([]regression, len(m.Config.chunks(nil, units(sets))))
	err := m.sweep(ctx, sets, tauH, func(c int, _ []unit, p *pass) {
		part, st, x := &parts[c], &p.st, &p.st.feat
		Km, d := make([]float32, M*F1), make([]float32, M)
		for s := c % stride; s < st.T; s += stride {
			a, b := int(st.offset[s]), int(st.offset[s+1])
			wm, z := p.route.wm[s*M:][:M], x.z[s*Z1:][:Z1]
			ops.Gemm(false, false, M, F1-1, b-a, 1, st.Vm[a:], st.L, x.f[a*(F1-1):], F1-1, 0, Km, F1)
			for h := range M {
				Km[h*F1+F1-1] = x.conf[s*M+h]
			}
			for l := a; l < b; l++ {
				share := p.route.mix[l]
				if share < leastShare {
					continue
				}
				root := float32(math.Sqrt(float64(share)))
				for h, w := range wm {
					d[h] = root * w * (st.of(h, st.Vm)[l]/share - 1)
				}
				at := len(part.y)
				part.y = append(part.y, make([]float32, F1)...)
				for h, v := range d {
					axpy(part.y[at:], v, Km[h*F1:][:F1])
				}
				part.z, part.d = append(part.z, z...), append(part.d, d...)
			}
		}
	})
	all := &regression{Z1: Z1, F1: F1, M: M}
	for _, part := range parts {
		all.z, all.y, all.d = append(all.z, part.z...), append(all.y, part.y...), append(all.d, part.d...)
	}
	return all, err
}

// rows returns R.
func (r *regression) rows() int { return len(r.d) / r.M }

// target returns what the rows give with the parameters of n, [R].
func (r *regression) target(n *namedWeights) []float32 {
	R := r.rows()
	u, v, out := make([]float32, R*r.F1), make([]float32, R*r.M), make([]float32, R)
	ops.Gemm(false, false, R, r.F1, r.Z1, 1, r.z, r.Z1, n.products, r.F1, 0, u, r.F1)
	ops.Gemm(false, false, R, r.M, r.Z1, 1, r.z, r.Z1, n.bias, r.M, 0, v, r.M)
	for i := range out {
		out[i] = dot(u[i*r.F1:][:r.F1], r.y[i*r.F1:]) + dot(v[i*r.M:][:r.M], r.d[i*r.M:])
	}
	return out
}

// against returns for every parameter Σ_rows column·target, as namedWeights has them: products, then biases.
func (r *regression) against(target []float32) []float32 {
	zt := slices.Clone(r.z)
	for i, t := range target {
		for k := range zt[i*r.Z1:][:r.Z1] {
			zt[i*r.Z1+k] *= t
		}
	}
	return r.outer(zt, r.y, r.d)
}

// squares returns for every parameter the sum of the squares of its column.
func (r *regression) squares() []float32 {
	square := func(x []float32) []float32 {
		out := make([]float32, len(x))
		for i, v := range x {
			out[i] = v * v
		}
		return out
	}
	return r.outer(square(r.z), square(r.y), square(r.d))
}

// outer returns zᵀy [1+Z,F+1], followed by zᵀd [1+Z,M].
func (r *regression) outer(z, y, d []float32) []float32 {
	out := make([]float32, r.Z1*(r.F1+r.M))
	ops.Gemm(true, false, r.Z1, r.F1, r.rows(), 1, z, r.Z1, y, r.F1, 0, out, r.F1)
	ops.Gemm(true, false, r.Z1, r.M, r.rows(), 1, z, r.Z1, d, r.M, 0, out[r.Z1*r.F1:], r.M)
	return out
}

// selection is a forward selection among P columns.
type selection struct {
	products int   // of the router: parameters from there on are biases
	M        int   // programs
	params   []int // [P] parameter of each column, increasing

	gram []float32   // [P,P] columns times columns
	full []float64   // [P] sum of squares of each column, with the ridge
	left []float64   // [P] what is left of it, given the columns taken
	gain []float64   // [P] column times target, likewise
	base [][]float64 // of each column taken: [P] its part that is new, times all columns
	part []float64   // of each column taken: that part times the target

	taken []int // columns in the order of taking
	has   []bool
}

// selection begins a selection among all biases and the products whose terms are largest: θ² times the sum of squares
// of the column. Where the router is sparse, what is 0 already is left out.
func (r *regression) selection(n *namedWeights, sparse bool) *selection {
	against, squares := r.against(r.target(n)), r.squares()
	theta := slices.Concat(n.products, n.bias)
	NP := len(n.products)
	var pool []int
	for p := range NP {
		if !sparse || theta[p] != 0 {
			pool = append(pool, p)
		}
	}
	size := func(p int) float32 { return theta[p] * theta[p] * squares[p] }
	slices.SortStableFunc(pool, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	pool = pool[:min(len(pool), features.MostKept)]
	for p := NP; p < len(theta); p++ {
		if !sparse || theta[p] != 0 || p < NP+r.M {
			pool = append(pool, p)
		}
	}
	slices.Sort(pool)
	P := len(pool)
	s := &selection{
		products: NP, M: r.M, params: pool, gram: r.gram(pool, NP),
		full: make([]float64, P), left: make([]float64, P), gain: make([]float64, P), has: make([]bool, P),
	}
	mean := 0.0
	for i := range P {
		mean += float64(s.gram[i*P+i]) / float64(P)
	}
	for i, p := range pool {
		s.full[i] = float64(s.gram[i*P+i]) + ridge*mean
		s.left[i], s.gain[i] = s.full[i], float64(against[p])
	}
	return s
}

// gramRows is how many rows of a regression are written out at a time, gramBlock how many columns of the result one
// goroutine computes.
const (
	gramRows  = 512
	gramBlock = 256
)

// gram returns the products of some columns with one another, [P,P].
func (r *regression) gram(params []int, products int) []float32 {
	P := len(params)
	out, x := make([]float32, P*P), make([]float32, gramRows*P)
	blocks := (P + gramBlock - 1) / gramBlock
	for from := 0; from < r.rows(); from += gramRows {
		rows := min(gramRows, r.rows()-from)
		parallel.Each(parallel.Workers(rows), rows, func(_, i int) {
			z, y, d := r.z[(from+i)*r.Z1:], r.y[(from+i)*r.F1:], r.d[(from+i)*r.M:]
			row := x[i*P:][:P]
			for c, p := range params {
				if p < products {
					row[c] = z[p/r.F1] * y[p%r.F1]
				} else {
					row[c] = z[(p-products)/r.M] * d[(p-products)%r.M]
				}
			}
		})
		parallel.Each(parallel.Workers(blocks), blocks, func(_, i int) { // the blocks on and below the diagonal
			a, b := i*gramBlock, min((i+1)*gramBlock, P)
			ops.Gemm(true, false, b-a, b, rows, 1, x[a:], P, x, P, 1, out[a*P:], P)
		})
	}
	for i := range P {
		for j := range i {
			out[j*P+i] = out[i*P+j]
		}
	}
	return out
}

// take takes all constants of the biases, then column by column so many products, and so many terms of biases. It ends
// early if no column is left that explains more.
func (s *selection) take(products, terms int) {
	for i, p := range s.params {
		if p >= s.products && p < s.products+s.M {
			s.add(i)
		}
	}
	for {
		best, most := -1, 0.0
		for i, p := range s.params {
			room := products
			if p >= s.products {
				room = terms
			}
			if room == 0 || s.has[i] || s.left[i] <= collinear*s.full[i] {
				continue
			}
			if gain := s.gain[i] * s.gain[i] / s.left[i]; gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			return
		}
		if s.params[best] < s.products {
			products--
		} else {
			terms--
		}
		s.add(best)
	}
}

// add takes a column: it adds a row to the Cholesky factor of the gram matrix of the columns taken.
func (s *selection) add(column int) {
	P := len(s.params)
	root := math.Sqrt(s.left[column])
	v := make([]float64, P)
	for i, g := range s.gram[column*P:][:P] {
		v[i] = float64(g)
	}
	v[column] = s.full[column]
	for _, u := range s.base {
		c := u[column]
		for i, x := range u {
			v[i] -= c * x
		}
	}
	part := s.gain[column] / root
	for i := range v {
		v[i] /= root
		s.left[i] -= v[i] * v[i]
		s.gain[i] -= v[i] * part
	}
	s.base, s.part = append(s.base, v), append(s.part, part)
	s.taken, s.has[column] = append(s.taken, column), true
}

// values returns the best values of the columns taken.
func (s *selection) values() []float64 {
	x := make([]float64, len(s.taken))
	for i := len(x) - 1; i >= 0; i-- {
		sum := s.part[i]
		for j := i + 1; j < len(x); j++ {
			sum -= s.base[i][s.taken[j]] * x[j]
		}
		x[i] = sum / s.base[i][s.taken[i]]
	}
	return x
}
