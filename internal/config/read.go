package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
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
	p.LLM.Endpoints, p.LLM.Prices = maps.Clone(c.LLM.Endpoints), maps.Clone(c.LLM.Prices)
	if err := doc.Load(&p, yaml.WithV3Defaults(), yaml.WithKnownFields()); err != nil {
		return from.refusal(doc, &p, err)
	}
	if errs := from.misfits(doc.Content[0], reflect.TypeOf(p), ""); len(errs) > 0 { // the library lets nulls pass
		return join(errs)
	}
	takeEach(c.LLM.Endpoints, p.LLM.Endpoints, below(doc.Content[0], "llm", "endpoints"))
	takeEach(c.LLM.Prices, p.LLM.Prices, below(doc.Content[0], "llm", "prices"))
	*c = Distill(p)
	return nil
}

// takeEach reads the elements of a mapping over the old ones of the same keys, into a map that the mapping was read
// into. The YAML library alone replaces an element of a map: of a price of which only the input is set, the output
// would be 0.
func takeEach[V any](old, into map[string]V, mapping *yaml.Node) {
	if mapping == nil {
		return
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		name := mapping.Content[i].Value
		if v, ok := old[name]; ok && mapping.Content[i+1].Load(&v, yaml.WithV3Defaults()) == nil {
			into[name] = v
		}
	}
}

// below returns what a mapping has below some keys, nil for nothing.
func below(node *yaml.Node, keys ...string) *yaml.Node {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if len(keys) == 0 || node == nil {
		return node
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == keys[0] {
			return below(node.Content[i+1], keys[1:]...)
		}
	}
	return nil
}
