package instances

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// LEHD's text sets hold an instance per line (Luo et al. 2023). The four kinds of line are told apart by the first.

// parseLines reads one instance from each line that is not blank.
func parseLines(path, text string, parse func(source, name, line string) (File, error)) ([]File, error) {
	var files []File
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		f, err := parse(fmt.Sprintf("%s:%d", path, number), fmt.Sprintf("%s[%d]", filepath.Base(path), len(files)), line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		files = append(files, f)
	}
	return files, nil
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
		return File{}, fmt.Errorf("%d coordinate values and a tour of %d nodes, want 2N and N+1 with the first node again at the end", len(coords), len(tour))
	}
	f, err := newFile(source, routing.Instance{Name: name, Problem: routing.TSP}, coords, Euclidean, true)
	if err != nil {
		return f, err
	}
	for i := range tour {
		tour[i]--
	}
	return f, f.setReference(tour[:n], 0)
}

// uniformCVRP is a line depot,x,y,customer,x1,...,capacity,C,demand,d1,...,cost,c,node_flag,n1,...,f1,...
func uniformCVRP(source, name, line string) (File, error) {
	parts, err := keyed(strings.Split(line, ","), "depot", "customer", "capacity", "demand", "cost", "node_flag")
	if err != nil {
		return File{}, err
	}
	f, err := newCVRP(source, name, parts, Euclidean, true)
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
	return f, f.setReference(append(actions, 0), cost)
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
	f, err := newFile(source, routing.Instance{Name: items[0], Problem: routing.TSP}, values[1:], Euc2D, false)
	if err != nil {
		return f, err
	}
	return f, f.setBestKnown(values[0])
}

// libraryCVRP is a Python list 'name', NAME, 'depot', x, y, 'customer', x1, ..., 'demand', 0, d1, ..., 'capacity', C, 'cost', c, 'end'.
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
	f, err := newCVRP(source, parts["name"][0], parts, Euc2D, false)
	if err != nil {
		return f, err
	}
	cost, err := one(parts, "cost")
	if err != nil {
		return f, err
	}
	return f, f.setBestKnown(cost)
}

func (f *File) setBestKnown(cost float64) error {
	if cost <= 0 {
		return fmt.Errorf("a best known cost of %v", cost)
	}
	f.BestKnown = cost
	return nil
}

// newCVRP reads depot, customer, demand and capacity; the depot's demand may be left out.
func newCVRP(source, name string, parts map[string][]string, metric Metric, unit bool) (File, error) {
	places := append(append([]string(nil), parts["depot"]...), parts["customer"]...)
	coords, err := floats(places)
	if err != nil {
		return File{}, err
	}
	if len(parts["depot"]) != 2 || len(coords)%2 != 0 {
		return File{}, fmt.Errorf("%d values for the depot and %d for customers, want 2 and an even number", len(parts["depot"]), len(parts["customer"]))
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
	return newFile(source, in, coords, metric, unit)
}

// keyed splits tokens at the given keywords, each of which must appear exactly once, the first one first.
func keyed(tokens []string, keys ...string) (map[string][]string, error) {
	parts := map[string][]string{}
	key := ""
	for i, token := range tokens {
		token = strings.TrimSpace(token)
		isKey := false
		for _, k := range keys {
			isKey = isKey || k == token
		}
		switch {
		case isKey && parts[token] != nil:
			return nil, fmt.Errorf("%.80q appears twice", token)
		case isKey:
			key = token
			parts[key] = []string{}
		case key == "":
			return nil, fmt.Errorf("entry %d is %.80q, want %q", i, token, keys[0])
		default:
			parts[key] = append(parts[key], token)
		}
	}
	for _, k := range keys {
		if parts[k] == nil {
			return nil, fmt.Errorf("truncated: %q is missing", k)
		}
	}
	return parts, nil
}

// pythonList splits the literal of a list of numbers and quoted words.
func pythonList(line string) ([]string, error) {
	inner, ok := strings.CutPrefix(line, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !ok || !closed {
		return nil, errors.New("truncated: not a list in square brackets")
	}
	items := strings.Split(inner, ",")
	for i, item := range items {
		item = strings.TrimSpace(item)
		if len(item) >= 2 && (item[0] == '\'' || item[0] == '"') && item[len(item)-1] == item[0] {
			item = item[1 : len(item)-1]
		}
		if item == "" || strings.ContainsAny(item, `'"[]`) {
			return nil, fmt.Errorf("entry %d is %.80q, want a number or a quoted word", i, items[i])
		}
		items[i] = item
	}
	return items, nil
}

// one returns the single number of a part.
func one(parts map[string][]string, key string) (float64, error) {
	values, err := floats(parts[key])
	if err != nil || len(values) != 1 {
		return 0, fmt.Errorf("%s %.80q, want one number", key, strings.Join(parts[key], " "))
	}
	return values[0], nil
}

func floats(fields []string) ([]float64, error) {
	values := make([]float64, len(fields))
	for i, s := range fields {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%.80q is no finite number", s)
		}
		values[i] = v
	}
	return values, nil
}

func ints(fields []string) ([]int32, error) {
	values := make([]int32, len(fields))
	for i, s := range fields {
		v, err := strconv.ParseInt(s, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%.80q is no whole number", s)
		}
		values[i] = int32(v)
	}
	return values, nil
}
