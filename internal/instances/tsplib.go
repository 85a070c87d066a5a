package instances

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// spec is a file in TSPLIB's layout: KEY : VALUE lines and sections of numbers (Reinelt, TSPLIB 95).
type spec struct {
	fields   map[string]field
	sections map[string]section
}

type field struct {
	value string
	line  int
}

type section struct {
	line int // of its heading
	rows []row
}

type row struct {
	line   int
	values []string
}

// maxComment is about how many bytes of comments are kept of an instance.
const maxComment = 10_000

// parseSpec splits a file into fields and sections. It refuses a field or section that appears twice.
func parseSpec(text string) (*spec, error) {
	s := &spec{fields: map[string]field{}, sections: map[string]section{}}
	number, current, ended := 0, "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case ended > 0:
			return nil, fmt.Errorf("line %d: text after the EOF of line %d", number, ended)
		case line == "EOF":
			ended = number
		case !isLetter(line[0]):
			if current == "" {
				return nil, fmt.Errorf("line %d: numbers outside of any section", number)
			}
			sec := s.sections[current]
			sec.rows = append(sec.rows, row{number, strings.Fields(line)})
			s.sections[current] = sec
		default:
			key, value, _ := strings.Cut(line, ":")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			if strings.HasSuffix(key, "_SECTION") {
				if old, ok := s.sections[key]; ok {
					return nil, fmt.Errorf("line %d: section %.80s appears twice, first in line %d", number, key,
						old.line)
				}
				current = key
				s.sections[key] = section{line: number}
				continue
			}
			if !strings.Contains(line, ":") {
				return nil, fmt.Errorf("line %d: %.40q is neither KEY : VALUE, a section nor numbers", number, line)
			}
			current = ""
			if old, ok := s.fields[key]; ok {
				if key != "COMMENT" {
					return nil, fmt.Errorf("line %d: %.80s appears twice, first in line %d", number, key, old.line)
				}
				if len(old.value) < maxComment {
					value = old.value + " " + value
				} else {
					value = old.value
				}
			}
			s.fields[key] = field{value, number}
		}
	}
	if ended == 0 && !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("line %d: the file ends within a line and without EOF: it may be truncated", number)
	}
	return s, nil
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// natural returns a field that must be a whole number of at least least.
func (s *spec) natural(key string, least int) (int, error) {
	f, ok := s.fields[key]
	if !ok {
		return 0, fmt.Errorf("%s is missing", key)
	}
	v, err := strconv.Atoi(f.value)
	if err != nil || v < least || int64(v) > 1<<31-1 {
		return 0, fmt.Errorf("line %d: %s is %.80q, want a whole number of at least %d", f.line, key, f.value, least)
	}
	return v, nil
}

// oneOf returns the value of a field, and refuses one that is not among known. The value of an absent field is
// known[0], which may be empty.
func (s *spec) oneOf(key string, known ...string) (string, error) {
	f, ok := s.fields[key]
	if !ok {
		return known[0], nil
	}
	if slices.Contains(known, f.value) {
		return f.value, nil
	}
	known = slices.DeleteFunc(known, func(k string) bool { return k == "" })
	return "", fmt.Errorf("line %d: %s %.80s is not supported, want one of %s", f.line, key, f.value,
		strings.Join(known, ", "))
}

