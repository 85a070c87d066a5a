package instances

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// A CSV of points has a line for each node: x, y and, for a CVRP, its demand. The depot of a CVRP is the first. Columns
// are divided by commas, semicolons, tabs or blanks, whichever the first line has. Blank lines and lines that begin
// with # are left out. A first line of names may put the columns in another order, and have columns that only name the
// nodes:
//
//	city,x,y
//	home,3.5,4
//	mill,1,0.25

// Columns of a CSV by the names that a first line gives them.
var (
	placeNames  = []string{"x", "y"}
	demandNames = []string{"demand", "demands", "load"}
	labelNames  = []string{"", "id", "name", "node", "city", "customer", "label"}
	sphereNames = []string{"lat", "lon", "lng", "long", "latitude", "longitude"}
)

// csvRow is a line with content, divided into its fields.
type csvRow struct {
	line   int // from 1
	fields []string
}

// csvLayout says which columns of a CSV hold what; demand is -1 without one. line is its first line with content.
type csvLayout struct{ line, width, x, y, demand int }

// isCSV reports whether a file is a CSV of points: its first line with content holds two numbers or more, or names with
// x and y among them.
func isCSV(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		first := string(line)
		fields := csvFields(first, csvSeparator(first))
		has := func(name string) bool { return slices.Contains(fields, name) }
		switch {
		case len(fields) < 2 || strings.ContainsAny(first, ":\x00"):
			return false
		case has("x") && has("y") || slices.ContainsFunc(sphereNames, has):
			return true
		}
		return !slices.ContainsFunc(fields, func(f string) bool { return !isNumber(f) })
	}
	return false
}

// isColumn reports whether all fields are names that columns of a CSV may have.
func isColumn(fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool {
		return f == "" || !slices.Contains(slices.Concat(placeNames, demandNames, labelNames), f)
	})
}

func isNumber(field string) bool {
	_, err := strconv.ParseFloat(field, 64)
	return err == nil
}

// csvSeparator returns what divides the columns of a line: 0 stands for blanks.
func csvSeparator(line string) byte {
	for _, c := range []byte{';', ',', '\t'} {
		if strings.IndexByte(line, c) >= 0 {
			return c
		}
	}
	return 0
}

// csvFields returns the fields of a line without blanks and quotes around them, in lower case. Package encoding/csv
// takes no blanks around quotes.
func csvFields(line string, separator byte) []string {
	line = strings.ToLower(line)
	if separator == 0 {
		return strings.Fields(line)
	}
	var fields []string
	for {
		end := csvFieldEnd(line, separator)
		fields = append(fields, strings.TrimSpace(strings.Trim(strings.TrimSpace(line[:end]), `"`)))
		if end == len(line) {
			return fields
		}
		line = line[end+1:]
	}
}

// csvFieldEnd returns where the first field of a line ends. A separator in quotes is part of the field.
func csvFieldEnd(line string, separator byte) int {
	from := len(line) - len(strings.TrimLeft(line, " "))
	for strings.HasPrefix(line[from:], `"`) {
		length := strings.IndexByte(line[from+1:], '"')
		if length < 0 { // the quote is a character like any other
			break
		}
		from += length + 2 // another one may follow: "" stands for a quote in quotes
	}
	if i := strings.IndexByte(line[from:], separator); i >= 0 {
		return from + i
	}
	return len(line)
}

// parseCSV reads a CSV of points. The capacity is that of a vehicle, 0 where none is given.
func parseCSV(path, text string, capacity int32) ([]File, error) {
	rows := csvRows(text)
	layout, named, err := csvColumns(rows)
	if err != nil {
		return nil, err
	}
	if named {
		rows = rows[1:]
	}
	in := routing.Instance{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Problem: routing.TSP}
	switch {
	case len(rows) == 0:
		return nil, fmt.Errorf("no points follow the names of line %d", layout.line)
	case capacity < 0:
		return nil, fmt.Errorf("capacity %d: want a whole number above 0", capacity)
	case layout.demand < 0 && capacity != 0:
		return nil, errors.New("a capacity was given, but the points have no demands: want a third column, the demand")
	case layout.demand >= 0 && capacity == 0:
		return nil, errors.New("the points have demands, but no capacity was given: give that of a vehicle by " +
			"--capacity")
	case layout.demand >= 0:
		in.Problem, in.Capacity = routing.CVRP, capacity
	}
	var coords []float64
	for i, r := range rows {
		if len(r.fields) != layout.width {
			return nil, fmt.Errorf("line %d: %d columns, want %d as before", r.line, len(r.fields), layout.width)
		}
		place, err := floats([]string{r.fields[layout.x], r.fields[layout.y]})
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		coords = append(coords, place...)
		if layout.demand < 0 {
			continue
		}
		demand, err := csvDemand(r.fields[layout.demand], i == 0, capacity)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		in.Demand = append(in.Demand, demand)
	}
	f, err := newFile(path, in, coords, Euclidean)
	f.First = 1 - problems.Must(in.Problem).Traits().Depots()
	return []File{f}, err
}

