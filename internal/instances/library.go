package instances

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// known are the sections that instances may have; others change the problem or are misspelt.
var known = []string{"NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION", "DEMAND_SECTION", "DEPOT_SECTION"}

// limits are fields that would make another problem of an instance.
var limits = []string{"DISTANCE", "SERVICE_TIME", "EDGE_DATA_FORMAT"}

// optimal finds the optimum or best known value that CVRPLIB's comments give.
var optimal = regexp.MustCompile(`(?i)(?:optimal|best)(?: known)?(?: value| solution)?\s*:\s*([0-9]+(?:\.[0-9]+)?)`)

// parseTSPLIB reads a symmetric TSP of TSPLIB or a CVRP of CVRPLIB.
func parseTSPLIB(path, text string) ([]File, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	if len(s.fields) == 0 {
		return nil, errors.New("line 1: no TSPLIB file: no line is KEY : VALUE")
	}
	for key, sec := range s.sections {
		if !slices.Contains(known, key) && key != "TOUR_SECTION" {
			return nil, fmt.Errorf("line %d: section %.80s is not supported", sec.line, key)
		}
	}
	for _, key := range limits {
		if f, ok := s.fields[key]; ok {
			return nil, fmt.Errorf("line %d: %s is not supported", f.line, key)
		}
	}
	kind, err := s.oneOf("TYPE", "", "TSP", "CVRP", "TOUR")
	switch {
	case err != nil:
		return nil, err
	case kind == "":
		return nil, errors.New("TYPE is missing")
	case kind == "TOUR":
		return nil, errors.New("a tour without its instance: put it beside NAME.tsp as NAME.opt.tour and read that")
	}
	f, err := s.file(path, kind)
	if err != nil {
		return nil, err
	}
	return []File{f}, nil
}

func (s *spec) file(path, kind string) (File, error) {
	n, err := s.natural("DIMENSION", 2)
	if err != nil {
		return File{}, err
	}
	in := routing.Instance{Name: s.fields["NAME"].value, Problem: routing.TSP}
	if in.Name == "" {
		in.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	coords, err := s.coords(n)
	if err != nil {
		return File{}, err
	}
	if kind == "CVRP" {
		in.Problem = routing.CVRP
		if in.Demand, in.Capacity, err = s.vehicles(n); err != nil {
			return File{}, err
		}
	} else if sec, ok := s.sections["DEMAND_SECTION"]; ok {
		return File{}, fmt.Errorf("line %d: a TSP with demands", sec.line)
	}
	metric, err := s.oneOf("EDGE_WEIGHT_TYPE", "", string(Euc2D), string(Ceil2D), string(Att), string(Geo), string(Explicit))
	if err != nil {
		return File{}, err
	}
	if metric == "" {
		return File{}, errors.New("EDGE_WEIGHT_TYPE is missing")
	}
	f, err := newFile(path, in, coords, Metric(metric), false)
	if err != nil {
		return f, err
	}
	if f.Metric == Explicit {
		if f.weights, err = s.matrix(n); err != nil {
			return f, err
		}
	} else if sec, ok := s.sections["EDGE_WEIGHT_SECTION"]; ok {
		return f, fmt.Errorf("line %d: edge weights although EDGE_WEIGHT_TYPE is %s", sec.line, metric)
	}
	f.BestKnown = float64(optima[in.Name])
	if m := optimal.FindStringSubmatch(s.fields["COMMENT"].value); m != nil && in.Problem == routing.CVRP {
		cost, err := floats(m[1:])
		if err != nil {
			return f, fmt.Errorf("line %d: %w", s.fields["COMMENT"].line, err)
		}
		f.BestKnown = cost[0]
	}
	return f, nil
}

// coords returns the coordinates of the nodes, or else those to display them at.
func (s *spec) coords(n int) ([]float64, error) {
	if _, err := s.oneOf("NODE_COORD_TYPE", "TWOD_COORDS", "NO_COORDS"); err != nil {
		return nil, err
	}
	if _, ok := s.sections["NODE_COORD_SECTION"]; ok {
		values, _, err := s.numbered("NODE_COORD_SECTION", n, 2)
		return values, err
	}
	if _, ok := s.sections["DISPLAY_DATA_SECTION"]; ok {
		values, _, err := s.numbered("DISPLAY_DATA_SECTION", n, 2)
		return values, err
	}
	if f := s.fields["EDGE_WEIGHT_TYPE"]; f.value == string(Explicit) {
		return nil, fmt.Errorf("line %d: a matrix without coordinates: policies see coordinates, so NODE_COORD_SECTION or DISPLAY_DATA_SECTION is needed", f.line)
	}
	return nil, errors.New("NODE_COORD_SECTION is missing")
}

// vehicles returns the demands and the capacity of a CVRP whose depot is node 1.
func (s *spec) vehicles(n int) ([]int32, int32, error) {
	capacity, err := s.natural("CAPACITY", 1)
	if err != nil {
		return nil, 0, err
	}
	sec, ok := s.sections["DEPOT_SECTION"]
	if !ok {
		return nil, 0, errors.New("DEPOT_SECTION is missing")
	}
	var depots []string
	for _, r := range sec.rows {
		depots = append(depots, r.values...)
	}
	if !slices.Equal(depots, []string{"1", "-1"}) {
		return nil, 0, fmt.Errorf("line %d: DEPOT_SECTION holds %.80q, want 1 and -1: a single depot at the first node", sec.line, strings.Join(depots, " "))
	}
	values, lines, err := s.numbered("DEMAND_SECTION", n, 1)
	if err != nil {
		return nil, 0, err
	}
	demand := make([]int32, n)
	for i, v := range values {
		if demand[i] = int32(v); v < 0 || v > float64(capacity) || float64(demand[i]) != v || i == 0 && v != 0 {
			return nil, 0, fmt.Errorf("line %d: node %d has demand %v, want a whole number up to the capacity %d, and 0 at the depot", lines[i], i+1, v, capacity)
		}
	}
	return demand, int32(capacity), nil
}
