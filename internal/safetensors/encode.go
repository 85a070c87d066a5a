package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// align is the boundary at which the values begin.
const align = 8

// Encode returns the file of the given tensors and metadata. Tensors are laid out by falling element size, then by name, so that
// each begins at a multiple of its element size and the bytes do not depend on the order given.
func Encode(tensors []Tensor, meta map[string]string) ([]byte, error) {
	sorted := slices.Clone(tensors)
	slices.SortFunc(sorted, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(b.DType.Size(), a.DType.Size()), cmp.Compare(a.Name, b.Name))
	})
	var header bytes.Buffer
	header.WriteByte('{')
	if len(meta) > 0 {
		m, err := json.Marshal(meta)
		if err != nil {
			return nil, fmt.Errorf("encode metadata: %w", err)
		}
		fmt.Fprintf(&header, `"__metadata__":%s`, m)
	}
	seen := map[string]bool{metaKey: true}
	end := 0
	for _, t := range sorted {
		if seen[t.Name] {
			return nil, fmt.Errorf("encode tensor %s: the name is taken", t.Name)
		}
		seen[t.Name] = true
		if n, ok := elements(t.Shape); !ok || t.DType.Size() == 0 || n*t.DType.Size() != len(t.Data) {
			return nil, fmt.Errorf("encode tensor %s: %d bytes for type %s and shape %v", t.Name, len(t.Data), t.DType, t.Shape)
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		entry, err := json.Marshal(entry{t.DType, shape, []int{end, end + len(t.Data)}})
		if err != nil {
			return nil, fmt.Errorf("encode tensor %s: %w", t.Name, err)
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, fmt.Errorf("encode tensor %s: %w", t.Name, err)
		}
		if header.Len() > 1 {
			header.WriteByte(',')
		}
		fmt.Fprintf(&header, "%s:%s", name, entry)
		end += len(t.Data)
	}
	header.WriteByte('}')
	for header.Len()%align != 0 {
		header.WriteByte(' ')
	}
	out := make([]byte, 0, 8+header.Len()+end)
	out = binary.LittleEndian.AppendUint64(out, uint64(header.Len()))
	out = append(out, header.Bytes()...)
	for _, t := range sorted {
		out = append(out, t.Data...)
	}
	return out, nil
}
