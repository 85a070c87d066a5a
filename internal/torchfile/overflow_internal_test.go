package torchfile

import (
	"strings"
	"testing"
)

// A storage of 2^62 floats takes 2^64 bytes, which are 0 in an int: it is missing, and not there.
func TestStorageWhoseBytesOverflow(t *testing.T) {
	x := Tensor{storage: &storage{storageClass: floats, key: "0", count: 1 << 62}, shape: []int{1}, stride: []int{1}}
	if _, err := x.Dense(); err == nil || !strings.Contains(err.Error(), "storage 0 is missing") {
		t.Errorf("error %v", err)
	}
}
