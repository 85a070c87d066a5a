package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxTold is the largest number of errors reported for one config.
const maxTold = 20

// source names where a text comes from, such as a file; "" is a text without lines worth naming.
type source string

// errorAt returns an error that begins with its place, as in "demo.yaml:3:5: …".
func (s source) errorAt(line, column int, format string, args ...any) error {
	place := "config"
	switch {
	case s != "" && line > 0:
		place = fmt.Sprintf("%s:%d:%d", string(s), line, column)
	case s != "":
		place = string(s)
	}
	return fmt.Errorf("%s: %.200s", place, fmt.Sprintf(format, args...))
}

// explain returns the errors of the YAML library, each with its place.
func (s source) explain(err error) error {
	var all *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &all):
		var errs []error
		for _, e := range all.Errors {
			errs = append(errs, s.errorAt(e.Mark.Line, e.Mark.Column, "%s", e.Message))
		}
		return join(errs)
	case errors.As(err, &one):
		text := one.Message
		if one.ContextMsg != "" {
			from := one.ContextMark
			text += fmt.Sprintf(", %s that begins at %d:%d", one.ContextMsg, from.Line, from.Column)
		}
		return s.errorAt(one.Mark.Line, one.Mark.Column, "no valid YAML: %s", text)
	}
	return fmt.Errorf("config: %.200s", err)
}

// refusal returns an error that explains why a document does not fit a config. The YAML library names Go types;
// authors of configs know keys. So refusal compares the document with the keys itself. It returns the library's own
// text for errors that only the library finds, such as a duplicate key, and for documents that would not end here,
// such as a mapping merged with itself.
func (s source) refusal(doc *yaml.Node, config any, err error) error {
	var whole *yaml.LoadErrors
	if !errors.As(err, &whole) {
		return s.explain(err)
	}
	if errs := s.misfits(doc.Content[0], reflect.TypeOf(config).Elem(), ""); len(errs) > 0 {
		return join(errs)
	}
	return s.explain(err)
}

// join makes one error of many.
func join(errs []error) error {
	if len(errs) > maxTold {
		errs = append(errs[:maxTold:maxTold], fmt.Errorf("config: and %d more", len(errs)-maxTold))
	}
	return errors.Join(errs...)
}

// misfits returns an error for every key at or below a node that is missing in its type, and for every value that does
// not fit. With train: {rate: 1}, for example, it compares rate with the type Train, which has no such key.
func (s source) misfits(node *yaml.Node, t reflect.Type, key string) (errs []error) {
	at := node
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.ShortTag() == "!!null" && !nullable(t) {
		return []error{s.errorAt(at.Line, at.Column, "%s has no value: give one or leave the key out",
			cmp.Or(key, "this"))}
	}
	if node.Kind != yaml.MappingNode || t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
		if node.Load(reflect.New(t).Interface(), yaml.WithV3Defaults()) != nil {
			shown := value(node)
			if (key == "llm" || strings.HasPrefix(key, "llm.")) && node.Kind == yaml.ScalarNode {
				shown = "a text" // which may be a key
			}
			errs = append(errs, s.errorAt(at.Line, at.Column, "%s%s, want %s", is(key), shown, kind(t)))
		}
		return errs
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, below := node.Content[i], node.Content[i+1]
		inner := strings.TrimPrefix(key+"."+name.Value, ".")
		if name.ShortTag() == "!!merge" {
			for _, merged := range mappings(below) {
				errs = append(errs, s.misfits(merged, t, key)...)
			}
			continue
		}
		if t.Kind() == reflect.Map {
			errs = append(errs, s.misfits(below, t.Elem(), inner)...)
			continue
		}
		known, types := keys(t)
		if k := slices.Index(known, name.Value); k >= 0 {
			errs = append(errs, s.misfits(below, types[k], inner)...)
		} else {
			hint := suggest(name.Value, known, key)
			errs = append(errs, s.errorAt(name.Line, name.Column, "unknown key %.80s: %s", cmp.Or(inner, `""`), hint))
		}
	}
	return errs
}

// nullable reports whether null is a value of a type.
func nullable(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer || t.Kind() == reflect.Map || t.Kind() == reflect.Slice
}

// mappings returns what is merged by <<: one mapping or a list of them.
func mappings(node *yaml.Node) []*yaml.Node {
	if node.Kind == yaml.SequenceNode {
		return node.Content
	}
	return []*yaml.Node{node}
}

// keys returns the keys of a struct, and their types.
func keys(t reflect.Type) (names []string, types []reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
			names, types = append(names, name), append(types, f.Type)
		}
	}
	return names, types
}

// is returns the beginning of an error about the value of a key. The whole document has no key.
func is(key string) string {
	if key == "" {
		return "this is "
	}
	return key + " is "
}

// value shows a value in an error.
func value(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "keys with values"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.ShortTag() == "!!str":
		return fmt.Sprintf("%.80q", node.Value)
	}
	return fmt.Sprintf("%.80s", node.Value)
}

// kind names a Go type for people.
func kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kind(t.Elem())
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number, 0 or above"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list, as in [a, b]"
	}
	return "keys with values"
}

// suggest names the key that a misspelt one most likely stands for, with the key above it, or all keys where none is
// like it.
func suggest(misspelt string, keys []string, above string) string {
	const near = 2 // letters
	best := slices.MinFunc(keys, func(a, b string) int { return distance(misspelt, a) - distance(misspelt, b) })
	if d := distance(misspelt, best); d <= near && d < len(misspelt) {
		return fmt.Sprintf("did you mean %s?", strings.TrimPrefix(above+"."+best, "."))
	}
	return "want one of " + strings.Join(keys, ", ")
}

// distance returns how many letters must be added, left out or replaced to make b of a, at most 40 letters of it
// (Levenshtein's distance). From "round" to "rounds" it is 1.
func distance(a, b string) int {
	a = a[:min(len(a), 40)]
	row := make([]int, len(b)+1) // row[j] is the distance from a's beginning to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
