package scratch_test

import (
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/scratch"
)

// What is written is read again, wherever it lies, and nothing is left in the folder.
func TestFloatsKeepWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	const n = 3*1024 + 7
	f, err := scratch.NewFloats(dir, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.X) != n {
		t.Fatalf("%d numbers, want %d", len(f.X), n)
	}
	for i, x := range f.X {
		if x != 0 {
			t.Fatalf("number %d begins as %v", i, x)
		}
		f.X[i] = float32(i)
	}
	for _, part := range [][2]int64{{0, n}, {1500, 1501}, {n - 1, n}, {7, 7}} {
		f.Expect(part[0], part[1])
	}
	for i, x := range f.X {
		if x != float32(i) {
			t.Fatalf("number %d is %v", i, x)
		}
	}
	f.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// More than the disk has is refused at once, and where it would have been is said.
func TestFullDiskIsAnError(t *testing.T) {
	dir := t.TempDir()
	free, err := scratch.Free(dir)
	if err != nil || free <= 0 {
		t.Fatalf("free: %d bytes, %v", free, err)
	}
	if _, err := scratch.NewFloats(dir, free/2); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("twice what is free: %v, want an error that names %s", err, dir)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if _, err := scratch.NewFloats(dir+"/none", 1); err == nil {
		t.Error("a folder that does not exist: no error")
	}
	if none, err := scratch.NewFloats(dir, 0); err != nil || len(none.X) != 0 {
		t.Errorf("no numbers: %v, %v", none.X, err)
	}
}
