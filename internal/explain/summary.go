package explain

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
)

// Summary counts the decisions of an explanation.
type Summary struct {
	Decisions int
	Leaders   []int // [M] decisions that each program led
	Ties      int   // decisions whose leader is ahead by less than routing.Tie
	Nearest   int   // decisions for the nearest candidate
	Outvoted  int   // decisions for another candidate than that of the leader by itself
	Spared    int   // decisions that stay the same without the leader
	Parted    []int // steps at which the teacher would choose otherwise
}

// Summary counts what the steps have in common.
func (e *Explanation) Summary() Summary {
	sum := Summary{Leaders: make([]int, len(e.Student.Programs))}
	for i := range e.Steps {
		s := &e.Steps[i]
		if !s.Decided() {
			continue
		}
		sum.Decisions++
		sum.Leaders[s.Leader]++
		if s.LeaderTie {
			sum.Ties++
		}
		if s.Outvoted() {
			sum.Outvoted++
		}
		if s.WithoutLeader == s.Candidates[s.Chosen] {
			sum.Spared++
		}
		if s.Nearest {
			sum.Nearest++
		}
		if s.Parts() {
			sum.Parted = append(sum.Parted, s.Step)
		}
	}
	return sum
}

// Node returns the number that the file gives to a node or a candidate: "12", or "0→12" for customer 12 by way of the
// depot.
func (e *Explanation) Node(c int32) string {
	node, via := routing.Via(int(c), len(e.Instance.Seen)/2)
	text := strconv.Itoa(node + e.Instance.First)
	if via {
		text = strconv.Itoa(e.Instance.First) + "→" + text
	}
	return text
}

// Outvoted says whether the leader by itself would choose another candidate: the other programs decided. It happens
// where programs are mixed.
func (s *Step) Outvoted() bool { return s.Decided() && s.Firsts[s.Leader] != s.Candidates[s.Chosen] }

// Vote is by how much a program speaks for the student's choice and against another candidate k: w_m·(V_m(choice) -
// V_m(k)). The sum over all programs is the difference of both in π_S (Eq. 5).
type Vote struct {
	Program int
	For     float64
}

// Votes returns the votes of all programs between the choice and the leader's own, the largest first.
func (s *Step) Votes() []Vote {
	other := slices.Index(s.Candidates, s.Firsts[s.Leader])
	votes := make([]Vote, len(s.Programs))
	for m, Vm := range s.Programs {
		votes[m] = Vote{m, float64(s.Weights[m]) * float64(Vm[s.Chosen]-Vm[other])}
	}
	slices.SortStableFunc(votes, func(a, b Vote) int { return cmp.Compare(b.For, a.For) })
	return votes
}

// Taken returns the candidate that a decision takes: the student's choice or, along the teacher's solution, the
// teacher's.
func (e *Explanation) Taken(s *Step) int32 {
	if e.Along && s.Parts() {
		return s.TeacherFirst
	}
	return s.Candidates[s.Chosen]
}

// Choosers returns the programs that would take a candidate by themselves.
func (s *Step) Choosers(c int32) []int {
	var all []int
	for m, first := range s.Firsts {
		if first == c {
			all = append(all, m)
		}
	}
	return all
}

// Why is what of a step's reasons is shown.
type Why struct {
	Sum     float64         // of all reasons: the logarithm of the ratio of the two largest weights
	Shown   []readable.Term // reasons or, where these tell too little, groups of reasons
	Grouped bool            // they are groups
	Others  float64         // sum of what is not shown
}

// Tells says whether what is shown makes up at least half of the whole.
func (w Why) Tells() bool { return math.Abs(w.Others) <= math.Abs(w.Sum)/2 }

// Why returns a step's reasons where they tell at least half of the whole, and else its groups of reasons.
func (s *Step) Why() Why {
	w := Why{Sum: s.OtherReasons, Shown: s.Reasons, Others: s.OtherReasons}
	for _, r := range s.Reasons {
		w.Sum += r.Weight
	}
	if w.Tells() || len(s.ReasonGroups) == 0 {
		return w
	}
	w.Shown, w.Grouped, w.Others = s.ReasonGroups, true, w.Sum
	for _, g := range s.ReasonGroups {
		w.Others -= g.Weight
	}
	return w
}

// Opinion is a candidate with the programs that would take it.
type Opinion struct {
	Candidate int32
	Programs  []int
}

// Opinions returns what the programs would choose by themselves at a decision, other than one candidate. The candidate
// that most of them would take is the first; among equals it is that of the first program.
func (s *Step) Opinions(taken int32) []Opinion {
	var all []Opinion
	for m, c := range s.Firsts {
		if c == taken {
			continue
		}
		at := slices.IndexFunc(all, func(o Opinion) bool { return o.Candidate == c })
		if at < 0 {
			all, at = append(all, Opinion{Candidate: c}), len(all)
		}
		all[at].Programs = append(all[at].Programs, m)
	}
	slices.SortStableFunc(all, func(a, b Opinion) int { return cmp.Compare(len(b.Programs), len(a.Programs)) })
	return all
}
