package memory

import (
	"math"
	"runtime/debug"
)

// A worker runs for days beside servers, TinyGo and perhaps a command. So it has a share of the whole machine, whatever
// is free when it starts: two thirds, half of these for its cache, and half as much again for named features. Without a
// bound Go lets the heap grow to twice what is kept, which is all of the machine: on one of 24 GiB a worker took 23. It
// gave no sign of life then, while the system read its own programs from the disk again. Commands keep as many features
// as a worker would. Only epb sketch takes the number of its user, and may begin beside a worker. So it is bound by
// what is free: 12 GiB beside a worker's cache had a machine of 24 GiB evict its own programs for three quarters of an
// hour.

// MostFeatures is how many bytes of named features are kept at most, unless a user asks for more: those of about ten
// million candidates.
const MostFeatures = 4 << 30

// forWorker returns how many bytes a worker may have: GOMEMLIMIT if that is set, else two thirds of total.
func forWorker() int64 {
	const unknown = 6 << 30 // for systems that do not say
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	has, ok := total()
	if !ok {
		has = unknown
	}
	return has / 3 * 2
}

// BoundWorker has garbage collected before a worker has taken two thirds of the machine, unless GOMEMLIMIT says when.
func BoundWorker() { debug.SetMemoryLimit(forWorker()) }

// ForCache returns how many bytes of shards, scores and programs a worker may keep: half of what it may have.
func ForCache() int64 { return forWorker() / 2 }

// ForFeatures returns how many bytes of named features a worker may keep beside a cache of so many bytes.
func ForFeatures(cache int64) int64 { return min(cache/2, MostFeatures) }

// WorkerFeatures returns how many bytes of named features a worker keeps beside its own cache.
func WorkerFeatures() int64 { return ForFeatures(ForCache()) }

// ForCommand returns how many of the bytes that it wants for features a command may keep: at most three quarters of
// what is available.
func ForCommand(want int64) int64 {
	if has, ok := Available(); ok {
		return min(want, has/4*3)
	}
	return want
}

// BoundCommand has garbage collected before a command has taken all that is available, unless GOMEMLIMIT says when.
func BoundCommand() {
	if has, ok := Available(); ok && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(has / 10 * 9)
	}
}
