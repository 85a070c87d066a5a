package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommit(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.modified", Value: modified},
			{Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	}
	for name, c := range map[string]struct {
		stamp string
		info  debug.BuildInfo
		want  string
	}{
		"stamped": {stamp: "fedcba987654+dirty", info: debug.BuildInfo{Settings: vcs("false")},
			want: "fedcba987654+dirty"},
		"by Go":           {info: debug.BuildInfo{Settings: vcs("false")}, want: "0123456789ab"},
		"by Go, modified": {info: debug.BuildInfo{Settings: vcs("true")}, want: "0123456789ab+dirty"},
		"released":        {info: debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, want: "v1.2.3"},
		"by nobody":       {info: debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, want: "unknown"},
		"no information":  {want: "unknown"},
	} {
		if got := commit(c.stamp, &c.info); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, want := range []string{Commit(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH} {
		if !strings.Contains(Line(), want) {
			t.Errorf("%q lacks %q", Line(), want)
		}
	}
}
