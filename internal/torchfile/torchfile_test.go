package torchfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/nlpodyssey/gopickle/types"
)

func TestUnpickle(t *testing.T) {
	// The texts are results of pickle.dumps([1, 2.5, 'x'], protocol).
	for _, text := range []string{
		"\x80\x02]q\x00(K\x01G@\x04\x00\x00\x00\x00\x00\x00X\x01\x00\x00\x00xq\x01e.",
		"\x80\x04\x95\x14\x00\x00\x00\x00\x00\x00\x00]\x94(K\x01G@\x04\x00\x00\x00\x00\x00\x00\x8c\x01x\x94e.",
	} {
		value, err := Unpickle([]byte(text))
		if want := types.NewListFromSlice([]any{1, 2.5, "x"}); err != nil || !reflect.DeepEqual(value, want) {
			t.Errorf("%q: %v (%v)", text, value, err)
		}
		for n := range text {
			if _, err := Unpickle([]byte(text[:n])); err == nil {
				t.Errorf("%q was read", text[:n])
			}
		}
	}
	for text, want := range map[string]string{
		"\x80\x02]..": "1 bytes follow the pickle",
		"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f].":    "ends within a frame",
		"\x80\x02cposix\nsystem\nX\x02\x00\x00\x00ls\x85R.": "the pickle names posix.system",
		"\x80\x04\x8c\x05posix\x8c\x06system\x93.":          "opcode 0x93 is refused",
		"\x80\x02ctorch\nFloatStorage\n.":                   "the pickle names torch.FloatStorage",
		"\x80\x02(X\x07\x00\x00\x00storageK\x01X\x01\x00\x00\x000K\x01K\x03tQ.": "a persistent id has values of the " +
			"wrong type",
		"\x80\x02e.": "malformed pickle",
		"":           "the pickle has no end",
	} {
		if _, err := Unpickle([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// overlapping returns a zip checkpoint with a tuple of tensors. Each tensor has a member of its own, but all members
// are the same bytes.
func overlapping(t testing.TB, members, size int) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	program := "\x80\x02("
	for i := range members {
		count := string(binary.LittleEndian.AppendUint32([]byte("J"), uint32(size)))
		program += "ctorch._utils\n_rebuild_tensor\n((X\x07\x00\x00\x00storagectorch\nByteStorage\nX\x01\x00\x00\x00" +
			string(rune('a'+i)) + "X\x03\x00\x00\x00cpu" + count + "NtQK\x00K\x01\x85K\x01\x85tR"
	}
	content := make([]byte, size)
	for i := -1; i < members; i++ {
		name, data := "x/data.pkl", []byte(program+"t.")
		if i >= 0 {
			name, data = "x/data/"+string(rune('a'+i)), content
			content = nil // for all members but the first
		}
		m, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	// The other entries of the directory get the checksum, both sizes and the position of the first.
	data := buf.Bytes()
	var first []byte
	for at := range data {
		if entry := data[at:]; bytes.HasPrefix(entry, []byte("PK\x01\x02")) &&
			bytes.HasPrefix(entry[46:], []byte("x/data/")) {
			if first == nil {
				first = entry
			}
			copy(entry[16:28], first[16:28])
			copy(entry[42:46], first[42:46])
		}
	}
	return data
}

// TestOverlappingMembers: memory use does not grow if a directory names the same bytes many times.
func TestOverlappingMembers(t *testing.T) {
	if _, err := Read(overlapping(t, 1, 5000)); err != nil {
		t.Error(err)
	}
	if _, err := Read(overlapping(t, 20, 5000)); err == nil || !strings.Contains(err.Error(), "they overlap") {
		t.Errorf("error %v, want one that says so", err)
	}
}

// FuzzRead requires an error or a value from any bytes, never a panic. Of a tensor it requires its bytes or an error.
func FuzzRead(f *testing.F) {
	f.Add(
		[]byte("\x80\x04\x95\x14\x00\x00\x00\x00\x00\x00\x00]\x94(K\x01G@\x04\x00\x00\x00\x00\x00\x00\x8c\x01x\x94e."),
	)
	f.Add(append(
		append([]byte{}, StreamMagic...), "\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.\x80\x02}.\x80\x02]."...,
	))
	f.Add(overlapping(f, 3, 100))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Unpickle(data)
		object, err := Read(data)
		if err != nil {
			return
		}
		if tensor, ok := object.(*Tensor); ok {
			_, _ = tensor.Dense()
		}
		for _, v := range Items(object) {
			if tensor, ok := v.(*Tensor); ok {
				_, _ = tensor.Dense()
			}
		}
	})
}
