package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
)

// Options says what Compare compares.
type Options struct {
	Modes      []Mode        // in this order; Greedy first, since the student may borrow the teacher's starts
	Heuristics bool          // a row for every program of the student's bank
	Baselines  bool          // rows for the classic constructions
	Reference  bool          // a row for local search, which is near-optimal and slow
	Reading    *Reading      // fills in top-1, unless nil
	Seed       uint64        // of the bootstrap, and of searches
	Limit      time.Duration // of a search on one instance; 0 is none
	// Price, unless nil, is Search.Price of all searches.
	Price func(i int, actions []int32) (float64, error)
	// Rivals, unless nil, returns what was trained on the same data as the student; each has a row. It is asked after
	// the student's rows, so that these are there before rivals are fitted.
	Rivals func() ([]Rival, error)
	// Progress, unless nil, is called with the progress of a policy; its calls do not overlap.
	Progress func(policy string, mode Mode, done, total int)
	// Row, unless nil, is called with each row as soon as its policy has solved the instances.
	Row func(Row)
}

// Comparison holds the results of all policies on the same instances.
type Comparison struct {
	Table   Table
	Tours   []map[Mode]Decoded // of the policy of each row; the teacher's come first, then the student's
	Overlap map[Mode]Overlap   // of teacher's and student's tours; empty without a student
	// [instances] first nodes of the greedy solutions of all policies but the teacher; nil where each policy chose its
	// own
	Starts []int
}

// AddSearch adds the results of a search to the greedy results of the same policies. The search may cover fewer
// instances.
func (c *Comparison) AddSearch(search Comparison) {
	for _, row := range search.Table.Rows {
		for i := range c.Table.Rows {
			if c.Table.Rows[i].Kind == row.Kind && c.Table.Rows[i].Name == row.Name {
				c.Table.Rows[i].MultiStart, c.Table.Rows[i].Searches = row.MultiStart, row.Searches
			}
		}
	}
	for mode, overlap := range search.Overlap {
		c.Overlap[mode] = overlap
	}
}

// Compare decodes insts with the teacher p, the student (nil for none), each program of its bank and the baselines, and
// puts the results into one table. On tours, all policies but the teacher begin their greedy solutions at the node that
// the student's start rule names; without a rule they begin where the teacher begins. With a rule, one more row shows
// the student from the teacher's starts: it separates the rule's share of the gap from the mixture's. With a depot,
// every policy chooses the first customer itself, unless the teacher cannot (POMO): then all begin with customer 1.
func Compare(ctx context.Context, insts []routing.Instance, p routing.Policy, s *Student,
	opt Options) (Comparison, error) {
	if len(insts) == 0 {
		return Comparison{}, fmt.Errorf("compare: no instances")
	}
	c := comparer{insts: insts, opt: opt, out: Comparison{
		Table:   Table{Problem: insts[0].Problem, Instances: len(insts), Seed: opt.Seed},
		Overlap: map[Mode]Overlap{},
	}}
	problem, err := problems.Of(insts[0].Problem)
	if err != nil {
		return Comparison{}, fmt.Errorf("compare: %w", err)
	}
	c.problem = problem
	if t, ok := p.(teacher.Teacher); ok && problem.Traits().Depot && !t.Info().OwnStart {
		c.given = slices.Repeat([]int{1}, len(insts))
	}
	least := insts[0].N()
	for i := range insts {
		c.out.Table.Nodes, least = max(c.out.Table.Nodes, insts[i].N()), min(least, insts[i].N())
	}
	if least < c.out.Table.Nodes {
		c.out.Table.Least = least
	}
	if err := c.run(ctx, p, s); err != nil {
		return Comparison{}, fmt.Errorf("compare: %w", err)
	}
	return c.out, nil
}

type comparer struct {
	insts   []routing.Instance
	problem routing.Definition // of all instances
	opt     Options
	given   []int // [instances] first customers of all policies; nil where each chooses
	out     Comparison
}

