package paper

import (
	"cmp"
	"math"
)

// closest returns the index of the paper's experiment to compare results in s with: of the same problem, then of a size
// seen or unseen as in s, of the same teacher and of the closest size; -1 if none is of the problem. differs names the
// settings that are not the same.
func closest(s Experiment, paper []Experiment) (at int, differs []string) {
	apart := func(same bool) int {
		if same {
			return 0
		}
		return 1
	}
	at = -1
	compare := func(a, b Experiment) int {
		distance := func(x Experiment) float64 { return math.Abs(math.Log(float64(x.Size) / float64(s.Size))) }
		return cmp.Or(apart(a.Unseen == s.Unseen)-apart(b.Unseen == s.Unseen),
			apart(a.Arch == s.Arch)-apart(b.Arch == s.Arch),
			cmp.Compare(distance(a), distance(b)))
	}
	for i, p := range paper {
		if p.Problem == s.Problem && (at < 0 || compare(p, paper[at]) < 0) {
			at = i
		}
	}
	if at < 0 {
		return at, nil
	}
	for _, d := range []struct {
		same bool
		name string
	}{{paper[at].Arch == s.Arch, "teacher"}, {paper[at].Size == s.Size, "size"},
		{paper[at].Unseen == s.Unseen, "training"}} {
		if !d.same {
			differs = append(differs, d.name)
		}
	}
	return at, differs
}