// csvDemand reads a demand. That of the depot is 0, or empty.
func csvDemand(field string, depot bool, capacity int32) (int32, error) {
	if depot && field == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(field, 64)
	switch {
	case err != nil || v != math.Trunc(v) || v < 0:
		return 0, fmt.Errorf("demand %.80q, want a whole number, at least 0", field)
	case depot && v != 0:
		return 0, fmt.Errorf("the first node is the depot: its demand is %v, want 0", v)
	case v > float64(capacity):
		return 0, fmt.Errorf("demand %v, want at most the capacity %d", v, capacity)
	}
	return int32(v), nil
}

// csvRows returns the lines with content.
func csvRows(text string) []csvRow {
	var rows []csvRow
	number, separator := 0, byte(0)
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if rows == nil {
			separator = csvSeparator(line)
		}
		rows = append(rows, csvRow{number, csvFields(line, separator)})
	}
	return rows
}

// csvColumns returns the layout of a CSV with at least one row, and whether its first row names the columns.
func csvColumns(rows []csvRow) (layout csvLayout, named bool, err error) {
	head := rows[0]
	layout = csvLayout{line: head.line, width: len(head.fields), x: 0, y: 1, demand: -1}
	if !slices.ContainsFunc(head.fields, func(f string) bool { return !isNumber(f) && f != "" }) {
		switch {
		case layout.width > 3 || layout.width < 2:
			return layout, false, fmt.Errorf("line %d: %d columns without names, want x, y and, with a capacity, a "+
				"demand; or a first line with names", head.line, layout.width)
		case layout.width == 3 && counts(rows):
			return layout, false, fmt.Errorf("line %d: the first of three columns counts the nodes, it seems: begin "+
				"with a line of names, such as id,x,y", head.line)
		case layout.width == 3:
			layout.demand = 2
		}
		return layout, false, nil
	}
	layout.x, layout.y = -1, -1
	for i, name := range head.fields {
		at := &layout.demand
		switch {
		case name == placeNames[0]:
			at = &layout.x
		case name == placeNames[1]:
			at = &layout.y
		case slices.Contains(labelNames, name):
			continue
		case slices.Contains(sphereNames, name):
			return layout, true, fmt.Errorf("line %d: column %q: policies see a plane, not a sphere; project the "+
				"points to x and y first, or give a TSPLIB file with EDGE_WEIGHT_TYPE GEO", head.line, name)
		case !slices.Contains(demandNames, name):
			return layout, true, fmt.Errorf("line %d: column %.40q is not known, want x, y and, with a capacity, "+
				"demand; columns named id, name, node, city, customer or label are left out", head.line, name)
		}
		if *at >= 0 {
			return layout, true, fmt.Errorf("line %d: column %q appears twice", head.line, name)
		}
		*at = i
	}
	if layout.x < 0 || layout.y < 0 {
		return layout, true, fmt.Errorf("line %d: the columns are %.80q, want x and y among them", head.line,
			strings.Join(head.fields, ", "))
	}
	return layout, true, nil
}

// counts reports whether the first column of at least three rows counts them, from any number on.
func counts(rows []csvRow) bool {
	for i, r := range rows {
		v, err := strconv.ParseFloat(r.fields[0], 64)
		if first, _ := strconv.ParseFloat(rows[0].fields[0], 64); err != nil || v != first+float64(i) {
			return false
		}
	}
	return len(rows) > 2
}
