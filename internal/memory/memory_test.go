package memory

import (
	"math"
	"runtime"
	"testing"
	"testing/fstest"
)

func TestParse(t *testing.T) {
	const info = "MemTotal:       24684020 kB\nMemFree:          193140 kB\nMemAvailable:   11572064 kB\n" +
		"HugePages_Total:  0\n"
	for name, want := range map[string]int64{"MemTotal": 24684020 << 10, "MemAvailable": 11572064 << 10} {
		if got, ok := parse(info, name); got != want || !ok {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"Mem", "Available", "HugePages_Total"} {
		if got, ok := parse(info, name); ok {
			t.Errorf("%s: %d, want nothing", name, got)
		}
	}
}

// What a container uses is no more to be had, but for files that were read and can be read again.
func TestLeft(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no limit": {map[string]string{"memory.max": "max\n", "memory.current": "70\n"}, math.MaxInt64},
		"nothing":  {nil, math.MaxInt64},
		"version 2": {map[string]string{
			"memory.max": "100\n", "memory.current": "70\n", "memory.stat": "file 30\ninactive_file 20\nanon 40\n",
		}, 50},
		"version 1": {map[string]string{
			"memory/memory.limit_in_bytes": "100\n", "memory/memory.usage_in_bytes": "70\n",
			"memory/memory.stat": "inactive_file 1\ntotal_inactive_file 10\n",
		}, 40},
		"over the limit": {map[string]string{"memory.max": "100\n", "memory.current": "101\n"}, 0},
		"use unknown":    {map[string]string{"memory.max": "100\n"}, 100},
	} {
		files := fstest.MapFS{}
		for file, text := range c.files {
			files[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := left(files); got != c.want {
			t.Errorf("%s: %d bytes are left, want %d", name, got, c.want)
		}
	}
}

func TestThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not say")
	}
	total, ok := total()
	available, also := Available()
	if !ok || !also || available < 1 || available > total {
		t.Errorf("%d of %d bytes are available (%v, %v)", available, total, also, ok)
	}
}
