// Package percore reports benchmarks by CPU time, so that figures from a busy machine compare.
package percore

import (
	"syscall"
	"testing"
	"time"
)

// Report reports n things done since a reading of Time as things per second of CPU time.
func Report(b *testing.B, since time.Duration, n float64, unit string) {
	b.Helper()
	b.ReportMetric(n/(Time(b)-since).Seconds(), unit+"/core-s")
}

// Time returns the CPU time that the process has used.
func Time(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
