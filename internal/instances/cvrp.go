package instances

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// cvrpFormats are CVRPLIB, LEHD's two text sets, and arrays depot [B,2], locs [B,N,2], demand [B,N] and capacity [B].
var cvrpFormats = formats{
	problem: routing.CVRP,
	library: library{
		kind: "CVRP", extension: ".vrp", solutions: []string{".sol"},
		sections: []string{"DEMAND_SECTION", "DEPOT_SECTION"}, bestInComment: true,
		read: func(s *spec, n int, in *routing.Instance) (err error) {
			in.Demand, in.Capacity, err = s.vehicles(n)
			return err
		},
		parseSolution: ParseSolution, written: ".sol", writeSolution: writeRoutes,
	},
	lines: []lineFormat{
		{func(first string) bool {
			return strings.HasPrefix(first, "['name'") || strings.HasPrefix(first, `["name"`)
		}, libraryCVRP},
		{func(first string) bool { return strings.HasPrefix(first, "depot,") }, uniformCVRP},
	},
	arrays: arrayFormat{
		holds: func(arrays map[string]array) bool {
			_, depot := arrays["depot"]
			_, demand := arrays["demand"]
			return depot || demand
		},
		read: func(name string, arrays map[string]array) ([]routing.Instance, error) {
			insts, err := named(name, routing.CVRP, arrays, "locs")
			if err != nil {
				return nil, err
			}
			return insts, cvrpFromArrays(insts, arrays)
		},
		coordinates: func(arrays map[string]array, i int) []float64 {
			return slices.Concat(arrays["depot"].Values[2*i:2*i+2], placesOf(arrays["locs"], i))
		},
		write: func(z *zip.Writer, insts []routing.Instance) error {
			var depot, locs []float32
			var demand, capacity []int32
			for _, in := range insts {
				depot, locs = append(depot, in.Coords[:2]...), append(locs, in.Coords[2:]...)
				demand, capacity = append(demand, in.Demand[1:]...), append(capacity, in.Capacity)
			}
			B, N := len(insts), insts[0].N()
			return errors.Join(
				writeArray(z, "depot", "<f4", depot, B, 2),
				writeArray(z, "locs", "<f4", locs, B, N-1, 2),
				writeArray(z, "demand", "<i4", demand, B, N-1),
				writeArray(z, "capacity", "<i4", capacity, B),
			)
		},
	},
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
		return nil, 0, fmt.Errorf("line %d: DEPOT_SECTION holds %.80q, want 1 and -1: a single depot at the first node",
			sec.line, strings.Join(depots, " "))
	}
	values, lines, err := s.numbered("DEMAND_SECTION", n, 1)
	if err != nil {
		return nil, 0, err
	}
	demand := make([]int32, n)
	for i, v := range values {
		if demand[i] = int32(v); v < 0 || v > float64(capacity) || float64(demand[i]) != v || i == 0 && v != 0 {
			return nil, 0, fmt.Errorf("line %d: node %d has demand %v, want a whole number up to the capacity %d, and "+
				"0 at the depot", lines[i], i+1, v, capacity)
		}
	}
	return demand, int32(capacity), nil
}

// uniformCVRP is a line depot,x,y,customer,x1,...,capacity,C,demand,d1,...,cost,c,node_flag,n1,...,f1,...
func uniformCVRP(source, name, line string) (File, error) {
	parts, err := keyed(strings.Split(line, ","), "depot", "customer", "capacity", "demand", "cost", "node_flag")
	if err != nil {
		return File{}, err
	}
	f, err := newCVRP(source, name, parts, Euclidean)
	if err != nil {
		return f, err
	}
	V := f.Instance.N() - 1
	flags, err := ints(parts["node_flag"])
	if err != nil {
		return f, fmt.Errorf("node_flag: %w", err)
	}
	if len(flags) != 2*V {
		return f, fmt.Errorf("node_flag has %d numbers, want %d: every customer and its flag", len(flags), 2*V)
	}
	var actions []int32
	for i, c := range flags[:V] {
		switch flag := flags[V+i]; {
		case flag == 1 && i > 0:
			actions = append(actions, 0)
		case flag != 1 && (flag != 0 || i == 0):
			return f, fmt.Errorf("node_flag: flag %d is %d, want 1 from the depot (as the first) or 0", i+1, flag)
		}
		actions = append(actions, c)
	}
	cost, err := one(parts, "cost")
	if err != nil {
		return f, err
	}
	err = f.setReference(append(actions, 0), cost)
	return f, err
}

