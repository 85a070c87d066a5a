package main

import (
	"math"
	"runtime/debug"

	"github.com/epb-nco/epb/internal/memory"
)

// memoryForCache returns how many bytes of shards, scores and programs a worker may keep in memory: half of GOMEMLIMIT
// if that is set, else a third of what the machine or its container has. Named features come on top: see artifact.New.
func memoryForCache() int64 {
	const unknown = 6 << 30 // for systems that do not say
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit / 2
	}
	has, ok := memory.Total()
	if !ok {
		has = unknown
	}
	return has / 3
}
