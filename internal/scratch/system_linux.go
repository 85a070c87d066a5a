package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

// reserve makes a file so many bytes long, all of which have their place on the disk.
func reserve(f *os.File, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	for {
		if err := unix.Fallocate(int(f.Fd()), 0, 0, bytes); err != unix.EINTR {
			return err
		}
	}
}

// expect has the system begin to read bytes from:to of a file. This is only a hint: without it, reading takes longer.
func expect(f *os.File, from, to int64) {
	_ = unix.Fadvise(int(f.Fd()), from, to-from, unix.FADV_WILLNEED)
}

// begin has the disk begin to write what a file's pages hold. This is only a hint, too.
func begin(f *os.File) { _ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) }
