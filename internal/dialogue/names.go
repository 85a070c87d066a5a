package dialogue

import (
	"fmt"
	"regexp"

	"github.com/epb-nco/epb/internal/bank"
)

// packageClause matches the clause of a program that names its package.
var packageClause = regexp.MustCompile(`(?m)^package[ \t]+([a-z][a-z0-9_]*)`)

// packageName returns the name of a program's package, or "candidate" where that is no name for a program.
func packageName(source string) string {
	m := packageClause.FindStringSubmatch(source)
	if m == nil || bank.ValidName(m[1]) != nil {
		return "candidate"
	}
	return m[1]
}

// unique returns a name that is not taken, and takes it: name itself, or name with a number, cut to the length that a
// name may have. Example: if near and near_2 are taken, near becomes near_3.
func unique(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free]; i++ {
		number := fmt.Sprintf("_%d", i)
		free = name[:min(len(name), bank.MaxName-len(number))] + number
	}
	taken[free] = true
	return free
}
