package explain

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/internal/routing"
)

// Summary counts the decisions of an explanation.
type Summary struct {
	Decisions int
	Leaders   []int // [M] decisions that each program led
	Ties      int   // decisions whose leader is ahead by less than NearTie
	Nearest   int   // decisions for the nearest candidate
	Agree     int   // choices of programs by themselves, over all decisions, that are the student's
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
		sum.Agree += s.Agree
		if s.LeaderTie {
			sum.Ties++
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

// Opinion is a candidate with the programs that would take it.
type Opinion struct {
	Candidate int32
	Programs  []int
}

// Opinions returns what the programs would choose by themselves at a decision, other than the student's choice. The
// candidate that most of them would take is the first; among equals it is that of the first program.
func (s *Step) Opinions() []Opinion {
	var all []Opinion
	for m, c := range s.Firsts {
		if c == s.Candidates[s.Chosen] {
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
