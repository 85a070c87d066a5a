package instances

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// tspFormats are TSPLIB, LEHD's two text sets, and arrays coords [B,N,2] or, as RL4CO names them, locs.
var tspFormats = formats{
	problem: routing.TSP,
	library: library{
		kind: "TSP", extension: ".tsp", solutions: []string{".opt.tour", ".tour"}, optima: optima,
		read: func(*spec, int, *routing.Instance) error { return nil },
		parseSolution: func(name string, data []byte) ([]int32, float64, error) {
			tour, err := ParseTour(name, data)
			return tour, 0, err
		},
		written: ".tour", writeSolution: writeTour,
	},
	lines: []lineFormat{
		{func(first string) bool { return strings.HasPrefix(first, "['") || strings.HasPrefix(first, `["`) },
			libraryTSP},
		{func(first string) bool { return strings.Contains(first, " output ") }, uniformTSP},
	},
	arrays: arrayFormat{
		holds: func(arrays map[string]array) bool {
			_, coords := arrays["coords"]
			_, locs := arrays["locs"]
			return coords || locs
		},
		read: func(name string, arrays map[string]array) ([]routing.Instance, error) {
			insts, err := named(name, routing.TSP, arrays, nodeArray(arrays))
			if err != nil {
				return nil, err
			}
			locs := arrays[nodeArray(arrays)]
			coords, size := locs.float32s(), 2*locs.Shape[1]
			for i := range insts {
				insts[i].Coords = coords[size*i : size*(i+1) : size*(i+1)]
			}
			return insts, nil
		},
		coordinates: func(arrays map[string]array, i int) []float64 {
			return slices.Clone(placesOf(arrays[nodeArray(arrays)], i))
		},
		write: func(z *zip.Writer, insts []routing.Instance) error {
			var coords []float32
			for i := range insts {
				coords = append(coords, insts[i].Coords...)
			}
			return writeArray(z, "coords", "<f4", coords, len(insts), insts[0].N(), 2)
		},
	},
}

// nodeArray returns the name of the array of the cities.
func nodeArray(arrays map[string]array) string {
	if _, ok := arrays["coords"]; ok {
		return "coords"
	}
	return "locs"
}

// uniformTSP is a line x1 y1 ... xN yN output t1 ... tN t1: a tour that starts at node 1 and returns.
func uniformTSP(source, name, line string) (File, error) {
	left, right, ok := strings.Cut(line, " output ")
	if !ok {
		return File{}, errors.New("truncated: the word output is missing")
	}
	coords, err := floats(strings.Fields(left))
	if err != nil {
		return File{}, err
	}
	n := len(coords) / 2
	tour, err := ints(strings.Fields(right))
	if err != nil {
		return File{}, fmt.Errorf("tour: %w", err)
	}
	if len(coords)%2 != 0 || len(tour) != n+1 || tour[n] != tour[0] {
		return File{}, fmt.Errorf("%d coordinate values and a tour of %d nodes, want 2N and N+1 with the first node "+
			"again at the end", len(coords), len(tour))
	}
	f, err := newFile(source, routing.Instance{Name: name, Problem: routing.TSP}, coords, Euclidean)
	if err != nil {
		return f, err
	}
	for i := range tour {
		tour[i]--
	}
	err = f.setReference(tour[:n], 0)
	return f, err
}

// libraryTSP is a Python list of strings: name, optimum, x1, y1, ..., xN, yN.
func libraryTSP(source, _, line string) (File, error) {
	items, err := pythonList(line)
	if err != nil {
		return File{}, err
	}
	if len(items) < 4 || len(items)%2 != 0 {
		return File{}, fmt.Errorf("%d entries, want name, optimum and two coordinates per node", len(items))
	}
	values, err := floats(items[1:])
	if err != nil {
		return File{}, err
	}
	f, err := newFile(source, routing.Instance{Name: items[0], Problem: routing.TSP}, values[1:], Euc2D)
	if err != nil {
		return f, err
	}
	err = f.setBestKnown(values[0])
	return f, err
}

// ParseTour reads a tour in TSPLIB's format (.tour, .opt.tour). Node 1 of the file is action 0. File.Cost says
// whether it visits every node of an instance.
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
