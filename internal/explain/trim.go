package explain

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/readable"
)

// Trim returns the explanation with at most k candidates a step, for a page. It keeps the student's choice, the
// teacher's, the leader's, and those with the largest probability under any policy: student, teacher or program.
// Numbers are rounded to a thousandth, terms to 4 significant digits. Of reasons and their groups, those are kept that
// Why returns. The receiver is not changed.
func (e *Explanation) Trim(k int) Explanation {
	out := *e
	out.Instance.Coords, out.Instance.Seen = slices.Clone(e.Instance.Coords), rounded(e.Instance.Seen, 1e-5)
	out.Steps = make([]Step, len(e.Steps))
	for i := range e.Steps {
		out.Steps[i] = e.Steps[i].trim(k)
	}
	return out
}

func (s *Step) trim(k int) Step {
	out := *s
	out.Weights, out.Prob, out.Margin = rounded(s.Weights, 1e-4), round(s.Prob, 1e-4), round(s.Margin, 1e-4)
	out.trimReasons()
	if s.Terms != nil {
		terms := s.Terms.rounded()
		out.Terms = &terms
	}
	keep := s.heaviest(k)
	out.LeftOut += len(s.Candidates) - len(keep)
	out.Candidates, out.Chosen = pick(s.Candidates, keep), slices.Index(keep, s.Chosen)
	out.Student, out.Teacher = rounded(pick(s.Student, keep), 1e-3), rounded(pick(s.Teacher, keep), 1e-3)
	out.Programs = make([][]float32, len(s.Programs))
	for m, Vm := range s.Programs {
		out.Programs[m] = rounded(pick(Vm, keep), 1e-3)
	}
	return out
}

// trimReasons drops the groups of reasons where the reasons tell enough, else the reasons.
func (s *Step) trimReasons() {
	why := s.Why()
	if why.Grouped {
		s.Reasons, s.OtherReasons = nil, why.Sum
	} else {
		s.ReasonGroups = nil
	}
	thousandth := func(v float64) float64 { return math.Round(v*1e3) / 1e3 }
	s.Reasons, s.ReasonGroups = slices.Clone(s.Reasons), slices.Clone(s.ReasonGroups)
	for _, kept := range [][]readable.Term{s.Reasons, s.ReasonGroups} {
		for i := range kept {
			kept[i].Weight = thousandth(kept[i].Weight)
		}
	}
	s.OtherReasons = thousandth(s.OtherReasons)
}

// rounded returns the terms with 4 significant digits.
func (t *Terms) rounded() Terms {
	pair := func(p [2]float32) [2]float32 { return [2]float32{significant(p[0]), significant(p[1])} }
	out := Terms{Other: t.Other, Scores: pair(t.Scores), Rest: pair(t.Rest)}
	for _, w := range t.Weights {
		out.Weights = append(out.Weights, TermOfWeight{w.Name, pair(w.Values)})
	}
	return out
}

// significant rounds to 4 significant digits.
func significant(v float32) float32 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', 4, 32), 32)
	if err != nil {
		return v
	}
	return float32(r)
}

// heaviest returns the indices of the candidates that Trim keeps, in increasing order.
func (s *Step) heaviest(k int) []int {
	weight := make([]float32, len(s.Candidates))
	for _, probs := range append([][]float32{s.Student, s.Teacher}, s.Programs...) {
		for i, p := range probs {
			weight[i] = max(weight[i], p)
		}
	}
	order := make([]int, len(weight))
	for i, c := range s.Candidates {
		order[i] = i
		if i == s.Chosen || c == s.TeacherFirst || s.Decided() && c == s.Firsts[s.Leader] {
			weight[i] = 2 // more than any probability
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	order = order[:min(k, len(order))]
	slices.Sort(order)
	return order
}

// pick returns the elements of x at some indices, nil of an empty x.
func pick[T any](x []T, at []int) []T {
	if len(x) == 0 {
		return nil
	}
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}

func rounded(x []float32, unit float64) []float32 {
	out := slices.Clone(x)
	for i, v := range out {
		out[i] = round(v, unit)
	}
	return out
}

// round rounds to a multiple of a unit, which is a power of 10 of at most 1, to the shortest decimal in JSON.
func round(v float32, unit float64) float32 {
	return float32(math.Round(float64(v)/unit) / math.Round(1/unit))
}