// libraryCVRP is a Python list 'name', NAME, 'depot', x, y, 'customer', x1, ..., 'demand', 0, d1, ..., 'capacity', C,
// 'cost', c, 'end'.
func libraryCVRP(source, _, line string) (File, error) {
	items, err := pythonList(line)
	if err != nil {
		return File{}, err
	}
	parts, err := keyed(items, "name", "depot", "customer", "demand", "capacity", "cost", "end")
	if err != nil {
		return File{}, err
	}
	if len(parts["name"]) != 1 {
		return File{}, fmt.Errorf("a name of %d entries", len(parts["name"]))
	}
	f, err := newCVRP(source, parts["name"][0], parts, Euc2D)
	if err != nil {
		return f, err
	}
	cost, err := one(parts, "cost")
	if err != nil {
		return f, err
	}
	err = f.setBestKnown(cost)
	return f, err
}

// newCVRP reads depot, customer, demand and capacity. The demands may begin with the depot's or leave it out.
func newCVRP(source, name string, parts map[string][]string, metric Metric) (File, error) {
	places := append(append([]string(nil), parts["depot"]...), parts["customer"]...)
	coords, err := floats(places)
	if err != nil {
		return File{}, err
	}
	if len(parts["depot"]) != 2 || len(coords)%2 != 0 {
		return File{}, fmt.Errorf("%d values for the depot and %d for customers, want 2 and an even number",
			len(parts["depot"]), len(parts["customer"]))
	}
	capacity, err := one(parts, "capacity")
	if err != nil {
		return File{}, err
	}
	if capacity != math.Trunc(capacity) || math.Abs(capacity) > math.MaxInt32 {
		return File{}, fmt.Errorf("capacity %v, want a whole number", capacity)
	}
	demand, err := ints(parts["demand"])
	if err != nil {
		return File{}, fmt.Errorf("demand: %w", err)
	}
	if len(demand) == len(coords)/2-1 {
		demand = append([]int32{0}, demand...)
	}
	in := routing.Instance{Name: name, Problem: routing.CVRP, Demand: demand, Capacity: int32(capacity)}
	return newFile(source, in, coords, metric)
}

// cvrpFromArrays fills in insts. The caller has checked the array locs (see named).
func cvrpFromArrays(insts []routing.Instance, arrays map[string]array) error {
	B, N := arrays["locs"].Shape[0], arrays["locs"].Shape[1]
	depot, err := arrays["depot"].shaped("depot", B, 2)
	if err != nil {
		return err
	}
	if depot.Type != floatArray {
		return errors.New("array depot: want float32 or float64")
	}
	demand, err := arrays["demand"].shaped("demand", B, N)
	if err != nil {
		return err
	}
	capacity, err := arrays["capacity"].shaped("capacity", B)
	if err != nil {
		return err
	}
	demands, err := demand.int32s("demand")
	if err != nil {
		return err
	}
	caps, err := capacity.int32s("capacity")
	if err != nil {
		return err
	}
	places, depots := arrays["locs"].float32s(), depot.float32s()
	for i := range insts {
		insts[i].Capacity = caps[i]
		insts[i].Coords = slices.Concat(depots[2*i:2*i+2], places[2*N*i:2*N*(i+1)])
		insts[i].Demand = append(make([]int32, 1, N+1), demands[N*i:N*(i+1)]...)
	}
	return nil
}

// ParseSolution reads a solution in CVRPLIB's format (.sol): lines Route #k: followed by customers 1..N-1, and a line
// Cost c. It returns the actions in the form of routing.JoinRoutes.
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
			return nil, 0, fmt.Errorf("line %d: %.40q, want Route #%d: and customers, or Cost", number, line,
				len(routes)+1)
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
	return slices.Clip(routing.JoinRoutes(routes)), cost, nil
}
