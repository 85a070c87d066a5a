package student

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
)

// manyStates is a dataset with more states than a named router has parameters, and such a router with random ones.
func manyStates(t *testing.T, M int) (*Model, Dataset, []float64) {
	t.Helper()
	set, tauH := toy(150, 10, 3, M, 1)
	m := New(smallNamed(M), 1)
	if err := m.Standardise(context.Background(), []Dataset{set}, dense.Vector(tauH)); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, x := range [][]float32{m.w.named.products, m.w.named.bias} {
		for i := range x {
			x[i] = 0.1 * (r.Float32() - 0.5)
		}
	}
	return m, set, tauH
}

func selectFrom(t *testing.T, m *Model, set Dataset, tauH []float64, products, terms int) {
	t.Helper()
	if err := m.Select(context.Background(), []Dataset{set}, dense.Vector(tauH), products, terms); err != nil {
		t.Fatal(err)
	}
}

// Programs that propose the same in all states, and a leader with all the weight, leave nothing to choose by: that is
// an error, and the router stays as it is. The regression would give values that are no numbers.
func TestSelectOfNothing(t *testing.T) {
	for name, alike := range map[string]bool{"twins": true, "one has all the weight": false} {
		m, set, tauH := manyStates(t, 2)
		clear(m.w.named.products)
		clear(m.w.named.bias)
		if alike {
			set.Scores[1], tauH[1] = set.Scores[0], tauH[0]
		} else {
			m.w.named.bias[0] = 200
		}
		before := slices.Clone(m.theta)
		if err := m.Select(t.Context(), []Dataset{set}, dense.Vector(tauH), 5, 1); err == nil {
			t.Errorf("%s: products are selected", name)
		}
		if !slices.Equal(m.theta, before) || m.Config.Sparse {
			t.Errorf("%s: the router has changed", name)
		}
	}
}

// With one program there is nothing to choose: the router stays as it is, and learns once there are two.
func TestSelectOfOneProgram(t *testing.T) {
	m, set, tauH := manyStates(t, 1)
	before := slices.Clone(m.theta)
	selectFrom(t, m, set, tauH, 5, 1)
	if !slices.Equal(m.theta, before) || m.Config.Sparse {
		t.Errorf("the router has changed; sparse: %v", m.Config.Sparse)
	}
	clear(m.w.named.products)
	clear(m.w.named.bias)
	tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
	tr.Resize([]int{0, -1})
	_, two, tau := manyStates(t, 2)
	if _, err := tr.Epoch(t.Context(), []Dataset{two}, dense.Vector(tau), 0, nil); err != nil {
		t.Fatal(err)
	}
	if products, terms := tr.Model.Products(); products == 0 || terms == 0 {
		t.Errorf("a router that gets a second program learns %d products and %d terms", products, terms)
	}
}

// Training leaves what was pruned at 0, but for the constants of the biases: one that happens to be 0 is not pruned.
func TestPrunedStaysPruned(t *testing.T) {
	m, set, tauH := manyStates(t, 3)
	selectFrom(t, m, set, tauH, 5, 1)
	clear(m.w.named.bias[:3])
	tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
	if _, err := tr.Epoch(t.Context(), []Dataset{set}, dense.Vector(tauH), 0, nil); err != nil {
		t.Fatal(err)
	}
	if products, terms := m.Products(); products > 5 || terms > 1 {
		t.Errorf("%d products and %d terms after training, want 5 and 1 at most", products, terms)
	}
	if n := &m.w.named; count(n.bias[:3]) != 3 {
		t.Errorf("constants %v, want all of them trained", n.bias[:3])
	}
}

