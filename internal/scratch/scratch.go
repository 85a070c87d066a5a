// Package scratch keeps in files the numbers that a process computes once and reads often, and that do not fit into its
// memory. The system keeps copies in memory of as many as there is room for.
package scratch

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Variable names the folder, an absolute path, in which a worker keeps what it has no memory for.
const Variable = "EPB_SCRATCH"

// Number is what an array may hold: floats, or floats of half precision as their bits.
type Number interface{ float32 | uint16 }

// Array is an array of numbers in a file that nothing else can open. The file is gone when the array is closed, or the
// process ends. Several goroutines may use it.
type Array[T Number] struct {
	file    *os.File
	written atomic.Int64 // bytes
}

// portion is how many bytes of one file are written before the disk is told to begin with them. Left to itself the
// system would collect gigabytes and then write them in one go; whoever waits for the disk meanwhile, such as a
// database, waits for seconds.
const portion = 256 << 10

// New returns n numbers in a file of the folder. The file has its room on the disk from the beginning, so that a full
// disk is an error here and not later.
func New[T Number](dir string, n int64) (*Array[T], error) {
	bytes := n * size[T]()
	free, err := Free(dir)
	if err != nil {
		return nil, err
	}
	if n > free/size[T]() { // to try would fill the disk for a moment
		return nil, fmt.Errorf("no room for %d MiB in %s: %d MiB are free", bytes>>20, dir, free>>20)
	}
	f, err := os.CreateTemp(dir, "epb-scratch-*")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(f.Name()); err == nil {
		err = reserve(f, bytes)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("scratch file of %d MiB in %s: %w", bytes>>20, dir, err)
	}
	return &Array[T]{file: f}, nil
}

// Write sets the numbers from index at on to x. Until it returns without an error, these numbers are undefined.
func (a *Array[T]) Write(x []T, at int64) error {
	n, err := a.file.WriteAt(raw(x), at*size[T]())
	if all := a.written.Add(int64(n)); all/portion > (all-int64(n))/portion {
		begin(a.file)
	}
	return err
}

// Read sets x to the numbers from index at on.
func (a *Array[T]) Read(x []T, at int64) error {
	_, err := a.file.ReadAt(raw(x), at*size[T]())
	return err
}

// Expect says that the numbers from:to are read soon, so that the disk can begin.
func (a *Array[T]) Expect(from, to int64) { expect(a.file, from*size[T](), to*size[T]()) }

// Close gives the room back. Whoever reads or writes afterwards, or still does, gets an error.
func (a *Array[T]) Close() { a.file.Close() }

// raw returns the bytes of numbers, in this machine's order.
func raw[T Number](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(size[T]()))
}

// size returns how many bytes a number takes.
func size[T Number]() int64 {
	var x T
	return int64(unsafe.Sizeof(x))
}

// Free returns how many bytes a folder's disk has left for this user.
func Free(dir string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}
