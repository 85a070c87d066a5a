package torchfile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/nlpodyssey/gopickle/types"
)

func TestUnpickle(t *testing.T) {
	// pickle.dumps([1, 2.5, 'x'], protocol)
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
		"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f].":                        "ends within a frame",
		"\x80\x02cposix\nsystem\nX\x02\x00\x00\x00ls\x85R.":                     "the pickle names posix.system",
		"\x80\x04\x8c\x05posix\x8c\x06system\x93.":                              "opcode 0x93 is refused",
		"\x80\x02ctorch\nFloatStorage\n.":                                       "the pickle names torch.FloatStorage",
		"\x80\x02(X\x07\x00\x00\x00storageK\x01X\x01\x00\x00\x000K\x01K\x03tQ.": "a persistent id has values of the wrong type",
		"\x80\x02e.": "malformed pickle",
		"":           "the pickle has no end",
	} {
		if _, err := Unpickle([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// FuzzRead wants an error or a value from any bytes, never a panic, and of a tensor its bytes or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x80\x04\x95\x14\x00\x00\x00\x00\x00\x00\x00]\x94(K\x01G@\x04\x00\x00\x00\x00\x00\x00\x8c\x01x\x94e."))
	f.Add(append(append([]byte{}, StreamMagic...), "\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.\x80\x02}.\x80\x02]."...))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Unpickle(data)
		object, err := Read(data)
		if err != nil {
			return
		}
		if tensor, ok := object.(*Tensor); ok {
			_, _ = tensor.Bytes()
		}
		for _, v := range Items(object) {
			if tensor, ok := v.(*Tensor); ok {
				_, _ = tensor.Bytes()
			}
		}
	})
}
