package terminal_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/terminal"
)

// TestTable: columns go on beneath a row without them, cells line up by characters, and no cell can break a line.
func TestTable(t *testing.T) {
	for name, c := range map[string]struct {
		table terminal.Table
		want  string
	}{
		"left": {terminal.Table{}, "policy   τ_h\nx\\ny     0.5   note\nlast\nlonger   1\n"},
		"right": {terminal.Table{Right: true, Gap: 2},
			"  policy  τ_h\n    x\\ny  0.5  note\n    last\n  longer    1\n"},
	} {
		c.table.Row("policy", "τ_h")
		c.table.Row("x\ny", "0.5", "note")
		c.table.Row("last")
		c.table.Row("longer", "1")
		var got strings.Builder
		if err := c.table.Fprint(&got); err != nil {
			t.Fatal(err)
		}
		if got.String() != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got.String(), c.want)
		}
	}
	var empty strings.Builder
	if err := new(terminal.Table).Fprint(&empty); err != nil || empty.Len() > 0 {
		t.Errorf("an empty table prints %q (%v)", empty.String(), err)
	}
}
