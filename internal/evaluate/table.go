package evaluate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// Kind says what a row of a Table stands for.
type Kind string

// The kinds of rows.
const (
	KindTeacher   Kind = "teacher"
	KindStudent   Kind = "student"
	KindHeuristic Kind = "heuristic" // one program of the bank, alone
	KindBaseline  Kind = "baseline"
)

// Costing is one policy's result in one decode mode.
type Costing struct {
	Cost bootstrap.Summary `json:"cost"`
	Gap  bootstrap.Gap     `json:"gap"` // to the teacher in the same mode
}

// costing summarises a policy's costs and its gap to the teacher's costs on the same instances. The seed is the
// bootstrap's.
func costing(costs, teacher []float64, seed uint64) *Costing {
	return &Costing{Cost: bootstrap.Summarise(costs, seed), Gap: bootstrap.GapTo(costs, teacher, seed)}
}

// Row is one policy of a Table.
type Row struct {
	Name       string            `json:"name"`
	Kind       Kind              `json:"kind"`
	Role       Role              `json:"role,omitempty"` // ask Table.RoleOf: old tables have none
	Greedy     *Costing          `json:"greedy,omitempty"`
	MultiStart *Costing          `json:"multistart,omitempty"`
	Searches   map[Mode]*Costing `json:"searches,omitempty"` // in other modes
	// agreement with the teacher's top action on the test shard, in [0,1]; nil where the policy has no opinion per
	// state
	Top1 *float64 `json:"top1,omitempty"`
	// Nature is the class, cost and size of a program; nil for other rows, and in tables before it existed.
	Nature *bank.Nature `json:"nature,omitempty"`
}

// Costing returns the result in a mode, nil if there is none.
func (r Row) Costing(mode Mode) *Costing {
	switch mode {
	case Greedy:
		return r.Greedy
	case MultiStart:
		return r.MultiStart
	}
	return r.Searches[mode]
}

func (r *Row) setCosting(mode Mode, score *Costing) {
	switch mode {
	case Greedy:
		r.Greedy = score
	case MultiStart:
		r.MultiStart = score
	default:
		if r.Searches == nil {
			r.Searches = map[Mode]*Costing{}
		}
		r.Searches[mode] = score
	}
}

// Priced returns the table with other costs of the same solutions in a mode. costs[i] holds the costs of row i's
// instances, nil where the row has none. It fails where the teacher's cost is 0, since no gap to that exists.
func (t Table) Priced(mode Mode, costs [][]float64) (Table, error) {
	if slices.Contains(costs[0], 0) {
		return Table{}, errors.New("a solution of the teacher costs 0, to which there is no gap")
	}
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		if costs[i] == nil {
			continue
		}
		row := &t.Rows[i]
		row.Searches = maps.Clone(row.Searches)
		row.setCosting(mode, costing(costs[i], costs[0], t.Seed))
	}
	return t, nil
}

// Table compares policies on the same instances.
type Table struct {
	Problem   routing.Problem `json:"problem"`
	Instances int             `json:"instances"`
	Nodes     int             `json:"nodes"`                 // of the largest instance, with the depot
	Least     int             `json:"least_nodes,omitempty"` // of the smallest; 0 where all are of one size
	Start     string          `json:"start"`                 // which first node greedy decoding used, in words
	Seed      uint64          `json:"seed"`                  // of the bootstrap
	Rows      []Row           `json:"rows"`
}

// Sizes says how large the instances are, such as "50 customers".
func (t Table) Sizes() string {
	largest, least := t.Nodes, t.Least
	if p, err := problems.Of(t.Problem); err == nil && p.Traits().Depot {
		largest, least = largest-1, least-1
	}
	if t.Least == 0 {
		return problems.Sized(t.Problem, largest)
	}
	return fmt.Sprintf("%d to %s", least, problems.Sized(t.Problem, largest))
}

// Modes returns the modes in which any row has a result: Greedy, MultiStart, then the others by name.
func (t Table) Modes() []Mode {
	var modes, others []Mode
	for _, mode := range []Mode{Greedy, MultiStart} {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Costing(mode) != nil }) {
			modes = append(modes, mode)
		}
	}
	for _, r := range t.Rows {
		others = slices.AppendSeq(others, maps.Keys(r.Searches))
	}
	slices.Sort(others)
	return append(modes, slices.Compact(others)...)
}

// Tested returns how many instances a mode was tested on: a search may have fewer than the table. It is 0 where no row
// has a result.
func (t Table) Tested(mode Mode) int {
	for _, r := range t.Rows {
		if s := r.Costing(mode); s != nil {
			return s.Cost.N
		}
	}
	return 0
}

// Fewer returns the modes that were tested on fewer instances than the table has, each on the first ones.
func (t Table) Fewer() []Mode {
	return slices.DeleteFunc(t.Modes(), func(m Mode) bool { return t.Tested(m) == t.Instances })
}

// Find returns the first row of a kind, and whether there is one.
func (t Table) Find(kind Kind) (Row, bool) {
	for _, r := range t.Rows {
		if r.Kind == kind {
			return r, true
		}
	}
	return Row{}, false
}

// BestHeuristic returns the single heuristic with the lowest greedy cost, and whether there is one.
func (t Table) BestHeuristic() (Row, bool) {
	return t.cheapest(func(r Row) bool { return r.Kind == KindHeuristic })
}

// cheapest returns the row of the lowest greedy cost among those that are right, and whether there is one.
func (t Table) cheapest(right func(Row) bool) (best Row, found bool) {
	for _, r := range t.Rows {
		if r.Greedy != nil && right(r) && (!found || r.Greedy.Cost.Mean < best.Greedy.Cost.Mean) {
			best, found = r, true
		}
	}
	return best, found
}

// BestClassic returns the classic construction with the lowest greedy cost, and whether there is one. Rivals that were
// fitted to the teacher's decisions are none.
func (t Table) BestClassic() (Row, bool) {
	return t.cheapest(func(r Row) bool { return t.RoleOf(r) == RoleClassic })
}

// WithBestProgram returns the table with one more row before the baselines: the single program with the lowest greedy
// cost. Since it is the best on these very instances, no choice made beforehand can do better. Without programs the
// table is unchanged.
func (t Table) WithBestProgram() Table {
	best, ok := t.BestHeuristic()
	if !ok {
		return t
	}
	best.Name, best.Kind, best.Role = rowBestProgram, KindBaseline, RoleBestProgram
	at := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Kind == KindBaseline })
	if at < 0 {
		at = len(t.Rows)
	}
	t.Rows = slices.Insert(slices.Clone(t.Rows), at, best)
	return t
}

// Hardening returns how many points of the greedy gap it costs that one rule decides each step, and whether the table
// has the student with both routings.
func (t Table) Hardening() (points float64, ok bool) {
	hard, one := t.WithRole(RoleOneRule)
	mixed, both := t.WithRole(RoleMixed)
	if !one || !both || hard.Greedy == nil || mixed.Greedy == nil {
		return 0, false
	}
	return hard.Greedy.Gap.Percent - mixed.Greedy.Gap.Percent, true
}
