package ranker

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/parallel"
	"github.com/epb-nco/epb/internal/routing"
)

// Tree is a decision tree (CART, Breiman et al. 1984) that tells a teacher's choice from the other candidates by the
// features of candidate and state. A candidate's score is the logarithm of the share of choices in its leaf. Of
// candidates in one leaf the nearest comes first.
type Tree struct {
	set     *features.Set
	scale   *scale
	nearest int // index of the distance in the set's Node features
	nodes   []treeNode
}

// treeNode is a split, or a leaf if it has no children. The root is node 0.
type treeNode struct {
	feature     int     // of a candidate, or F more than that of a state
	cut         float32 // at scale: values up to it go to the left
	left, right int32   // nodes; 0 in a leaf
	score       float32 // in a leaf
}

// TreeConfig says how large a tree grows.
type TreeConfig struct {
	Leaves int // at most
	Least  int // candidates in a leaf
}

// nearestFirst is what a unit of distance takes off a score: enough to order the candidates of one leaf, and too little
// to matter between leaves.
const nearestFirst = 1e-4

// bins is the number of ranges of equal counts into which the values of a feature are cut. Splits are between them.
const bins = 64

// rows are the candidates that a tree grows on.
type rows struct {
	D      int         // features, F + Z
	edges  [][]float32 // [D] increasing: a value is in the first bin whose edge it does not exceed
	bin    []uint8     // [C,D]
	chosen []bool      // [C] it is the teacher's choice
}

// leaf is a leaf of a growing tree with the best split of it.
type leaf struct {
	node          int32
	rows          []int32
	count, chosen []int32 // [D·bins] of its rows, and of those that are chosen
	gain          float64 // of the best split; 0: there is none
	feature, at   int     // the split: bins up to at go to the left
}

// FitTree grows a tree on the states of a table, all of which must be kept: of all leaves, the one whose best split
// lowers the squared error most is split first. It gives the same tree whatever the number of cores.
func FitTree(ctx context.Context, data *Table, c TreeConfig) (*Tree, error) {
	if c.Leaves < 1 || c.Least < 1 {
		return nil, fmt.Errorf("ranker: a tree of %d leaves with %d candidates each: want at least 1",
			c.Leaves, c.Least)
	}
	if data.kept < data.sh.States() {
		return nil, fmt.Errorf("ranker: the table of a tree keeps %d of %d states: want all", data.kept,
			data.sh.States())
	}
	t := &Tree{set: data.set, scale: data.scale, nodes: make([]treeNode, 1, 2*c.Leaves)}
	t.nearest = data.set.Distance()
	x, err := newRows(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("ranker: %w", err)
	}
	root := &leaf{rows: make([]int32, len(x.chosen))}
	for i := range root.rows {
		root.rows[i] = int32(i)
	}
	x.count(root)
	x.split(root, c.Least)
	leaves := []*leaf{root}
	for len(leaves) < c.Leaves {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := slices.MaxFunc(leaves, func(a, b *leaf) int { return cmp.Compare(a.gain, b.gain) })
		if best.gain <= 0 {
			break
		}
		left, right := x.divide(best)
		n := int32(len(t.nodes))
		left.node, right.node = n, n+1
		t.nodes[best.node] = treeNode{
			feature: best.feature, cut: x.edges[best.feature][best.at], left: n, right: n + 1,
		}
		t.nodes = append(t.nodes, treeNode{}, treeNode{})
		x.split(left, c.Least)
		x.split(right, c.Least)
		leaves[slices.Index(leaves, best)] = left
		leaves = append(leaves, right)
	}
	for _, l := range leaves {
		chosen := 0
		for _, i := range l.rows {
			if x.chosen[i] {
				chosen++
			}
		}
		t.nodes[l.node].score = float32(math.Log((float64(chosen) + 0.5) / (float64(len(l.rows)) + 1)))
	}
	return t, nil
}

// newRows cuts the features of all candidates into bins.
func newRows(ctx context.Context, data *Table) (*rows, error) {
	F, Z := len(data.set.Node), len(data.set.State)
	S := data.sh.States()
	C := int(data.sh.Offset[S])
	x := &rows{D: F + Z, bin: make([]uint8, C*(F+Z)), chosen: make([]bool, C), edges: make([][]float32, F+Z)}
	for s := range S {
		x.chosen[int(data.sh.Offset[s])+agreement.Argmax(data.sh.State(s).Probs)] = true
	}
	parallel.Each(parallel.Workers(x.D), x.D, func(_, j int) { x.edges[j] = edges(data, j, S) })
	return x, parallel.Try(parallel.Workers(parts(S)), parts(S), func(_, i int) error {
		for s := i * fillSpan; s < min((i+1)*fillSpan, S); s++ {
			x.cut(data, s)
		}
		return ctx.Err()
	})
}

