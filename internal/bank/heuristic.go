package bank

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// MaxName is how long a heuristic's name may be.
const MaxName = 48

// validName is what a heuristic may be called: a Go package name that is also a file name everywhere.
var validName = regexp.MustCompile(fmt.Sprintf(`^[a-z][a-z0-9_]{0,%d}$`, MaxName-1))

// taken are the words that no package may be called: Go's keywords, and what package compile refuses.
var taken = regexp.MustCompile(`^(break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|` +
	`if|import|interface|map|package|range|return|select|struct|switch|type|var|` +
	`main|documentation|epb.*)$`)

// elsewhere are endings by which Go would leave a file NAME.go out of a build: tests, and files for one system or
// processor.
var elsewhere = regexp.MustCompile(`_(test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|` +
	`netbsd|openbsd|plan9|solaris|unix|wasip1|windows|` +
	`386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)$`)

// ValidName returns an error if name is not a valid name of a heuristic.
func ValidName(name string) error {
	if !validName.MatchString(name) || taken.MatchString(name) {
		return fmt.Errorf("%.80q is no name for a heuristic: want a Go package name of lower-case letters, digits and "+
			"_, at most %d, beginning with a letter", name, MaxName)
	}
	if elsewhere.MatchString(name) {
		return fmt.Errorf("%.80q is no name for a heuristic: Go leaves files with such an ending out of a build; give "+
			"it another ending", name)
	}
	return nil
}

// FreeName returns a valid name for a heuristic that is not taken: name, or name with a number, cut to the length that
// a name may have. Example: if near and near_2 are taken, near becomes near_3. name begins with a lower-case letter,
// and has only those, digits and _.
func FreeName(name string, taken func(name string) bool) string {
	free := name[:min(len(name), MaxName)]
	for n := 2; taken(free) || ValidName(free) != nil; n++ {
		number := fmt.Sprintf("_%d", n)
		free = strings.TrimRight(name[:min(len(name), MaxName-len(number))], "_") + number
	}
	return free
}

// New checks a program (see heuristic.Check) and makes it an entry of a bank: the source in gofmt's layout, so that
// another layout does not make another heuristic (see ID), its package named after the heuristic, the description taken
// from the doc comment of Score. TauH is left 0: the bank it joins sets it.
func New(name, src string, lineage Lineage) (Heuristic, error) {
	if err := ValidName(name); err != nil {
		return Heuristic{}, err
	}
	c, err := heuristic.Check(src)
	if err != nil {
		return Heuristic{}, fmt.Errorf("heuristic %s: %w", name, err)
	}
	src, err = source.Formatted(c.Rename(name))
	if err != nil {
		return Heuristic{}, fmt.Errorf("heuristic %s: %w", name, err)
	}
	return Heuristic{Name: name, Source: src, Description: c.Description, Lineage: lineage}, nil
}
