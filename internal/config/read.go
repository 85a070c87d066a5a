package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/epb-nco/epb/internal/regular"
)

// MergeFile reads the config file at path over c: YAML, of which JSON is a part. It refuses unknown keys, keys without
// a value, values of another kind and fractions where whole numbers belong. Errors begin with path:line:column.
func (c *Distill) MergeFile(path string) error {
	data, err := regular.ReadInput(path)
	if err != nil {
		return err
	}
	return c.merge(source(path), data)
}

// Set changes one value by its dotted key, as in "train.lr=1e-4". Its error repeats the assignment, but not in section
// llm, where the value may be a key of an API.
func (c *Distill) Set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok || key == "" {
		return fmt.Errorf("config: %q, want key=value, as in train.lr=1e-4", assignment)
	}
	if strings.TrimSpace(value) == "" { // YAML would read null
		return fmt.Errorf("config: %s has no value: give one, or leave out %s; a variable of the shell may not be set",
			key, assignment)
	}
	parts := strings.Split(key, ".")
	doc, err := source("").document([]byte(value))
	if err == nil {
		for _, part := range slices.Backward(parts) {
			name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: part}
			pair := []*yaml.Node{name, doc.Content[0]}
			doc.Content[0] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: pair}
		}
		err = c.take("", doc)
	}
	if err != nil {
		if parts[0] == "llm" {
			assignment = key
		}
		return fmt.Errorf("%s: %w", assignment, err)
	}
	return nil
}

// merge reads YAML over c, which stays as it is where anything is wrong.
func (c *Distill) merge(from source, data []byte) error {
	doc, err := from.document(data)
	if err != nil {
		return err
	}
	if doc.Content[0].ShortTag() == "!!null" {
		return from.errorAt(0, 0, "it has no settings: want at least one, such as nodes: 20")
	}
	return c.take(from, doc)
}

// document parses the only document of a text. Of a text without any, its content is null.
func (s source) document(data []byte) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithV3Defaults())
	if err != nil {
		return nil, err
	}
	var doc, second yaml.Node
	if err := loader.Load(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, s.explain(err)
	}
	if doc.IsZero() { // nothing or comments
		null := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
		return &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{null}}, nil
	}
	if err := loader.Load(&second); err == nil {
		return nil, s.errorAt(second.Line, second.Column, "a second YAML document follows: want one")
	} else if !errors.Is(err, io.EOF) {
		return nil, s.explain(err)
	}
	return &doc, nil
}

// take reads a document over c, which stays as it is where anything is wrong.
func (c *Distill) take(from source, doc *yaml.Node) error {
	type plain Distill // without UnmarshalJSON and the like
	p := plain(*c)
	if err := doc.Load(&p, yaml.WithV3Defaults(), yaml.WithKnownFields()); err != nil {
		return from.refusal(doc, &p, err)
	}
	if errs := from.misfits(doc.Content[0], reflect.TypeOf(p), ""); len(errs) > 0 { // the library lets nulls pass
		return join(errs)
	}
	*c = Distill(p)
	return nil
}
