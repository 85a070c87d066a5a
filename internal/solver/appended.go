package solver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// A program with a student is the program, the module, the module's length as 8 bytes, little-endian, and this mark.
const mark = "EPB-SOLVER-1\n"

// ErrNone is the error for a program that has no module behind it.
var ErrNone = errors.New("there is no student behind the program")

// Append returns a program with a module behind it.
func Append(program, wasm []byte) []byte {
	out := slices.Concat(program, wasm)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(wasm)))
	return append(out, mark...)
}

// Appended returns the module behind the program in a file.
func Appended(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size, tail := info.Size(), make([]byte, 8+len(mark))
	if size < int64(len(tail)) {
		return nil, ErrNone
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, err
	}
	if string(tail[8:]) != mark {
		return nil, ErrNone
	}
	length := binary.LittleEndian.Uint64(tail)
	if length > uint64(size)-uint64(len(tail)) {
		return nil, fmt.Errorf("%s: the student behind the program has %d bytes, and the file %d", path, length, size)
	}
	wasm := make([]byte, length)
	if _, err := f.ReadAt(wasm, size-int64(len(tail))-int64(length)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return wasm, nil
}
