package instances

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
)

// LEHD's text sets hold an instance per line (Luo et al. 2023). The first line shows which set it is (lineFormat).

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
		f, err := parse(fmt.Sprintf("%s:%d", path, number), fmt.Sprintf("%s[%d]", filepath.Base(path), len(files)),
			line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		f.First = 1 - problems.Must(f.Instance.Problem).Traits().Depots()
		files = append(files, f)
	}
	return files, nil
}

func (f *File) setBestKnown(cost float64) error {
	if cost <= 0 {
		return fmt.Errorf("a best known cost of %v", cost)
	}
	f.know(cost)
	return nil
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

// one returns the number of a part that has just one.
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
