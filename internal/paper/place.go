package paper

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/teacher"
)

// Result is what was found on the instances of a file, in the paper's terms.
type Result struct {
	Comparison evaluate.Comparison
	Experiment Experiment
	Uniform    bool // the instances may be the paper's: unrounded lengths in the unit square, all of one size

	search  evaluate.Mode
	trained *distilled.Manifest // of the student; nil without one
}

// Placed is a result beside a line of the paper's.
type Placed struct {
	Result
	Differs []string // in what its experiment is not that line's
}

// Label says what stands in the place of the word "paper" in the line of a result.
func (p Placed) Label() string {
	if len(p.Differs) == 0 {
		return "ours"
	}
	return "ours (other " + strings.Join(p.Differs, ", ") + ")"
}

// Place returns the results that stand beneath each of the paper's experiments; -1 holds those whose problem the
// paper's do not have.
func Place(results []Result, paper []Experiment) map[int][]Placed {
	placed := map[int][]Placed{}
	for _, r := range results {
		if r.Uniform {
			at, differs := closest(r.Experiment, paper)
			placed[at] = append(placed[at], Placed{r, differs})
		}
	}
	return placed
}

// largest is the number of nodes of the largest instances that a student of the paper learned from.
const largest = 100

// Of converts the results on the instances of a file to the paper's terms: with a teacher, by a search, and with a
// student if trained is not nil.
func Of(
	files []instances.File, c evaluate.Comparison, of teacher.Info, search evaluate.Mode, trained *distilled.Manifest,
) Result {
	nodes := files[0].Instance.N()
	size := problems.Size(of.Problem, nodes)
	s := Experiment{Arch: of.Arch, Problem: of.Problem, Size: size}
	switch row, ok := s.in(Experiments()); {
	case trained != nil:
		s.Unseen = trained.Nodes != size
	case ok: // there is no student whose training could differ
		s.Unseen = row.Unseen
	default:
		s.Unseen = size > largest
	}
	other := func(f instances.File) bool {
		return f.Instance.N() != nodes || f.Metric != instances.Euclidean || f.Span != 1
	}
	return Result{
		Comparison: c, Experiment: s, Uniform: !slices.ContainsFunc(files, other), search: search, trained: trained,
	}
}

// Words says how a result's experiment relates to the paper's.
func (r Result) Words(paper []Experiment) []string {
	if !r.Uniform {
		return []string{
			"not uniform instances of one size, for which alone the paper has figures; " +
				"costs stand in the file's units.",
		}
	}
	var words []string
	if at, differs := closest(r.Experiment, paper); len(differs) > 0 {
		lacks := fmt.Sprintf("the paper has no %s", r.Experiment)
		if row, ok := r.Experiment.in(paper); ok && row.Unseen {
			lacks = fmt.Sprintf("the paper’s student of %s learned from another size and ours did not", row)
		} else if ok {
			lacks = fmt.Sprintf("the paper’s student of %s learned from this size and ours did not", row)
		}
		words = append(words, fmt.Sprintf("%s; the line above ours, %s, is another %s.", lacks, paper[at],
			strings.Join(differs, " and another ")))
	}
	if r.Experiment.Unseen && r.trained != nil {
		words = append(words, fmt.Sprintf("the student learned from size %d.", r.trained.Nodes))
	}
	for i, row := range r.Comparison.Table.Rows {
		if cut := r.Comparison.Tours[i][r.search].Cut; cut > 0 {
			words = append(words, fmt.Sprintf("the time limit ended the search of %s on %d of %d instances.",
				row.Name, cut, r.Comparison.Table.Instances))
		}
	}
	return words
}

// in returns the first of some experiments with the teacher, the problem and the size of s.
func (s Experiment) in(all []Experiment) (Experiment, bool) {
	i := slices.IndexFunc(all, func(e Experiment) bool {
		return e.Arch == s.Arch && e.Problem == s.Problem && e.Size == s.Size
	})
	if i < 0 {
		return Experiment{}, false
	}
	return all[i], true
}

// Words are the cells of an experiment: the teacher's architecture, the problem and the size.
func (s Experiment) Words() []string {
	return []string{strings.ToUpper(s.Arch), strings.ToUpper(string(s.Problem)), fmt.Sprint(s.Size)}
}

// String joins Words.
func (s Experiment) String() string { return strings.Join(s.Words(), " ") }