func (c *comparer) run(ctx context.Context, p routing.Policy, s *Student) error {
	if err := c.add(ctx, p, Row{Kind: KindTeacher, Name: p.Name()}, c.opt.Modes, c.given); err != nil {
		return err
	}
	teacherStarts, err := c.teacherStarts(ctx, p)
	if err != nil {
		return err
	}
	rule := startrule.None
	if s != nil {
		rule = s.Start
	}
	c.out.Starts = teacherStarts
	if rule != startrule.None {
		c.out.Starts = make([]int, len(c.insts))
		for i := range c.insts {
			c.out.Starts[i] = rule.Start(&c.insts[i])
		}
	}
	c.out.Table.Start = c.startWords(rule)
	if s != nil {
		if err := c.student(ctx, s, rule, teacherStarts); err != nil {
			return err
		}
	}
	if err := c.rivals(ctx); err != nil {
		return err
	}
	if c.opt.Baselines {
		if err := c.baselines(ctx); err != nil {
			return err
		}
	}
	if c.opt.Reference {
		return c.whole(ctx, routing.Construction{Label: rowNearOptimal, Build: c.problem.NearOptimal}, RoleNearOptimal)
	}
	return nil
}

// rivals adds what was trained on the same data as the student.
func (c *comparer) rivals(ctx context.Context) error {
	if c.opt.Rivals == nil {
		return nil
	}
	rivals, err := c.opt.Rivals()
	if err != nil {
		return err
	}
	for _, r := range rivals {
		row := Row{Kind: KindBaseline, Name: r.Name, Role: r.Role, Top1: &r.Fidelity.Top1}
		if err := c.add(ctx, r.Policy, row, c.opt.Modes, c.out.Starts); err != nil {
			return err
		}
	}
	return nil
}

// teacherStarts returns the first nodes that the teacher chooses on tours, which others may use as well. With a depot
// it returns those that are given, or nil.
func (c *comparer) teacherStarts(ctx context.Context, p routing.Policy) ([]int, error) {
	if c.problem.Traits().Depot || !c.oneStart() {
		return c.given, nil
	}
	d, ok := c.out.Tours[0][Greedy]
	if !ok {
		var err error
		if d, err = c.decode(ctx, p, p.Name(), Greedy, nil); err != nil {
			return nil, err
		}
	}
	return d.Starts(), nil
}

// oneStart reports whether some mode begins at one node and not at every node.
func (c *comparer) oneStart() bool {
	return slices.ContainsFunc(c.opt.Modes, func(m Mode) bool { return m != MultiStart && m != Aug8 })
}

// student adds the student's rows and those of its programs.
func (c *comparer) student(ctx context.Context, s *Student, rule startrule.Rule, teacherStarts []int) error {
	own := Row{Kind: KindStudent, Name: s.Name(), Role: RoleMixed}
	if s.Model.Config.Routing == student.Hard {
		own.Role = RoleOneRule
	}
	if r := c.opt.Reading; r != nil {
		own.Top1 = &r.Fidelity.Top1
	}
	if err := c.add(ctx, s, own, c.opt.Modes, c.out.Starts); err != nil {
		return err
	}
	for _, mode := range c.opt.Modes {
		c.out.Overlap[mode] = overlaps(c.out.Tours[0][mode].Tours, c.out.Tours[1][mode].Tours, c.opt.Seed)
	}
	if rule != startrule.None && c.greedy() {
		row := Row{Kind: KindStudent, Name: rowTeacherStart, Role: RoleTeacherStart}
		err := c.add(ctx, s, row, []Mode{Greedy}, teacherStarts)
		if err != nil {
			return err
		}
	}
	if err := c.otherRouting(ctx, s); err != nil {
		return err
	}
	if !c.opt.Heuristics {
		return nil
	}
	for m, single := range s.Programs.Singles(rule) {
		row := Row{Kind: KindHeuristic, Name: single.Name()}
		if r := c.opt.Reading; r != nil {
			row.Top1 = &r.Fidelity.Heuristics[m].Top1
		}
		if err := c.add(ctx, single, row, c.opt.Modes, c.out.Starts); err != nil {
			return err
		}
		nature, err := s.Programs.Bank.Heuristics[m].Nature()
		if err != nil {
			return fmt.Errorf("program %s: %w", single.Name(), err)
		}
		c.out.Table.Rows[len(c.out.Table.Rows)-1].Nature = &nature
	}
	return nil
}

