package bank

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/banks"
)

// BuiltinNames returns the names of the banks that come with EPB, in alphabetical order.
func BuiltinNames() []string {
	entries, err := banks.Files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always there
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Builtin loads a bank that comes with EPB.
func Builtin(name string) (*Bank, error) {
	names := BuiltinNames()
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("there is no bank %s among those that come with EPB: builtin:%s",
			name, strings.Join(names, ", builtin:"))
	}
	return loadFS(banks.Files, name, name)
}

// BuiltinFor returns the bank of a kind, such as local or planners, that comes with EPB for a setting. It returns nil
// where there is none.
func BuiltinFor(s Setting, kind string) (*Bank, error) {
	name := string(s.Problem) + "-" + kind
	if s.View != routing.Full || !slices.Contains(BuiltinNames(), name) {
		return nil, nil
	}
	return Builtin(name)
}

// BuiltinAbout returns what a bank that comes with EPB is for, in a sentence or two.
func BuiltinAbout(name string) (string, error) {
	read := func(folder, file string) ([]byte, error) { return banks.Files.ReadFile(path.Join(folder, file)) }
	man, err := readManifest(read, name, name)
	if err != nil {
		return "", fmt.Errorf("load bank %s: %w", name, err)
	}
	return man.About, nil
}