// cut puts the features of the candidates of state s into their bins.
func (x *rows) cut(data *Table, s int) {
	F := len(data.set.Node)
	f, z := data.place(s)
	row := x.bin[int(data.sh.Offset[s])*x.D:]
	for ; len(f) > 0; f, row = f[F:], row[x.D:] {
		for j, v := range f[:F] {
			row[j] = binOf(x.edges[j], v)
		}
		for j, v := range z {
			row[F+j] = binOf(x.edges[F+j], v)
		}
	}
}

// binOf returns the first bin whose edge v does not exceed.
func binOf(edges []float32, v float32) uint8 {
	return uint8(sort.Search(len(edges)-1, func(b int) bool { return v <= edges[b] }))
}

// The edges of the bins are computed from about edgeStates states.
const edgeStates = 5_000

// edges returns the upper ends of the bins of feature j, the last of which is infinite.
func edges(data *Table, j, S int) []float32 {
	F := len(data.set.Node)
	var values []float32
	for s := 0; s < S; s += 1 + S/edgeStates {
		f, z := data.place(s)
		if j >= F {
			values = append(values, z[j-F])
			continue
		}
		for ; len(f) > 0; f = f[F:] {
			values = append(values, f[j])
		}
	}
	slices.Sort(values)
	var ends []float32
	for b := 1; b < bins; b++ {
		ends = append(ends, values[b*len(values)/bins])
	}
	return append(slices.Compact(ends), float32(math.Inf(1)))
}

// count fills the counts of a leaf. The counts are whole numbers, so the order of the sums does not matter.
func (x *rows) count(l *leaf) {
	l.count, l.chosen = make([]int32, x.D*bins), make([]int32, x.D*bins)
	workers := parallel.Workers(x.D)
	parallel.Each(workers, workers, func(_, w int) { // each counts a range of the features
		from, to := w*x.D/workers, (w+1)*x.D/workers
		for _, i := range l.rows {
			row, chosen := x.bin[int(i)*x.D:][from:to], x.chosen[i]
			for j, b := range row {
				at := (from+j)*bins + int(b)
				l.count[at]++
				if chosen {
					l.chosen[at]++
				}
			}
		}
	})
}

// split finds the best split of a leaf: the one that lowers the squared error of its share of choices most. Of equal
// ones it is the first.
func (x *rows) split(l *leaf, least int) {
	n, k := int32(len(l.rows)), int32(0)
	for _, c := range l.chosen[:bins] { // every row is in one bin of the first feature
		k += c
	}
	square := func(k, n int32) float64 { return float64(k) * float64(k) / float64(n) }
	whole := square(k, n)
	for j := range x.D {
		var nl, kl int32
		for b := range len(x.edges[j]) - 1 {
			nl, kl = nl+l.count[j*bins+b], kl+l.chosen[j*bins+b]
			if nl < int32(least) || n-nl < int32(least) {
				continue
			}
			if gain := square(kl, nl) + square(k-kl, n-nl) - whole; gain > l.gain+1e-9 {
				l.gain, l.feature, l.at = gain, j, b
			}
		}
	}
}

// divide splits a leaf's rows, and counts those of the smaller part; the other part's counts are the difference.
func (x *rows) divide(l *leaf) (left, right *leaf) {
	left, right = &leaf{}, &leaf{}
	for _, i := range l.rows {
		if int(x.bin[int(i)*x.D+l.feature]) <= l.at {
			left.rows = append(left.rows, i)
		} else {
			right.rows = append(right.rows, i)
		}
	}
	small, large := left, right
	if len(left.rows) > len(right.rows) {
		small, large = right, left
	}
	x.count(small)
	large.count, large.chosen = l.count, l.chosen
	for i := range large.count {
		large.count[i] -= small.count[i]
		large.chosen[i] -= small.chosen[i]
	}
	l.rows = nil
	return left, right
}

// Leaves returns how many leaves the tree has.
func (t *Tree) Leaves() int { return (len(t.nodes) + 1) / 2 }

// Scorer implements Ranker.
func (t *Tree) Scorer() Scorer { return &treeScorer{t: t, reader: t.set.NewReader()} }

type treeScorer struct {
	t      *Tree
	reader *features.Reader
	f, z   []float32
}

// Open implements Scorer.
func (s *treeScorer) Open(inst *routing.Instance) { s.reader.Open(inst) }

// Score implements Scorer.
func (s *treeScorer) Score(at features.Decision, scores []float32) {
	F := len(s.t.set.Node)
	s.f, s.z = dense.Sized(s.f, len(at.Candidates)*F), dense.Sized(s.z, len(s.t.set.State))
	s.reader.Read(at, s.f, s.z)
	s.t.scale.apply(s.f, s.z)
	for k := range scores {
		f := s.f[k*F : (k+1)*F]
		n := &s.t.nodes[0]
		for n.left != 0 {
			v := float32(0)
			if n.feature < F {
				v = f[n.feature]
			} else {
				v = s.z[n.feature-F]
			}
			if v <= n.cut {
				n = &s.t.nodes[n.left]
			} else {
				n = &s.t.nodes[n.right]
			}
		}
		scores[k] = n.score - nearestFirst*f[s.t.nearest]
	}
}
