// Package locate finds what a name on a command line stands for, and opens from it what a command wants: a bank, a
// student, a report, recorded states or the result of a run.
//
// A name is builtin:NAME, for what ships with EPB; run:ID, for a run; or bare: the path of a file or folder or, where
// nothing lies there, the ID of a run. No name at all stands for the latest run.
package locate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/input"
)

// What names begin with that are no bare ones.
const (
	BuiltinPrefix = input.Builtin
	RunPrefix     = input.RunBank
)

// Name is what a command line calls something by. The zero Name is no name, and stands for the latest run.
type Name struct {
	form form
	text string // as it was given
	rest string // text without a prefix
}

type form int

const (
	none    form = iota
	builtin      // builtin:NAME
	run          // run:ID
	bare         // a path, or the ID of a run
)

// Of returns the name in a text.
func Of(text string) Name {
	if rest, ok := strings.CutPrefix(text, BuiltinPrefix); ok {
		return Name{builtin, text, rest}
	}
	if rest, ok := strings.CutPrefix(text, RunPrefix); ok {
		return Name{run, text, rest}
	}
	return Name{bare, text, text}
}

// Argument returns the name in the first argument of a command, or no name where it has none.
func Argument(args []string) Name {
	if len(args) == 0 {
		return Name{}
	}
	return Of(args[0])
}

// IsBuiltin reports whether a name has the form builtin:NAME.
func (n Name) IsBuiltin() bool { return n.form == builtin }

// IsRun reports whether a name has the form run:ID. A bare name may be that of a run, too.
func (n Name) IsRun() bool { return n.form == run }

// IsStudent reports whether a name is the folder of an exported student.
func (n Name) IsStudent() bool { return n.form == bare && distilled.Is(n.rest) }

// ID returns the ID of the run that a name stands for, if it stands for one; it is empty for the latest.
func (n Name) ID() string { return n.rest }

// ForBank returns the text by which the commands that show banks know the bank of a student: its folder, or run:ID.
func (n Name) ForBank() string {
	if n.IsStudent() {
		return n.text
	}
	return RunPrefix + n.rest
}

// isPath reports whether a name is the path of what is there.
func (n Name) isPath() bool { return n.form == bare && isThere(n.rest) }

// isThere reports whether something has a path. What cannot be looked at is there: to open it says what is wrong.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// inVain adds to the error of a run that a bare name was sought as a path first, of a folder or file, in words.
func (n Name) inVain(path string, err error) error {
	if n.form != bare || n.rest == "" {
		return err
	}
	return fmt.Errorf("there is no %s, and as a run: %w", path, err)
}
