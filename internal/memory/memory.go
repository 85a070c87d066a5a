// Package memory says how much memory a process may use.
package memory

import (
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
)

// Total returns how many bytes this machine has, or its container if that has fewer. It is false where the system does
// not say.
func Total() (int64, bool) {
	least := int64(math.MaxInt64)
	if has, ok := field("MemTotal"); ok {
		least = has
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil { // "max" is not a number and means no limit
			least = min(least, limit)
		}
	}
	return least, least < math.MaxInt64
}

// Available returns how many bytes can still be had without swapping, by the system's own estimate. It is false where
// the system does not say.
func Available() (int64, bool) {
	has, ok := field("MemAvailable")
	if total, known := Total(); known {
		has = min(has, total)
	}
	return has, ok
}

// ForCache returns how many bytes of shards, scores and programs a worker may keep: half of GOMEMLIMIT if that is set,
// else a third of Total. Named features come on top: see features.Room.
func ForCache() int64 {
	const unknown = 6 << 30 // for systems that do not say
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit / 2
	}
	has, ok := Total()
	if !ok {
		has = unknown
	}
	return has / 3
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
