package dialogue

import (
	"fmt"
	"regexp"

	"github.com/epb-nco/epb/internal/bank"
)

var packageClause = regexp.MustCompile(`(?m)^package[ \t]+([a-z][a-z0-9_]*)`)

// packageName returns what a program calls itself, or "candidate".
func packageName(source string) string {
	m := packageClause.FindStringSubmatch(source)
	if m == nil || bank.ValidName(m[1]) != nil {
		return "candidate"
	}
	return m[1]
}

// unique returns name, numbered if it is taken and cut to what a name may have, and takes it.
func unique(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free]; i++ {
		number := fmt.Sprintf("_%d", i)
		free = name[:min(len(name), bank.MaxName-len(number))] + number
	}
	taken[free] = true
	return free
}
