package bank

import (
	"fmt"
	"slices"
	"strings"

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
	return LoadFS(banks.Files, name, name)
}
