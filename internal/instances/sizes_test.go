package instances

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/torchfile"
)

// headed is an npz archive of one array coords of a shape, whose values are not there.
func headed(t testing.TB, shape ...int) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	if err := writeArray(z, "coords", "<f4", []float32{}, shape...); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// claiming is a zip archive of members that claim to unpack to size bytes each.
func claiming(t testing.TB, size uint64, members ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range members {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate,
			UncompressedSize64: size}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// emptyTensor is a file of torch.save with a tensor of shape [1000000000, 0, 2] on a storage of two numbers.
func emptyTensor() []byte {
	size := string(binary.LittleEndian.AppendUint32([]byte("J"), 1_000_000_000))
	return []byte(string(torchfile.StreamMagic) + "\x80\x02}X\x0d\x00\x00\x00little_endian\x88s." +
		"\x80\x02ctorch._utils\n_rebuild_tensor\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000" +
		"X\x03\x00\x00\x00cpuK\x02NtQK\x00" + size + "K\x00K\x02\x87K\x00K\x02K\x01\x87tR." +
		"\x80\x02]X\x01\x00\x00\x000a.\x02" + strings.Repeat("\x00", 15))
}

// repeated is a pickle of a list of times instances, each the same list of times cities.
func repeated(times int) []byte {
	city := func(x float64) string { return "](" + double(x) + double(0.5) + "e" }
	return []byte("\x80\x02](](" + city(0) + city(1) + "q\x00" + strings.Repeat("h\x00", times-1) + "eq\x01" +
		strings.Repeat("h\x01", times-1) + "e.")
}

// immodest are files that ask for much more memory than they have bytes.
func immodest(t testing.TB) map[string]struct {
	data []byte
	want string
} {
	return map[string]struct {
		data []byte
		want string
	}{
		"npz of no nodes": {headed(t, 1_000_000_000, 0, 2),
			"no instances: array coords has shape [1000000000 0 2]"},
		"npz of nothing":      {headed(t, 1_000_000_000, 20, 2), "impossible shape [1000000000 20 2]"},
		"npz of overflow":     {headed(t, 1<<62, 1<<62, 2), "impossible shape"},
		"npz of no instances": {headed(t, 0, 1<<62, 2), "no instances"},
		"npz, a large member": {claiming(t, 3<<29, "coords.npy"), "want at most 1073741824"},
		"npz, many members":   {claiming(t, 1<<30, "a.npy", "b.npy", "c.npy"), "more than 2147483648 bytes together"},
		"tensor of no nodes":  {emptyTensor(), "no instances: array coords has shape [1000000000 0 2]"},
		"pickle of one list":  {repeated(20_000), "more numbers than the file has bytes"},
		"TSPLIB, DIMENSION": {[]byte(strings.Replace(burma14, "DIMENSION: 14", "DIMENSION: 999999999", 1)),
			"DIMENSION says 999999999"},
		"TSPLIB, a matrix": {[]byte(strings.Replace(fullMatrix, "DIMENSION : 4", "DIMENSION : 999999999", 1)),
			"DIMENSION says 999999999"},
		"CVRPLIB, DIMENSION": {[]byte(strings.Replace(vrp, "DIMENSION : 4", "DIMENSION : 999999999", 1)),
			"DIMENSION says 999999999"},
		"LEHD, a short tour": {[]byte("0 0 0 1 1 0 output 1 999999999 2 1\n"), "tour"},
	}
}

// TestImmodestFiles: what is allocated is bounded by what the file really holds.
func TestImmodestFiles(t *testing.T) {
	for name, c := range immodest(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		files, err := parseFile("set", 0, c.data)
		runtime.ReadMemStats(&after)
		if c.want != "" && (files != nil || err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d instances, error %v, want one with %q", name, len(files), err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: %d bytes were allocated for a file of %d", name, used, len(c.data))
		}
	}
}
