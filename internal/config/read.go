package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
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
	var b strings.Builder
	for i, part := range parts {
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", i), part)
		if i < len(parts)-1 {
			b.WriteByte('\n')
		}
	}
	if err := c.merge("", []byte(b.String()+" "+value+"\n")); err != nil {
		if parts[0] == "llm" {
			assignment = key
		}
		return fmt.Errorf("%s: %w", assignment, err)
	}
	return nil
}

// merge reads YAML over c, which stays as it is where anything is wrong.
func (c *Distill) merge(from source, data []byte) error {
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithV3Defaults())
	if err != nil {
		return err
	}
	var doc yaml.Node
	if err := loader.Load(&doc); err != nil && !errors.Is(err, io.EOF) {
		return from.explain(err)
	}
	if doc.IsZero() || doc.Content[0].ShortTag() == "!!null" { // nothing, comments, or a document that has nothing
		return from.errorAt(0, 0, "it has no settings: want at least one, such as nodes: 20")
	}
	var second yaml.Node
	if err := loader.Load(&second); err == nil {
		return from.errorAt(second.Line, second.Column, "a second YAML document follows: want one")
	} else if !errors.Is(err, io.EOF) {
		return from.explain(err)
	}
	type plain Distill // without UnmarshalJSON and the like
	p := plain(*c)
	if err := doc.Load(&p, yaml.WithV3Defaults(), yaml.WithKnownFields()); err != nil {
		return from.refusal(&doc, &p, err)
	}
	if errs := from.misfits(doc.Content[0], reflect.TypeOf(p), ""); len(errs) > 0 { // the library lets nulls pass
		return join(errs)
	}
	*c = Distill(p)
	return nil
}
