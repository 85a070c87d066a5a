package instances

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems/cvrp"
)

// ParseTour reads a tour in TSPLIB's format (.tour, .opt.tour). Node 1 of the file is action 0. Whether it visits every node of an
// instance is for File.Cost to say.
func ParseTour(name string, data []byte) ([]int32, error) {
	tour, err := parseTour(string(bytes.TrimPrefix(data, byteOrderMark)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return tour, nil
}

func parseTour(text string) ([]int32, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	if _, err := s.oneOf("TYPE", "TOUR"); err != nil {
		return nil, err
	}
	sec, ok := s.sections["TOUR_SECTION"]
	if !ok {
		return nil, errors.New("TOUR_SECTION is missing")
	}
	var tour []int32
	ended, last := false, sec.line
	at := map[int32]int{}
	for _, r := range sec.rows {
		last = r.line
		ids, err := ints(r.values)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
		for _, id := range ids {
			switch {
			case ended:
				return nil, fmt.Errorf("line %d: node %d after the -1 that ends the tour", r.line, id)
			case id == -1:
				ended = true
			case id < 1:
				return nil, fmt.Errorf("line %d: node %d, want at least 1", r.line, id)
			case at[id] != 0:
				return nil, fmt.Errorf("line %d: node %d appears twice, first in line %d", r.line, id, at[id])
			default:
				at[id] = r.line
				tour = append(tour, id-1)
			}
		}
	}
	if !ended {
		return nil, fmt.Errorf("line %d: the tour is not ended by -1: the file may be truncated", last)
	}
	if _, ok := s.fields["DIMENSION"]; ok {
		n, err := s.natural("DIMENSION", 1)
		if err != nil {
			return nil, err
		}
		if n != len(tour) {
			return nil, fmt.Errorf("line %d: the tour has %d nodes, DIMENSION says %d", sec.line, len(tour), n)
		}
	}
	return tour, nil
}

// ParseSolution reads a solution in CVRPLIB's format (.sol): lines Route #k: followed by customers 1..N-1, and a line
// Cost c. It returns the actions in the form of cvrp.JoinRoutes.
func ParseSolution(name string, data []byte) (actions []int32, cost float64, err error) {
	actions, cost, err = parseSolution(string(bytes.TrimPrefix(data, byteOrderMark)))
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", name, err)
	}
	return actions, cost, nil
}

func parseSolution(text string) ([]int32, float64, error) {
	var routes [][]int32
	cost, number, costLine := 0.0, 0, 0
	at := map[int32]int{}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if costLine > 0 {
			return nil, 0, fmt.Errorf("line %d: text after the cost of line %d", number, costLine)
		}
		if value, ok := strings.CutPrefix(strings.ToLower(line), "cost"); ok {
			c, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(value), ":")), 64)
			if err != nil || !(c > 0) {
				return nil, 0, fmt.Errorf("line %d: %.80q, want Cost and a positive number", number, line)
			}
			cost, costLine = c, number
			continue
		}
		head, tail, ok := strings.Cut(line, ":")
		index, isRoute := strings.CutPrefix(strings.ToLower(strings.Join(strings.Fields(head), "")), "route#")
		if k, err := strconv.Atoi(index); !ok || !isRoute || err != nil || k != len(routes)+1 {
			return nil, 0, fmt.Errorf("line %d: %.40q, want Route #%d: and customers, or Cost", number, line, len(routes)+1)
		}
		route, err := ints(strings.Fields(tail))
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		}
		for _, c := range route {
			if c < 1 {
				return nil, 0, fmt.Errorf("line %d: customer %d, want at least 1 (the depot is left out)", number, c)
			}
			if at[c] != 0 {
				return nil, 0, fmt.Errorf("line %d: customer %d appears twice, first in line %d", number, c, at[c])
			}
			at[c] = number
		}
		routes = append(routes, route)
	}
	if costLine == 0 {
		return nil, 0, fmt.Errorf("line %d: no line Cost at the end: the file may be truncated", number)
	}
	if len(routes) == 0 {
		return nil, 0, errors.New("no routes")
	}
	return slices.Clip(cvrp.JoinRoutes(routes)), cost, nil
}