// otherRouting adds the greedy row of the same student with the other routing: the price of one rule a step.
func (c *comparer) otherRouting(ctx context.Context, s *Student) error {
	if !c.greedy() {
		return nil
	}
	other, how, row := *s, student.Hard, Row{Kind: KindStudent, Name: rowHard, Role: RoleOneRule}
	if s.Model.Config.Routing == student.Hard {
		how, row.Name, row.Role = student.Soft, rowSoft, RoleMixed
	}
	other.Model = s.Model.Routed(how)
	if r := c.opt.Reading; r != nil {
		row.Top1 = &r.Fidelity.Hard
		if how == student.Soft {
			row.Top1 = &r.Fidelity.Mixed
		}
	}
	return c.add(ctx, &other, row, []Mode{Greedy}, c.out.Starts)
}

// baselines adds the classic constructions.
func (c *comparer) baselines(ctx context.Context) error {
	row := Row{Kind: KindBaseline, Name: rowNearest, Role: RoleClassic}
	if r := c.opt.Reading; r != nil {
		row.Top1 = &r.NearestTop1
	}
	if err := c.add(ctx, problems.NearestNeighbour{}, row, c.opt.Modes, c.out.Starts); err != nil {
		return err
	}
	for _, method := range c.problem.Constructions() {
		if err := c.whole(ctx, method, RoleClassic); err != nil {
			return err
		}
	}
	return nil
}

// whole adds a method that builds whole solutions. No search can ask it for steps, so it has a result in the first mode
// only.
func (c *comparer) whole(ctx context.Context, method routing.Construction, role Role) error {
	row := Row{Kind: KindBaseline, Name: method.Label, Role: role}
	return c.add(ctx, problems.Construction(method), row, c.opt.Modes[:1], nil)
}

func (c *comparer) greedy() bool { return slices.Contains(c.opt.Modes, Greedy) }

// add decodes with a policy and appends its row, which has no costs yet. The teacher's row is the first; all others are
// compared with it.
func (c *comparer) add(ctx context.Context, p routing.Policy, row Row, modes []Mode, starts []int) error {
	tours := map[Mode]Decoded{}
	c.out.Tours = append(c.out.Tours, tours)
	for _, mode := range modes {
		d, err := c.decode(ctx, p, row.Name, mode, starts)
		if err != nil {
			return err
		}
		tours[mode] = d
		row.setCosting(mode, costing(d.Costs, c.out.Tours[0][mode].Costs, c.opt.Seed))
	}
	c.out.Table.Rows = append(c.out.Table.Rows, row)
	if c.opt.Row != nil {
		c.opt.Row(row)
	}
	return nil
}

func (c *comparer) decode(
	ctx context.Context, p routing.Policy, name string, mode Mode, starts []int,
) (Decoded, error) {
	var progress func(int)
	if c.opt.Progress != nil {
		progress = func(done int) { c.opt.Progress(name, mode, done, len(c.insts)) }
	}
	search := Search{
		Mode: mode, Starts: starts, Seed: c.opt.Seed, Limit: c.opt.Limit, Price: c.opt.Price, Progress: progress,
	}
	if _, whole := p.(problems.Construction); whole {
		search.Mode, search.Starts = Greedy, nil
	}
	return search.Run(ctx, p, c.insts)
}

// startWords says which first nodes were used.
func (c *comparer) startWords(rule startrule.Rule) string {
	tours := "Greedy tours"
	if !c.greedy() {
		tours = "Tours"
	}
	switch {
	case !c.oneStart():
		return "Every solution is the best of those from all first nodes."
	case c.given != nil:
		return "The first customer is given, the same for everybody."
	case c.problem.Traits().Depot:
		return "Everybody chooses the first customer."
	case rule != startrule.None:
		return tours + " of the teacher begin where it chooses, all others where the start rule says."
	}
	return tours + " begin where the teacher’s do."
}
