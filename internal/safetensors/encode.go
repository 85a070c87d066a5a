package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/dense"
)

// align is the multiple of bytes at which the values begin.
const align = 8

// Encode returns the file of the given tensors and metadata. Larger element sizes come first, then tensors are in the
// order of their names. So each tensor begins at a multiple of its element size, and the bytes do not depend on the
// order of the argument.
func Encode(tensors []Tensor, meta map[string]string) ([]byte, error) {
	entries, byName := make([]Entry, len(tensors)), make(map[string]Tensor, len(tensors))
	values := 0
	for i, t := range tensors {
		if err := dense.CheckPlain("encode tensor "+t.Name, t.Dense); err != nil {
			return nil, err
		}
		if t.DType() == "" {
			return nil, fmt.Errorf("encode tensor %s: safetensors has no type %v", t.Name, t.Dtype())
		}
		entries[i], byName[t.Name] = t.Entry(), t
		values += len(t.Raw)
	}
	head, order, err := Head(entries, meta)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(head)+values), head...)
	for _, e := range order {
		out = append(out, dense.Bytes(byName[e.Name].Dense)...)
	}
	return out, nil
}

// Head returns the part of Encode's file before the values, and the tensors in the order of their values. The values
// themselves may be elsewhere.
func Head(entries []Entry, meta map[string]string) (head []byte, order []Entry, err error) {
	order = slices.Clone(entries)
	slices.SortFunc(order, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.DType.Size(), a.DType.Size()), cmp.Compare(a.Name, b.Name))
	})
	var header bytes.Buffer
	header.WriteByte('{')
	if len(meta) > 0 {
		m, err := json.Marshal(meta)
		if err != nil {
			return nil, nil, fmt.Errorf("encode metadata: %w", err)
		}
		fmt.Fprintf(&header, `"__metadata__":%s`, m)
	}
	seen := map[string]bool{metaKey: true}
	end := 0
	for _, t := range order {
		if seen[t.Name] {
			return nil, nil, fmt.Errorf("encode tensor %s: the name is taken", t.Name)
		}
		seen[t.Name] = true
		n, ok := dense.Elements(t.Shape)
		if !ok || t.DType.Size() == 0 {
			return nil, nil, fmt.Errorf("encode tensor %s: type %s and shape %v", t.Name, t.DType, t.Shape)
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		entry, err := json.Marshal(headerEntry{t.DType, shape, []int{end, end + n*t.DType.Size()}})
		if err != nil {
			return nil, nil, fmt.Errorf("encode tensor %s: %w", t.Name, err)
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("encode tensor %s: %w", t.Name, err)
		}
		if header.Len() > 1 {
			header.WriteByte(',')
		}
		fmt.Fprintf(&header, "%s:%s", name, entry)
		end += n * t.DType.Size()
	}
	header.WriteByte('}')
	for header.Len()%align != 0 {
		header.WriteByte(' ')
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(header.Len())), header.Bytes()...), order, nil
}
