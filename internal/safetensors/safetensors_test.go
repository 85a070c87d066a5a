package safetensors

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
)

func sample(t testing.TB) []byte {
	t.Helper()
	data, err := Encode([]Tensor{
		New("b", []uint16{1, 2, 65535}, 3),
		New("a", []float32{1.5, -2, 0, 4, 5, 6}, 2, 3),
		New("scalar", []int64{-7}),
		New("empty", []int32{}, 0, 4),
	}, map[string]string{"k": "v <&> \"q\"", "a": "b"})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	data := sample(t)
	tensors, meta, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range tensors {
		names = append(names, x.Name)
	}
	if want := []string{"scalar", "a", "empty", "b"}; !slices.Equal(names, want) {
		t.Errorf("order %v, want %v", names, want)
	}
	if meta["k"] != "v <&> \"q\"" || len(meta) != 2 {
		t.Errorf("metadata %v", meta)
	}
	a, err := Values[float32](tensors[1])
	if err != nil || !slices.Equal(a, []float32{1.5, -2, 0, 4, 5, 6}) || !slices.Equal(
		tensors[1].Shape(), []int{2, 3},
	) {
		t.Errorf("a = %v %v (%v)", a, tensors[1].Shape(), err)
	}
	if b, err := Values[uint16](tensors[3]); err != nil || !slices.Equal(b, []uint16{1, 2, 65535}) {
		t.Errorf("b = %v (%v)", b, err)
	}
	if _, err := Values[int32](tensors[1]); err == nil {
		t.Error("floats were read as integers")
	}
	again, err := Encode([]Tensor{tensors[3], tensors[2], tensors[0], tensors[1]}, meta)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("the bytes depend on the order of the tensors (%v)", err)
	}
}

// file builds a file from a header and values by hand.
func file(header string, values int) []byte {
	return append(
		append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), make([]byte, values)...,
	)
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "too short"},
		{sample(t)[:20], "truncated: header"},
		{sample(t)[:len(sample(t))-1], "truncated: tensor b"},
		{append(sample(t), 0), "1 bytes after the last tensor"},
		{file(`[]`, 0), "not a JSON object"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`, 4), "does not end"},
		{file(`{} {}`, 0), "something follows"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},`+
			`"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "a is named twice"},
		{file(`{"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}}`, 4), `unknown type "F33"`},
		{file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4), "do not hold"},
		{file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 4), "do not hold"},
		{file(`{"a":{"dtype":"F32","shape":[4611686018427387905,4],"data_offsets":[0,16]}}`, 16), "do not hold"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "begin at 0"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}`, 8), "two data_offsets"},
		{file(`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, 4), "want a shape"},
		{file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}`, 4), "unknown field"},
		{file(`{"__metadata__":{"a":1}}`, 0), "__metadata__"},
		{bytes.Replace(
			file(`{"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}`, 1), []byte("}}\x00"), []byte("}}\x02"), 1,
		), "neither 0 nor 1"},
		{file("{\"\xff\":1}", 0), "not UTF-8"},
		{
			append([]byte{0, 0, 0, 0, 0, 0, 0, 0x80}, make([]byte, 100)...),
			"no safetensors file: it would begin with a header of",
		},
		{[]byte("PK\x03\x04\x14\x00\x00\x00\x08\x00"), "no safetensors file but a zip archive, such as an .npz file"},
		{[]byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20"), "no safetensors file but looks like a pickle"},
	} {
		if _, _, err := Decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: error %v, want one with %q", c.data, err, c.want)
		}
	}
}

// TestElementTypes: every type of the format is read and written without loss.
func TestElementTypes(t *testing.T) {
	var tensors []Tensor
	add := func(x Tensor) { tensors = append(tensors, x) }
	add(New("bool", []bool{true, false}, 2))
	add(New("u8", []uint8{255, 1}, 2))
	add(New("i8", []int8{-128, 1}, 2))
	add(New("u16", []uint16{65535, 1}, 2))
	add(New("i16", []int16{-32768, 1}, 2))
	add(New("f16", []dense.Float16{0x3c00, 1}, 2))
	add(New("bf16", []dense.BFloat16{0x3f80, 1}, 2))
	add(New("u32", []uint32{1 << 31, 1}, 2))
	add(New("i32", []int32{-1 << 31, 1}, 2))
	add(New("f32", []float32{-1.5, 1}, 2))
	add(New("u64", []uint64{1 << 63, 1}, 2))
	add(New("i64", []int64{-1 << 63, 1}, 2))
	add(New("f64", []float64{-1.5, 1}, 2))
	if len(tensors) != len(elements) {
		t.Errorf("%d tensors for %d types", len(tensors), len(elements))
	}
	data, err := Encode(tensors, nil)
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range back {
		i := slices.IndexFunc(tensors, func(x Tensor) bool { return x.Name == got.Name })
		want := tensors[i]
		if got.DType() != DType(strings.ToUpper(got.Name)) || got.DType() != want.DType() ||
			!bytes.Equal(got.Raw, want.Raw) {
			t.Errorf("%s: %s %v, want %s %v", got.Name, got.DType(), got.Raw, want.DType(), want.Raw)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	transposed := New("x", make([]float32, 6), 2, 3)
	if err := transposed.T(); err != nil {
		t.Fatal(err)
	}
	for want, tensors := range map[string][]Tensor{
		"the name is taken":              {New("a", []uint8{1}, 1), New("a", []uint8{1}, 1)},
		"tensor __metadata":              {New("__metadata__", []uint8{1}, 1)},
		"tensor x is a view, transposed": {transposed},
		"tensor x is missing":            {{Name: "x"}},
		"has no type complex64":          {New("x", []complex64{1}, 1)},
	} {
		if _, err := Encode(tensors, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// FuzzDecode requires an error, or tensors that encode to a file with the same contents.
func FuzzDecode(f *testing.F) {
	f.Add(sample(f))
	f.Add(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, meta, err := Decode(data)
		if err != nil {
			return
		}
		encoded, err := Encode(tensors, meta)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Decode(encoded)
		if err != nil || len(again) != len(tensors) {
			t.Fatalf("%d tensors, %d after a round trip (%v)", len(tensors), len(again), err)
		}
	})
}

// TestLongTokens: an error quotes only the beginning of a long token of the header.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, header := range []string{
		`{"` + long + `": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}`,
		`{"` + long + `": {"dtype": "F33", "shape": [1], "data_offsets": [0, 4]}}`,
		`{"x": {"dtype": "` + long + `", "shape": [1], "data_offsets": [0, 4]}}`,
		`{"x": {"` + long + `": 1}}`,
		`{"x": {"dtype": "F32", "shape": [` + strings.Repeat("1,", 1<<20) + `1], "data_offsets": [0, 8]}}`,
		`{"__metadata__": {"x": {"` + long + `": 1}}}`,
		`{"__metadata__": "` + long + `"}`,
	} {
		data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
		_, _, err := Decode(append(data, 0, 0, 0, 0))
		if err == nil {
			t.Errorf("%.40q was read", header)
		} else if len(err.Error()) > 800 {
			t.Errorf("%.40q: an error of %d bytes", header, len(err.Error()))
		}
	}
}
