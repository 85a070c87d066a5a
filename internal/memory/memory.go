// Package memory says how much memory a process may use.
package memory

import (
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// total returns how many bytes this machine has, or its container if that has fewer. It is false where the system does
// not say.
func total() (int64, bool) {
	least := int64(math.MaxInt64)
	if has, ok := field("MemTotal"); ok {
		least = has
	}
	for _, g := range groups {
		if limit, ok := number(container, g.limit); ok {
			least = min(least, limit)
		}
	}
	return least, least < math.MaxInt64
}

// Available returns how many bytes can still be had without swapping, by the system's own estimate, or by what the
// container has left if that is less. It is false where the system does not say.
func Available() (int64, bool) {
	has, ok := field("MemAvailable")
	return min(has, left(container)), ok
}

// container is where Linux says what the container of this process may use.
var container = os.DirFS("/sys/fs/cgroup")

// groups are the names of what a container may use and does use in both versions of cgroups. Of files that were read,
// the inactive ones are given up when memory is needed.
var groups = []struct{ limit, used, stat, inactive string }{
	{"memory.max", "memory.current", "memory.stat", "inactive_file"},
	{"memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"},
}

// left returns how many bytes a container may still use, the largest number there is if it has no limit.
func left(container fs.FS) int64 {
	least := int64(math.MaxInt64)
	for _, g := range groups {
		limit, ok := number(container, g.limit)
		if !ok {
			continue
		}
		used, _ := number(container, g.used)
		stat, _ := fs.ReadFile(container, g.stat)
		if found := regexp.MustCompile(`(?m)^` + g.inactive + ` (\d+)$`).FindSubmatch(stat); found != nil {
			inactive, _ := strconv.ParseInt(string(found[1]), 10, 64)
			used -= inactive
		}
		least = min(least, max(limit-max(used, 0), 0))
	}
	return least
}

// number reads a file that holds one number. It is false for "max", which means no limit.
func number(container fs.FS, file string) (int64, bool) {
	text, err := fs.ReadFile(container, file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// field returns a field of /proc/meminfo, in bytes.
func field(name string) (int64, bool) {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	return parse(string(info), name)
}

// parse reads a field of /proc/meminfo, such as "MemTotal:       24684020 kB".
func parse(info, name string) (int64, bool) {
	found := regexp.MustCompile(`(?m)^` + name + `:\s+(\d+) kB$`).FindStringSubmatch(info)
	if found == nil {
		return 0, false
	}
	kib, err := strconv.ParseInt(found[1], 10, 64)
	return kib << 10, err == nil
}