// numbered returns the values [n,width] of a section, by id, and the line of each id. Every row holds an id from 1 to
// n, each exactly once, and width numbers.
func (s *spec) numbered(key string, n, width int) (values []float64, lines []int, err error) {
	sec, ok := s.sections[key]
	if !ok {
		return nil, nil, fmt.Errorf("%s is missing", key)
	}
	if len(sec.rows) < n {
		return nil, nil, fmt.Errorf("line %d: %s has %d rows, DIMENSION says %d: the file may be truncated", sec.line,
			key, len(sec.rows), n)
	}
	values, lines = make([]float64, n*width), make([]int, n)
	for _, r := range sec.rows {
		if len(r.values) != width+1 {
			return nil, nil, fmt.Errorf("line %d: %d numbers in %s, want an id and %d", r.line, len(r.values), key,
				width)
		}
		id, err := strconv.Atoi(r.values[0])
		if err != nil || id < 1 || id > n {
			return nil, nil, fmt.Errorf("line %d: id %.80q in %s, want 1..%d", r.line, r.values[0], key, n)
		}
		if lines[id-1] != 0 {
			return nil, nil, fmt.Errorf("line %d: id %d appears twice in %s, first in line %d", r.line, id, key,
				lines[id-1])
		}
		lines[id-1] = r.line
		row, err := floats(r.values[1:])
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		copy(values[(id-1)*width:], row)
	}
	return values, lines, nil
}

// matrix returns the symmetric matrix of EDGE_WEIGHT_SECTION, [n,n].
func (s *spec) matrix(n int) ([]float64, error) {
	const key = "EDGE_WEIGHT_SECTION"
	sec, ok := s.sections[key]
	if !ok {
		return nil, fmt.Errorf("%s is missing", key)
	}
	format, err := s.oneOf("EDGE_WEIGHT_FORMAT", "", "FULL_MATRIX", "UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW",
		"LOWER_DIAG_ROW",
		"UPPER_COL", "LOWER_COL", "UPPER_DIAG_COL", "LOWER_DIAG_COL")
	if err != nil {
		return nil, err
	}
	if format == "" {
		return nil, fmt.Errorf("line %d: EDGE_WEIGHT_FORMAT is missing", sec.line)
	}
	// The columns of the upper triangle are the rows of the lower one, and the other way round.
	format = map[string]string{"UPPER_COL": "LOWER_ROW", "LOWER_COL": "UPPER_ROW",
		"UPPER_DIAG_COL": "LOWER_DIAG_ROW", "LOWER_DIAG_COL": "UPPER_DIAG_ROW"}[format] + format
	var values []float64
	var lines []int
	for _, r := range sec.rows {
		v, err := floats(r.values)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		for range v {
			lines = append(lines, r.line)
		}
		values = append(values, v...)
	}
	want := n * (n - 1) / 2
	switch {
	case strings.HasPrefix(format, "FULL"):
		want = n * n
	case strings.Contains(format, "DIAG"):
		want += n
	}
	if len(values) != want {
		return nil, fmt.Errorf("line %d: %s has %d numbers, %d nodes need %d: the file may be truncated", sec.line, key,
			len(values), n, want)
	}
	m := make([]float64, n*n)
	k := 0
	for i := range n {
		from, to := 0, n
		switch {
		case strings.HasPrefix(format, "UPPER_ROW"):
			from = i + 1
		case strings.HasPrefix(format, "UPPER_DIAG_ROW"):
			from = i
		case strings.HasPrefix(format, "LOWER_ROW"):
			to = i
		case strings.HasPrefix(format, "LOWER_DIAG_ROW"):
			to = i + 1
		}
		for j := from; j < to; j++ {
			v := values[k]
			if v < 0 {
				return nil, fmt.Errorf("line %d: weight %v of edge (%d,%d) is negative", lines[k], v, i+1, j+1)
			}
			if v > largest {
				return nil, fmt.Errorf("line %d: weight %v of edge (%d,%d), want %v at most", lines[k], v, i+1, j+1,
					largest)
			}
			if want == n*n && j < i && m[j*n+i] != v {
				return nil, fmt.Errorf("line %d: the matrix is not symmetric: (%d,%d) is %v, (%d,%d) is %v", lines[k],
					i+1, j+1, v, j+1, i+1, m[j*n+i])
			}
			m[i*n+j] = v
			if want != n*n {
				m[j*n+i] = v
			}
			k++
		}
	}
	return m, nil
}