// A router that has few products already keeps these, and what it says, when as many are selected from all.
func TestSelectFindsWhatIsThere(t *testing.T) {
	m, set, tauH := manyStates(t, 3)
	n := &m.w.named
	clear(n.products)
	clear(n.bias[3:])
	F1 := len(n.scale) + 1
	want := []int{2, 5*F1 + 60, 8*F1 + 30, 11*F1 + 40, 20*F1 + F1 - 1}
	for i, p := range want {
		n.products[p] = 0.5 + 0.1*float32(i)
	}
	n.bias[7*3+1] = -0.4
	before := all(t, m, set, tauH)
	selectFrom(t, m, set, tauH, len(want), 1)
	var got []int
	for p, v := range n.products {
		if v != 0 {
			got = append(got, p)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("products %v, want %v", got, want)
	}
	if b := n.bias[7*3+1]; math.Abs(float64(b)+0.4) > 0.02 {
		t.Errorf("the term of a bias is %v, want about -0.4", b)
	}
	after := all(t, m, set, tauH)
	for i, w := range floats(after.W) {
		if math.Abs(float64(w-floats(before.W)[i])) > 0.01 {
			t.Fatalf("weight %d is %v, was %v", i, w, floats(before.W)[i])
		}
	}
}

// The products that are selected change the weights less than the largest products do, whose values stay as they are.
func TestSelectBeatsSize(t *testing.T) {
	m, set, tauH := manyStates(t, 3)
	n := &m.w.named
	before := slices.Clone(floats(all(t, m, set, tauH).W))
	off := func() (sum float64) {
		for i, w := range floats(all(t, m, set, tauH).W) {
			sum += math.Abs(float64(w - before[i]))
		}
		return sum
	}
	dense := slices.Clone(n.products)
	order := make([]int, len(dense))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return -cmp.Compare(math.Abs(float64(dense[a])), math.Abs(float64(dense[b])))
	})
	for _, p := range order[20:] {
		n.products[p] = 0
	}
	large := off()
	copy(n.products, dense)
	selectFrom(t, m, set, tauH, 20, len(n.bias))
	if selected := off(); selected >= large {
		t.Errorf("20 selected products change the weights by %v, the largest 20 by %v", selected, large)
	}
	if products, _ := m.Products(); products > 20 {
		t.Errorf("%d products, want at most 20", products)
	}
}

// What Select sets to 0 stays 0 in training and in another selection, and the number of cores changes no bit.
func TestSelectStays(t *testing.T) {
	run := func(cores int) *Model {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		m, set, tauH := named(t, 2)
		selectFrom(t, m, set, tauH, 30, 2*m.Config.Programs)
		kept := m.w.named.products
		was := slices.Clone(kept)
		tr := NewTrainer(m, TrainConfig{LR: 1e-2, BatchStates: 8}, 1)
		for e := range 3 {
			if _, err := tr.Epoch(context.Background(), []Dataset{set}, dense.Vector(tauH), e, nil); err != nil {
				t.Fatal(err)
			}
		}
		selectFrom(t, m, set, tauH, 10, m.Config.Programs)
		for i, v := range kept {
			if v != 0 && was[i] == 0 {
				t.Fatalf("product %d is back", i)
			}
		}
		if products, terms := m.Products(); products > 10 || terms > 2 {
			t.Errorf("%d products and %d terms, want at most 10 and 2", products, terms)
		}
		return m
	}
	one, two := run(1), run(2)
	if !slices.Equal(one.theta, two.theta) {
		t.Error("another number of cores gives other parameters")
	}
}

// The values of a selection solve the least squares of its columns, and the columns come in the order of gain.
func TestSelectionSolvesLeastSquares(t *testing.T) {
	const P, R = 4, 50
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, R*P), make([]float64, R)
	for i := range R {
		for j := range P {
			x[i*P+j] = r.NormFloat64()
		}
		y[i] = 3*x[i*P+2] - x[i*P] + 0.1*r.NormFloat64()
	}
	s := &selection{
		products: P, M: 0, params: []int{0, 1, 2, 3}, gram: make([]float32, P*P), full: make([]float64, P),
		left: make([]float64, P), gain: make([]float64, P), has: make([]bool, P),
	}
	for a := range P {
		for i := range R {
			s.gain[a] += x[i*P+a] * y[i]
			for b := range P {
				s.gram[a*P+b] += float32(x[i*P+a] * x[i*P+b])
			}
		}
		s.full[a] = float64(s.gram[a*P+a])
		s.left[a] = s.full[a]
	}
	s.take(2, 0)
	if !slices.Equal(s.taken, []int{2, 0}) {
		t.Fatalf("columns %v, want 2 and 0", s.taken)
	}
	for i, want := range []float64{3, -1} {
		if got := s.values()[i]; math.Abs(got-want) > 0.1 {
			t.Errorf("value %d is %v, want about %v", i, got, want)
		}
	}
}
