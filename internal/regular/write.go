package regular

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes beside path, waits for the disk, and renames: no half-written file ever has the name, not even after
// a power loss. It returns the length of the file.
func WriteFile(path string, write func(io.Writer) error) (length int64, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(tmp.Name())
	err = write(tmp)
	if err == nil {
		length, err = tmp.Seek(0, io.SeekEnd)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	return length, os.Rename(tmp.Name(), path)
}

// WriteBytes is WriteFile for a content that is at hand.
func WriteBytes(path string, data []byte) error {
	_, err := WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	return err
}
