package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/dense"
)

// MaxName limits the name of a tensor, in bytes, because every error about the tensor contains it.
const MaxName = 300

const (
	metaKey   = "__metadata__"
	maxHeader = 100 << 20 // the format's own limit
	maxDims   = 64
)

// headerEntry is one tensor's description in the header.
type headerEntry struct {
	DType  DType `json:"dtype"`
	Shape  []int `json:"shape"`
	Offset []int `json:"data_offsets"`
}

// Sniff reports whether data may be a safetensors file.
func Sniff(data []byte) bool {
	return len(data) > 8 && data[8] == '{' && binary.LittleEndian.Uint64(data) <= maxHeader
}

// Header returns the JSON header of what may be a safetensors file, as much of it as is there; nil of other data.
func Header(data []byte) []byte {
	if !Sniff(data) {
		return nil
	}
	return data[8:][:min(binary.LittleEndian.Uint64(data), uint64(len(data)-8))]
}

// Decode returns copies of the tensors of a file, in the order of their data, and the file's metadata.
func Decode(data []byte) ([]Tensor, map[string]string, error) {
	if len(data) < 8 {
		return nil, nil, fmt.Errorf("safetensors: %d bytes, too short for a header", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	if n > maxHeader {
		return nil, nil, fmt.Errorf(
			"safetensors: this is no safetensors file%s: it would begin with a header of %d bytes, want at most %d",
			otherKind(data), n, maxHeader,
		)
	}
	if n > uint64(len(data)-8) {
		return nil, nil, fmt.Errorf("safetensors: truncated: header of %d bytes in a file of %d", n, len(data))
	}
	entries, offsets, meta, err := decodeHeader(data[8 : 8+n])
	if err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := offsets[i], offsets[j]
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(entries[i].Name, entries[j].Name))
	})
	values := data[8+n:]
	out := make([]Tensor, len(entries))
	end := 0
	for k, i := range order {
		t, o := entries[i], offsets[i]
		if o[0] != end || o[1] < o[0] {
			return nil, nil, fmt.Errorf(
				"safetensors: tensor %s: data_offsets %v, want them to begin at %d", t.Name, o, end,
			)
		}
		end = o[1]
		if count, ok := dense.Elements(t.Shape); !ok || count*t.DType.Size() != o[1]-o[0] {
			return nil, nil, fmt.Errorf(
				"safetensors: tensor %s: data_offsets %v do not hold type %s of shape %v", t.Name, o, t.DType, t.Shape,
			)
		}
		if end > len(values) {
			return nil, nil, fmt.Errorf(
				"safetensors: truncated: tensor %s ends at byte %d of %d", t.Name, end, len(values),
			)
		}
		data := values[o[0]:o[1]]
		if t.DType == Bool && slices.ContainsFunc(data, func(b byte) bool { return b > 1 }) {
			return nil, nil, fmt.Errorf("safetensors: tensor %s: a byte of type BOOL is neither 0 nor 1", t.Name)
		}
		out[k] = Tensor{t.Name, elements[t.DType].decode(data, t.Shape)}
	}
	if end != len(values) {
		return nil, nil, fmt.Errorf("safetensors: %d bytes after the last tensor", len(values)-end)
	}
	return out, meta, nil
}

// otherKind names the kind of file that data begins like, if people often take that kind for safetensors.
func otherKind(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return " but a zip archive, such as an .npz file or PyTorch's .pt"
	case data[0] == 0x80:
		return " but looks like a pickle, such as an old .pt file of PyTorch"
	}
	return ""
}

// decodeHeader reads the JSON object key by key, because encoding/json accepts a repeated name.
func decodeHeader(header []byte) (entries []Entry, offsets [][]int, meta map[string]string, err error) {
	if !utf8.Valid(header) {
		return nil, nil, nil, errors.New("not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(header))
	dec.DisallowUnknownFields()
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, nil, nil, errors.New("not a JSON object")
	}
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, nil, nil, err
		}
		name, ok := tok.(string)
		if !ok || seen[name] {
			return nil, nil, nil, fmt.Errorf("%.80v is named twice", tok)
		}
		if len(name) > MaxName {
			return nil, nil, nil, fmt.Errorf(
				"tensor %.80s…: a name of %d bytes, want %d at most", name, len(name), MaxName,
			)
		}
		seen[name] = true
		if name == metaKey {
			if err := dec.Decode(&meta); err != nil {
				return nil, nil, nil, fmt.Errorf("%s: %.200w", metaKey, err)
			}
			continue
		}
		var e headerEntry
		if err := dec.Decode(&e); err != nil {
			return nil, nil, nil, fmt.Errorf("tensor %s: %.200w", name, err)
		}
		if e.DType.Size() == 0 {
			return nil, nil, nil, fmt.Errorf("tensor %s: unknown type %.80q", name, e.DType)
		}
		if e.Shape == nil || len(e.Shape) > maxDims || len(e.Offset) != 2 {
			return nil, nil, nil, fmt.Errorf(
				"tensor %s: want a shape of %d dimensions at most and two data_offsets", name, maxDims,
			)
		}
		entries = append(entries, Entry{Name: name, DType: e.DType, Shape: e.Shape})
		offsets = append(offsets, e.Offset)
	}
	if _, err := dec.Token(); err != nil {
		return nil, nil, nil, errors.New("the JSON object does not end")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, nil, nil, errors.New("something follows the JSON object")
	}
	return entries, offsets, meta, nil
}
