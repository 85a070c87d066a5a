package main

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// memoryForCache returns how many bytes of shards, scores and programs a worker may keep in memory: half of GOMEMLIMIT
// if that is set, else a third of what the machine or its container has.
func memoryForCache() int64 {
	const unknown = 6 << 30 // for systems without these files
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit / 2
	}
	has := int64(math.MaxInt64)
	if info, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kib int64
		if _, err := fmt.Sscanf(string(info), "MemTotal: %d kB", &kib); err == nil {
			has = kib << 10
		}
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil { // "max" is not a number and means no limit
			has = min(has, limit)
		}
	}
	if has == math.MaxInt64 {
		has = unknown
	}
	return has / 3
}
