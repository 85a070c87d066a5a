package evaluate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

// rolesOf returns the role of each row of a table.
func rolesOf(t Table) (roles []Role) {
	for _, r := range t.Rows {
		roles = append(roles, t.RoleOf(r))
	}
	return roles
}

// A row is what its role says, whatever it is called: neither a program nor a rival nor a student that has the name of
// a classic method is one.
func TestRolesDoNotGoByNames(t *testing.T) {
	table := Table{Problem: routing.CVRP, Rows: []Row{
		{Name: "student, one rule a step", Kind: KindTeacher, Greedy: costs(9, 3)},
		{Name: "student, rules mixed", Kind: KindStudent, Role: RoleOneRule, Greedy: costs(9, 4)},
		{Name: "student", Kind: KindStudent, Role: RoleMixed, Greedy: costs(9, 3.5)},
		{Name: "sweep", Kind: KindHeuristic, Greedy: costs(9, 1)},
		{Name: "sweep", Kind: KindBaseline, Role: RoleTree, Greedy: costs(9, 2)},
		{Name: "route by route", Kind: KindBaseline, Role: RoleClassic, Greedy: costs(9, 5)},
	}}
	if want := []Role{"", RoleOneRule, RoleMixed, "", RoleTree, RoleClassic}; !slices.Equal(rolesOf(table), want) {
		t.Errorf("roles %q, want %q", rolesOf(table), want)
	}
	if best, ok := table.BestClassic(); !ok || best.Name != "route by route" {
		t.Errorf("the best classic method is %+v", best)
	}
}

// Tables of earlier versions have no roles: their rows are known by their names, and the student's own routing by that
// of its other row.
func TestRolesOfOldTables(t *testing.T) {
	for _, tt := range []struct {
		rows string
		want []Role
	}{
		{`{"name":"am","kind":"teacher"},{"name":"student","kind":"student"},
			{"name":"student, teacher’s start","kind":"student"},{"name":"student, rules mixed","kind":"student"},
			{"name":"sweep","kind":"heuristic"},{"name":"best single program","kind":"baseline"},
			{"name":"linear scorer, all features","kind":"baseline"},
			{"name":"neural ranker, same features","kind":"baseline"},
			{"name":"decision tree, 61 leaves","kind":"baseline"},{"name":"nearest neighbour","kind":"baseline"},
			{"name":"sweep","kind":"baseline"},{"name":"farthest insertion","kind":"baseline"},
			{"name":"local search","kind":"baseline"}`,
			[]Role{"", RoleOneRule, RoleTeacherStart, RoleMixed, "", RoleBestProgram, RoleScorer, RoleRanker, RoleTree,
				RoleClassic, RoleClassic, "", RoleNearOptimal}},
		{`{"name":"student","kind":"student"},{"name":"student, one rule a step","kind":"student"}`,
			[]Role{RoleMixed, RoleOneRule}},
		{`{"name":"student","kind":"student"},{"name":"student, one rule a step","kind":"heuristic"}`, []Role{"", ""}},
	} {
		var table Table
		if err := json.Unmarshal([]byte(`{"problem":"cvrp","rows":[`+tt.rows+`]}`), &table); err != nil {
			t.Fatal(err)
		}
		if got := rolesOf(table); !slices.Equal(got, tt.want) {
			t.Errorf("%s: roles %q, want %q", tt.rows, got, tt.want)
		}
		if again, err := json.Marshal(table); err != nil || strings.Contains(string(again), `"role"`) {
			t.Errorf("an old table is written with roles: %s (%v)", again, err)
		}
	}
}
