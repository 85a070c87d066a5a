package dialogue

import (
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
