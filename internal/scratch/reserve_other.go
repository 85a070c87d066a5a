//go:build unix && !linux

package scratch

import "os"

// reserve makes a file so many bytes long. Where the disk gets full later, the process ends.
func reserve(f *os.File, bytes int64) error { return f.Truncate(bytes) }
