package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// ReadIn reads a regular file of at most so many bytes in a folder. It does not follow a link out of the folder and
// does not wait for a pipe.
func ReadIn(folder *os.Root, name string, most int64) ([]byte, error) {
	// Without this flag, opening a pipe that nobody writes into never returns.
	f, err := folder.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, inside(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("read %s: it is a folder, want a regular file", name)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: it is a device or a pipe, want a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("read %s: the file has more than %d bytes", name, most)
	}
	return data, err
}

// inside explains the error about a link that leads out of a folder; package os has no name for it.
func inside(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && strings.Contains(path.Err.Error(), "escapes") {
		return fmt.Errorf("read %s: it is a link out of the folder, want a file that lies in it", path.Path)
	}
	return err
}
