// Package banks holds the heuristic banks that come with EPB, embedded, so that an installed binary needs no checkout.
//
// Each program is an ordinary Go package that also compiles natively; the tests here compare both.
package banks

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
)

//go:embed */bank.json */*/*.go
var folders embed.FS

// Names returns the names of the embedded banks, in alphabetical order.
func Names() []string {
	entries, err := folders.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always there
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Builtin loads an embedded bank.
func Builtin(name string) (*bank.Bank, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no bank %s among those that come with EPB: builtin:%s", name, strings.Join(Names(), ", builtin:"))
	}
	return bank.LoadFS(folders, name, name)
}

// Open loads a bank: an embedded one by its name, any other by its folder. A name with a path separator is always a folder.
func Open(name string) (*bank.Bank, error) {
	if slices.Contains(Names(), name) {
		return Builtin(name)
	}
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("open bank %s: no such folder, and the banks that come with EPB are: %s", name, strings.Join(Names(), ", "))
	}
	return bank.Load(name)
}
