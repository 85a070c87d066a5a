package devstack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Logs writes the last lines of the services' logs to w, each line after its service's name. With follow it then writes
// new lines until ctx ends.
func (s *Stack) Logs(ctx context.Context, w io.Writer, services []string, lines int, follow bool) error {
	offsets := make([]int64, len(services))
	for i, name := range services {
		data, err := os.ReadFile(s.Log(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		offsets[i] = int64(bytes.LastIndexByte(data, '\n') + 1)
		if err := writeLines(w, name, lastLines(data[:offsets[i]], lines)); err != nil {
			return err
		}
	}
	for follow {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(300 * time.Millisecond):
		}
		for i, name := range services {
			fresh, from, err := readFrom(s.Log(name), offsets[i])
			if err != nil {
				return err
			}
			fresh = fresh[:bytes.LastIndexByte(fresh, '\n')+1]
			offsets[i] = from + int64(len(fresh))
			if err := writeLines(w, name, fresh); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFrom returns a file from an offset on, or from its beginning if it is shorter: then a service has begun a new
// log.
func readFrom(path string, offset int64) (data []byte, from int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() < offset {
		offset = 0
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, 0, err
	}
	data, err = io.ReadAll(f)
	return data, offset, err
}

// lastLines returns the last n of the whole lines in data.
func lastLines(data []byte, n int) []byte {
	start := len(data)
	for ; n > 0 && start > 0; n-- {
		start = bytes.LastIndexByte(data[:start-1], '\n') + 1
	}
	return data[start:]
}

func writeLines(w io.Writer, name string, data []byte) error {
	for line := range bytes.Lines(data) {
		if _, err := fmt.Fprintf(w, "%-8s | %s", name, line); err != nil {
			return err
		}
	}
	return nil
}
