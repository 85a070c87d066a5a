package contrast

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Entrant is a student of a Lineup.
type Entrant struct {
	Name     string
	Student  *evaluate.Student
	Programs []string // names
	// Teacher says what the student is measured against; nil: its own choices, so that only its leaders are told.
	Teacher     routing.Policy
	TeacherName string
}

// Lineup is several students in the same states.
type Lineup struct {
	Problem   routing.Problem `json:"problem"`
	Instances int             `json:"instances"`
	Nodes     int             `json:"nodes"` // of an instance, a depot not counted
	States    int             `json:"states"`
	Whose     string          `json:"whose"` // solutions, in words
	Portraits []Portrait      `json:"portraits"`
	Pairs     []Pair          `json:"pairs"` // each student with those after it
}

// Portrait is one student in the states of all.
type Portrait struct {
	Name     string   `json:"name"`
	Teacher  string   `json:"teacher,omitempty"`
	Programs []string `json:"programs"`
	evaluate.Reading
}

// Pair is two students whose programs were matched: see agreement.Match.
type Pair struct {
	A       int      `json:"a"` // indices into Portraits
	B       int      `json:"b"`
	Choices Estimate `json:"choices"` // share of states in which both choose the same
	Leaders Estimate `json:"leaders"` // in which their leaders are a matched pair
	Chance  float64  `json:"chance"`  // Leaders if leaders were drawn by lot with the same frequencies
	// Matches are the pairs of programs, those that agree most often first.
	Matches []agreement.Matched `json:"matches"`
}

// LineUp has students of one problem and view decide in the same states: those of their teachers' solutions of the
// instances, or of their own where a student has no teacher. The seed is that of the intervals.
func LineUp(
	ctx context.Context, all []Entrant, insts []routing.Instance, seed uint64, doing func(what string),
) (*Lineup, error) {
	if doing == nil {
		doing = func(string) {}
	}
	policies, whose := walkers(all)
	doing("solving the instances")
	ways, err := common(ctx, policies, insts, nil)
	if err != nil {
		return nil, fmt.Errorf("line up: %w", err)
	}
	line := &Lineup{
		Problem: insts[0].Problem, Instances: len(insts), Nodes: problems.Size(insts[0].Problem, insts[0].N()),
		Whose: whose,
	}
	seen := make([]views, len(all))
	for i, e := range all {
		doing("asking " + e.Name)
		label := e.Teacher
		if label == nil {
			label = AsPolicy(e.Student)
		}
		sh, err := ask(ctx, label, insts, ways)
		if err != nil {
			return nil, fmt.Errorf("line up: %s: %w", e.Name, err)
		}
		if seen[i], err = view(ctx, e.Student, sh); err != nil {
			return nil, fmt.Errorf("line up: %s: %w", e.Name, err)
		}
		line.Portraits = append(line.Portraits, Portrait{
			Name: e.Name, Teacher: e.TeacherName, Programs: e.Programs, Reading: seen[i].reading,
		})
	}
	line.States = seen[0].sh.States()
	for a := range all {
		for b := a + 1; b < len(all); b++ {
			line.Pairs = append(line.Pairs, match(a, b, seen[a], seen[b], seed))
		}
	}
	return line, nil
}

// walkers returns whose solutions the states are of: each teacher once, and the students without one.
func walkers(all []Entrant) (policies []routing.Policy, whose string) {
	names, teachers, students := map[string]bool{}, false, false
	for _, e := range all {
		switch {
		case e.Teacher == nil:
			policies, students = append(policies, AsPolicy(e.Student)), true
		case !names[e.TeacherName]:
			names[e.TeacherName] = true
			policies, teachers = append(policies, e.Teacher), true
		}
	}
	switch {
	case teachers && students:
		return policies, "the teachers and of the students without one"
	case teachers:
		return policies, "the teachers"
	}
	return policies, "the students themselves"
}

// views is what a student does in the states of a shard.
type views struct {
	sh      *rollout.Shard
	reading evaluate.Reading
	evaluate.Decided
}

func view(ctx context.Context, s *evaluate.Student, sh *rollout.Shard) (views, error) {
	set, err := s.Programs.Score(ctx, sh)
	if err != nil {
		return views{}, err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return views{}, err
	}
	decided, err := evaluate.Decide(ctx, s.Model, s.Programs.Bank, set)
	return views{sh, reading, decided}, err
}

// match pairs the programs of two students, and compares their leaders.
func match(a, b int, x, y views, seed uint64) Pair {
	pairs, _ := paired(x.sh, y.sh)
	pick := func(of []int32, which int) []int32 {
		out := make([]int32, len(pairs))
		for i, p := range pairs {
			out[i] = of[p.of(which)]
		}
		return out
	}
	programs := func(v views, which int) (all [][]int32) {
		for _, first := range v.Firsts {
			all = append(all, pick(first, which))
		}
		return all
	}
	out := Pair{A: a, B: b}
	var same []bool
	out.Matches, same, out.Chance = agreement.Leads(
		programs(x, 0), programs(y, 1), pick(x.Leaders, 0), pick(y.Leaders, 1),
	)
	choices, leaders := newSums(x.sh.Instances()), newSums(x.sh.Instances())
	for k, p := range pairs {
		i := x.sh.InstanceOf[x.sh.Traj[p.a]]
		choices.Add(i, bootstrap.Indicator(x.Choices[p.a] == y.Choices[p.b]))
		leaders.Add(i, bootstrap.Indicator(same[k]))
	}
	out.Choices, out.Leaders = choices.estimate(seed), leaders.estimate(seed)
	return out
}
