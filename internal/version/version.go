// Package version says which build of EPB a program is, and on what machine it runs.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// stamp is the commit as `make build` sets it, because not every build has the repository's state stamped by Go itself:
//
//	go build -ldflags "-X github.com/epb-nco/epb/internal/version.stamp=COMMIT"
var stamp string

// unknown is the commit of a build that has neither a stamp nor build information.
const unknown = "unknown"

// shown is how many digits of a commit are shown.
const shown = 12

// Commit returns the commit that the program was built from, with "+dirty" if the tree was modified. A build of a
// released module has its version instead, and one that nobody stamped is "unknown".
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return commit(stamp, info)
}

// commit chooses between the stamp and what Go says of the build.
func commit(stamp string, info *debug.BuildInfo) string {
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(shown, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if revision != "" {
		revision += dirty
	}
	released := info.Main.Version
	if released == "(devel)" {
		released = ""
	}
	return cmp.Or(stamp, revision, released, unknown)
}

// Machine says what a figure was measured on.
func Machine() string {
	return fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// Line says in one line what the program was built from and for.
func Line() string {
	return fmt.Sprintf("%s (%s, %s/%s)", Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
