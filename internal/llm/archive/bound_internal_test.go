package archive

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// A small file that unpacks to a large text is refused before all of it is read.
func TestLargeText(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"key": "` + strings.Repeat("x", 1<<20))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := readBounded(&packed, 1<<16)
	if err == nil || !strings.Contains(err.Error(), "more than 65536 bytes of text") {
		t.Errorf("error %v", err)
	}
}
