// Package scratch gives memory that lies in files, for what a process computes once, reads often, and has no room for
// in memory. The system keeps in memory as much of it as there is room for.
package scratch

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Floats is numbers in a file that nothing else can open. The file is gone when the process ends.
type Floats struct {
	X    []float32
	file []byte // the mapping that X is
}

// NewFloats returns n numbers, all 0, in a file of the folder. The file has its room on the disk from the beginning, so
// that a full disk is an error here and not later.
func NewFloats(dir string, n int64) (Floats, error) {
	if n == 0 {
		return Floats{}, nil
	}
	free, err := Free(dir)
	if err != nil {
		return Floats{}, err
	}
	if n > free/4 { // to try would fill the disk for a moment
		return Floats{}, fmt.Errorf("no room for %d MiB in %s: %d MiB are free", n>>18, dir, free>>20)
	}
	f, err := os.CreateTemp(dir, "epb-scratch-*")
	if err != nil {
		return Floats{}, err
	}
	defer f.Close() // the mapping keeps the file
	if err := os.Remove(f.Name()); err != nil {
		return Floats{}, err
	}
	if err := reserve(f, 4*n); err != nil {
		return Floats{}, fmt.Errorf("no room for %d MiB in %s: %w", n>>18, dir, err)
	}
	file, err := unix.Mmap(int(f.Fd()), 0, int(4*n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return Floats{}, fmt.Errorf("map %d MiB of %s: %w", n>>18, dir, err)
	}
	return Floats{unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(file))), n), file}, nil
}

// Expect says that X[from:to] is read soon, so that the disk can begin. It does nothing for numbers in memory.
func (f Floats) Expect(from, to int64) {
	if f.file == nil || from >= to {
		return
	}
	page := int64(os.Getpagesize())
	_ = unix.Madvise(f.file[4*from/page*page:4*to], unix.MADV_WILLNEED) // an advice: without it, reading takes longer
}

// Close gives the room back. X must not be used afterwards.
func (f Floats) Close() {
	if f.file != nil {
		_ = unix.Munmap(f.file) // it was mapped as it is
	}
}

// Free returns how many bytes a folder's disk has left for this user.
func Free(dir string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}
