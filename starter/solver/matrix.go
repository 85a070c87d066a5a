package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/solver"
)

// solveMatrix solves an instance that is given by distances. Its cost is theirs.
func (f *flags) solveMatrix(ctx context.Context, s *solver.Solver, path string) (solved, error) {
	if f.out != "" {
		return solved{}, errors.New("--out: solutions of matrices are printed by --json only")
	}
	text, err := readAll(path)
	if err != nil {
		return solved{}, err
	}
	rows, err := parseMatrix(text)
	if err != nil {
		return solved{}, err
	}
	if s.Problem == "cvrp" && f.capacity < 1 {
		return solved{}, fmt.Errorf("--capacity %d: a matrix has none, so give that of a vehicle, above 0", f.capacity)
	}
	n := len(rows)
	if n < s.LeastNodes || n > s.MaxNodes {
		return solved{}, fmt.Errorf("it has %d nodes, want %d to %d", n, s.LeastNodes, s.MaxNodes)
	}
	in := solver.Instance{Capacity: f.capacity, Distances: make([]float32, 0, n*n)}
	first := 1
	for i, row := range rows {
		if s.Problem == "cvrp" {
			first = 0
			demand := int32(row[0])
			if float64(demand) != row[0] {
				return solved{}, fmt.Errorf("node %d has demand %v, want a whole number", i+first, row[0])
			}
			in.Demand, row = append(in.Demand, demand), row[1:]
			rows[i] = row
		}
		if len(row) != n {
			return solved{}, fmt.Errorf("node %d has %d distances, want %d, one to each node", i+first, len(row), n)
		}
		for _, d := range row {
			in.Distances = append(in.Distances, float32(d))
		}
	}
	starts, err := f.from(s, n, first)
	if err != nil {
		return solved{}, err
	}
	out := solved{Name: name(path, 0, 1), Nodes: n}
	began := time.Now()
	for i, start := range starts {
		actions, err := s.Solve(ctx, in, start)
		if err != nil {
			return solved{}, err
		}
		cost, last := 0.0, 0 // the depot
		if s.Problem != "cvrp" {
			last = actions[len(actions)-1]
		}
		home := last
		for _, node := range actions {
			cost += rows[last][node]
			last = node
		}
		if cost += rows[last][home]; i == 0 || cost < out.Cost {
			out.Cost, out.Unrounded, out.Actions = cost, cost, actions
		}
	}
	out.Milliseconds = float64(time.Since(began).Microseconds()) / 1000
	return out, nil
}

func readAll(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(path)
}

// parseMatrix reads lines of numbers, which commas, semicolons or blanks divide. There is at least one line, and none
// is empty.
func parseMatrix(text []byte) (rows [][]float64, err error) {
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) { // the mark of some editors
		number++
		fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) })
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		var row []float64
		for _, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %.40q is no number", number, field)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, errors.New("there is no line of distances")
	}
	return rows, nil
}
