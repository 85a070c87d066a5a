package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// What the decoder says of a fault, in terms of Go types.
var (
	lineNumber   = regexp.MustCompile(`line \d+: `)
	unknownField = regexp.MustCompile(`^(line \d+: )field (\S+) not found in type config\.(\w+)$`)
	wrongType    = regexp.MustCompile(`^(line \d+: )cannot unmarshal !!\w+ ?(.*) into (\S+)$`)
)

// toldFaults is how many faults of a config are told.
const toldFaults = 20

// yamlError says it in the words of the one who wrote the config: keys, and what a value should be.
func yamlError(err error) error {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return fmt.Errorf("config: %.200s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var errs []error
	for i, fault := range faults.Errors {
		if i == toldFaults {
			errs = append(errs, fmt.Errorf("config: and %d more", len(faults.Errors)-i))
			break
		}
		if m := unknownField.FindStringSubmatch(fault); m != nil {
			section := strings.TrimPrefix(strings.ToLower(m[3])+".", "plain.")
			fault = fmt.Sprintf("%sunknown key %s%.80s", m[1], section, m[2])
		} else if m := wrongType.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("%swant %s, not %.80s", m[1], kind(m[3]), cmp.Or(m[2], "a value of another kind"))
		}
		errs = append(errs, fmt.Errorf("config: %.200s", fault))
	}
	return errors.Join(errs...)
}

// wholeNumbers refuses fractions in data that the decoder cut off when it read data into a config.
func wholeNumbers(data []byte, read any) error {
	var given yaml.Node
	if err := yaml.Unmarshal(data, &given); err != nil || len(given.Content) == 0 {
		return err
	}
	text, err := yaml.Marshal(read)
	if err != nil {
		return err
	}
	var kept any
	if err := yaml.Unmarshal(text, &kept); err != nil {
		return err
	}
	return errors.Join(fractions(given.Content[0], kept, "")...)
}

// fractions names the numbers at and below a key that differ from the whole ones that were kept of them.
func fractions(given *yaml.Node, kept any, key string) (errs []error) {
	if given.Kind == yaml.AliasNode {
		given = given.Alias
	}
	switch kept := kept.(type) {
	case map[string]any:
		for i := 0; i+1 < len(given.Content); i += 2 {
			name := given.Content[i].Value
			errs = append(errs, fractions(given.Content[i+1], kept[name], strings.TrimPrefix(key+"."+name, "."))...)
		}
	case int:
		var number float64
		if given.ShortTag() == "!!float" && given.Decode(&number) == nil && number != float64(kept) {
			errs = append(errs, fmt.Errorf("config: line %d: %s is %.80s, want a whole number", given.Line, key, given.Value))
		}
	}
	return errs
}

// kind names a Go type for people.
func kind(goType string) string {
	switch goType {
	case "int", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "string", "routing.Problem":
		return "a text"
	}
	return "keys with values"
}
