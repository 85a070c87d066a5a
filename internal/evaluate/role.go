package evaluate

import (
	"strings"

	"github.com/epb-nco/epb/internal/problems"
)

// Role says what the row of a student or of a baseline stands for. The kind of other rows says it.
type Role string

// The roles.
const (
	RoleMixed        Role = "rules mixed"         // the student that mixes its programs
	RoleOneRule      Role = "one rule a step"     // the student whose leader decides each step alone
	RoleTeacherStart Role = "teacher's start"     // the student, routed as it is, from the teacher's first nodes
	RoleBestProgram  Role = "best single program" // see WithBestProgram
	RoleScorer       Role = "linear scorer"       // these three were fitted to the teacher's decisions: see FitRivals
	RoleRanker       Role = "neural ranker"
	RoleTree         Role = "decision tree"
	RoleClassic      Role = "classic"      // a classic construction
	RoleNearOptimal  Role = "near-optimal" // local search
)

// The names of rows. A table shows them; what a row is does not go by them, but in a table that has no roles.
const (
	rowHard         = "student, one rule a step"
	rowSoft         = "student, rules mixed"
	rowTeacherStart = "student, teacher’s start"
	rowBestProgram  = "best single program"
	rowScorer       = "linear scorer, all features"
	rowRanker       = "neural ranker, same features"
	rowTree         = "decision tree" // its number of leaves follows
	rowNearest      = "nearest neighbour"
	rowNearOptimal  = "local search"
)

// RoleOf returns the role of a row of the table, "" of teachers and programs, and where it is not known. Tables that
// were stored before rows had roles are read by the names of their rows, here and nowhere else.
func (t Table) RoleOf(r Row) Role {
	switch {
	case r.Role != "":
		return r.Role
	case r.Kind == KindStudent:
		return t.studentByName(r.Name)
	case r.Kind == KindBaseline:
		return t.baselineByName(r.Name)
	}
	return ""
}

// studentByName is RoleOf for a student without a role. Its own row has no routing in its name: it is not the routing
// of the other row.
func (t Table) studentByName(name string) Role {
	roles := map[string]Role{rowHard: RoleOneRule, rowSoft: RoleMixed, rowTeacherStart: RoleTeacherStart}
	if role, ok := roles[name]; ok {
		return role
	}
	for _, r := range t.Rows {
		switch {
		case r.Kind != KindStudent:
		case r.Name == rowHard:
			return RoleMixed
		case r.Name == rowSoft:
			return RoleOneRule
		}
	}
	return ""
}

// baselineByName is RoleOf for a baseline without a role.
func (t Table) baselineByName(name string) Role {
	if role, ok := map[string]Role{
		rowBestProgram: RoleBestProgram, rowScorer: RoleScorer, rowRanker: RoleRanker, rowNearest: RoleClassic,
		rowNearOptimal: RoleNearOptimal,
	}[name]; ok {
		return role
	}
	if strings.HasPrefix(name, rowTree) {
		return RoleTree
	}
	if p, err := problems.Of(t.Problem); err == nil {
		for _, c := range p.Constructions() {
			if c.Label == name {
				return RoleClassic
			}
		}
	}
	return ""
}

// WithRole returns the first row of a role, and whether there is one.
func (t Table) WithRole(role Role) (Row, bool) {
	for _, r := range t.Rows {
		if t.RoleOf(r) == role {
			return r, true
		}
	}
	return Row{}, false
}
