package tool

import (
	"os"
	"slices"
	"strings"
)

// everyday are the variables that any program may need. A name that ends in _ stands for all that begin with it. Keys,
// addresses and proxies are not among them.
var everyday = []string{
	"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_", "XDG_", "LD_LIBRARY_PATH",
	"DYLD_LIBRARY_PATH",
	"GOMAXPROCS", "GOMEMLIMIT",
}

// Environ returns the environment for a program that EPB starts: what every program may need, and what else it needs
// itself. So no program inherits a key that is meant for another one.
func Environ(own ...string) []string {
	names := append(slices.Clone(everyday), own...)
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.ContainsFunc(names, func(known string) bool {
			return name == known || strings.HasSuffix(known, "_") && strings.HasPrefix(name, known)
		})
	})
}
