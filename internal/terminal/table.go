package terminal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is text in columns, each as wide as its widest cell. The zero value is an empty table.
type Table struct {
	Gap   int  // spaces between two columns; 0 means 3
	Right bool // cells end where their column ends, as figures want it; otherwise they begin where it begins
	rows  [][]string
}

// Row adds a row; the first one may be a head. Rows may have fewer cells than others. Cells are printed as Line has
// them, since names come from files.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = Line(cell)
	}
	t.rows = append(t.rows, row)
}

// Fprint prints the table to w, without blanks at the ends of lines.
func (t *Table) Fprint(w io.Writer) error {
	columns := 0
	for _, row := range t.rows {
		columns = max(columns, len(row))
	}
	gap, flags, last := t.Gap, uint(0), ""
	if gap == 0 {
		gap = 3
	}
	if t.Right {
		flags, last = tabwriter.AlignRight, "\t" // tabwriter aligns only what a tab ends
	}
	var text bytes.Buffer
	tw := tabwriter.NewWriter(&text, 0, 0, gap, ' ', flags)
	for _, row := range t.rows {
		missing := make([]string, columns-len(row)) // tabwriter lets a column end at a row without it
		fmt.Fprintln(tw, strings.Join(append(row, missing...), "\t")+last)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
