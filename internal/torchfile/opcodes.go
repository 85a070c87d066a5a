package torchfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// argument says how the argument of a pickle opcode is stored: a number of bytes, or one of the kinds below.
type argument int

const (
	byteLength argument = -1 - iota // one byte with the length, then that many bytes
	intLength                       // four bytes with the length, then that many bytes
	line                            // text up to a newline
	global                          // two lines: module and name
	refused                         // an opcode that no checkpoint needs
)

// frame is the opcode that says how many bytes to read ahead.
const frame = '\x95'

// opcodes are the opcodes that pickles of tensors and plain containers need. All others (instances, extensions, names
// from the stack) are refused.
var opcodes = func() (table [256]argument) {
	for i := range table {
		table[i] = refused
	}
	for _, op := range []byte("(.012NQRabde})]lstu\x85\x86\x87\x88\x89") {
		table[op] = 0
	}
	for op, arg := range map[byte]argument{
		'\x80': 1, 'K': 1, 'M': 2, 'J': 4, 'G': 8, 'h': 1, '\x94': 0, frame: 8, '\x8c': byteLength, 'j': 4, 'q': 1,
		'r':    4,
		'\x8a': byteLength, 'U': byteLength, 'C': byteLength, 'X': intLength, 'T': intLength, 'B': intLength,
		'I': line, 'L': line, 'F': line, 'V': line, 'g': line, 'p': line, 'c': global,
	} {
		table[op] = arg
	}
	return table
}()

// scanPickle walks the opcodes of the pickle at the start of data, without running it, and returns its length in bytes.
// It returns an error for globals for which allowed is false, for opcodes outside the table and for arguments that run
// past the end.
func scanPickle(data []byte, allowed func(global string) bool) (int, error) {
	for at := 0; at < len(data); {
		op := data[at]
		arg, size := opcodes[op], 0
		rest := data[at+1:]
		switch arg {
		case refused:
			return 0, fmt.Errorf(
				"byte %d: pickle opcode %#02x is refused: tensors and plain containers do not need it", at, op,
			)
		case byteLength:
			if len(rest) > 0 {
				size = 1 + int(rest[0])
			} else {
				size = 1
			}
		case intLength:
			size = 4
			if len(rest) >= 4 {
				size = 4 + int(binary.LittleEndian.Uint32(rest))
			}
		case line, global:
			lines := 1
			if arg == global {
				lines = 2
			}
			for range lines {
				end := bytes.IndexByte(rest[size:], '\n')
				if end < 0 {
					return 0, fmt.Errorf("truncated: the pickle ends within opcode %#02x", op)
				}
				size += end + 1
			}
			if arg == global {
				name := strings.Replace(strings.TrimSuffix(string(rest[:size]), "\n"), "\n", ".", 1)
				if !allowed(name) {
					return 0, fmt.Errorf("the pickle names %.80s: only tensors, numbers and plain containers are "+
						"loaded. Save a state_dict() or lists", name)
				}
			}
		default:
			size = int(arg)
		}
		if op == frame && len(rest) >= size && binary.LittleEndian.Uint64(rest) > uint64(len(rest)-size) {
			return 0, fmt.Errorf("truncated: the pickle ends within a frame")
		}
		if size > len(rest) {
			return 0, fmt.Errorf("truncated: the pickle ends within opcode %#02x", op)
		}
		at += 1 + size
		if op == '.' {
			return at, nil
		}
	}
	return 0, fmt.Errorf("truncated: the pickle has no end")
}
