// Package regular reads and writes files that a user names.
package regular

import (
	"fmt"
	"os"
)

// ReadFile is os.ReadFile for regular files only. It refuses devices and pipes: they may never end and would fill the
// memory.
func ReadFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("read %s: it is a device or a pipe, want a regular file", path)
	}
	return os.ReadFile(path)
}
