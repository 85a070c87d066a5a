package instances

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// known are the sections that instances of all problems may have. A section that is neither here nor in the
// library.sections of its problem would change the problem, or is misspelt.
var known = []string{"NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION"}

// limits are the fields that would make another problem of an instance.
var limits = []string{"DISTANCE", "SERVICE_TIME", "VEHICLES", "EDGE_DATA_FORMAT"}

// optimal finds the optimum or best known value that CVRPLIB's comments give.
var optimal = regexp.MustCompile(`(?i)(?:optimal|best)(?: known)?(?: value| solution)?\s*:\s*([0-9]+(?:\.[0-9]+)?)`)

// number finds the first number in a name.
var number = regexp.MustCompile(`[0-9]+`)

// parseTSPLIB reads an instance in the layout of TSPLIB.
func parseTSPLIB(path, text string) ([]File, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	if len(s.fields) == 0 {
		return nil, errors.New("line 1: no TSPLIB file: no line is KEY : VALUE")
	}
	for _, key := range limits {
		if f, ok := s.fields[key]; ok {
			return nil, fmt.Errorf("line %d: %s is not supported", f.line, key)
		}
	}
	kinds := []string{""}
	for _, f := range allFormats {
		kinds = append(kinds, f.library.kind)
	}
	kind, err := s.oneOf("TYPE", append(kinds, "TOUR")...)
	switch {
	case err != nil:
		return nil, err
	case kind == "":
		return nil, errors.New("TYPE is missing")
	case kind == "TOUR":
		return nil, errors.New("a tour without its instance: put it beside NAME.tsp as NAME.opt.tour and read that")
	}
	of := libraryOf(kind)
	for _, key := range slices.Sorted(maps.Keys(s.sections)) {
		if !slices.Contains(known, key) && !slices.Contains(of.library.sections, key) {
			line := s.sections[key].line
			return nil, fmt.Errorf("line %d: section %.80s is not supported with TYPE %s", line, key, kind)
		}
	}
	f, err := s.file(path, of)
	if err != nil {
		return nil, err
	}
	return []File{f}, nil
}

func (s *spec) file(path string, of *formats) (File, error) {
	n, err := s.natural("DIMENSION", 2)
	if err != nil {
		return File{}, err
	}
	in := routing.Instance{Name: s.fields["NAME"].value, Problem: of.problem}
	if in.Name == "" {
		in.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	coords, err := s.coords(n)
	if err != nil {
		return File{}, err
	}
	if err := of.library.read(s, n, &in); err != nil {
		return File{}, err
	}
	metric, err := s.oneOf("EDGE_WEIGHT_TYPE", "", string(Euc2D), string(Ceil2D), string(Att), string(Geo),
		string(Explicit))
	if err != nil {
		return File{}, err
	}
	if metric == "" {
		return File{}, errors.New("EDGE_WEIGHT_TYPE is missing")
	}
	f, err := newFile(path, in, coords, Metric(metric))
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
	f.First = 1 - problems.Must(in.Problem).Traits().Depots() // nodes count from 1, customers too
	// The names of TSPLIB say how many nodes there are.
	if number.FindString(in.Name) == strconv.Itoa(n) {
		f.know(float64(of.library.optima[in.Name]))
	}
	if m := optimal.FindStringSubmatch(s.fields["COMMENT"].value); m != nil && of.library.bestInComment {
		cost, err := floats(m[1:])
		if err != nil {
			return f, fmt.Errorf("line %d: %w", s.fields["COMMENT"].line, err)
		}
		f.know(cost[0])
	}
	return f, nil
}

// coords returns the coordinates of the nodes or, if the file has none, its display coordinates.
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
		return nil, fmt.Errorf("line %d: a matrix without coordinates: policies see coordinates, so "+
			"NODE_COORD_SECTION or DISPLAY_DATA_SECTION is needed", f.line)
	}
	return nil, errors.New("NODE_COORD_SECTION is missing")
}
