package scratch_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/scratch"
)

// What is written is read again, in whatever pieces, and nothing is left in the folder.
func TestArrayKeepsWhatIsWritten(t *testing.T) {
	t.Run("floats", func(t *testing.T) { keepsWhatIsWritten(t, func(i int) float32 { return float32(i) / 3 }) })
	t.Run("halves", func(t *testing.T) { keepsWhatIsWritten(t, func(i int) uint16 { return uint16(i * 7919) }) })
}

func keepsWhatIsWritten[T scratch.Number](t *testing.T, number func(i int) T) {
	dir := t.TempDir()
	const n = 300*1024 + 7 // more than a portion
	f, err := scratch.New[T](dir, n)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]T, n)
	for i := range want {
		want[i] = number(i)
	}
	for from := 0; from < n; from += 500 {
		if err := f.Write(want[from:min(from+500, n)], int64(from)); err != nil {
			t.Fatal(err)
		}
	}
	f.Expect(0, n)
	for _, part := range [][2]int{{0, n}, {1500, 1501}, {n - 1, n}, {7, 7}} {
		got := make([]T, part[1]-part[0])
		if err := f.Read(got, int64(part[0])); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want[part[0]:part[1]]) {
			t.Errorf("numbers %v differ from what was written", part)
		}
	}
	if err := f.Read(make([]T, 2), n-1); err == nil {
		t.Error("beyond the end: no error")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	f.Close()
	if err := f.Read(make([]T, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := f.Write(make([]T, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// More than the disk has is refused at once, and where it would have been is said.
func TestFullDiskIsAnError(t *testing.T) {
	dir := t.TempDir()
	free, err := scratch.Free(dir)
	if err != nil || free <= 0 {
		t.Fatalf("free: %d bytes, %v", free, err)
	}
	if _, err := scratch.New[float32](dir, free/2); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("twice what is free: %v, want an error that names %s", err, dir)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if _, err := scratch.New[float32](dir+"/none", 1); err == nil {
		t.Error("a folder that does not exist: no error")
	}
}
