package regular

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// Stdin is the file name that means standard input.
const Stdin = "-"

// maxStream is the most bytes read from a pipe, which may never end.
const maxStream = 1 << 30

// ReadInput is ReadFile that also reads pipes: standard input, or a named pipe such as a shell's <(command).
func ReadInput(path string) ([]byte, error) {
	if path == Stdin {
		info, err := os.Stdin.Stat()
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		if info.Mode()&os.ModeDevice != 0 {
			return nil, fmt.Errorf("read standard input: it is a terminal or another device, want a file or a pipe")
		}
		return readStream("standard input", os.Stdin, maxStream)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return ReadFile(path)
	}
	// Without this flag, opening a pipe waits until someone writes into it.
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer pipe.Close()
	return readStream(path, pipe, maxStream)
}

// readStream reads r, which must hold something, to its end.
func readStream(name string, r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("read %s: more than %d bytes came, want a file", name, most)
	case len(data) == 0:
		return nil, fmt.Errorf("read %s: nothing came", name)
	}
	return data, nil
}
