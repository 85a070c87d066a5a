package rollout

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// TestWriter: any division into pieces gives the file of the whole shard.
func TestWriter(t *testing.T) {
	for name, whole := range map[string]*Shard{
		"tsp":            record(t, 7, 6, 1),
		"cvrp":           recordCVRP(t, problems.NearestNeighbour{}, 8, 6, 2),
		"cvrp via depot": recordCVRP(t, viaPolicy{}, 8, 6, 2),
	} {
		want, err := whole.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for _, cuts := range [][]int{{0, 6}, {0, 1, 2, 3, 4, 5, 6}, {0, 4, 4, 6}} {
			dir := t.TempDir()
			w, err := NewWriter(dir)
			if err != nil {
				t.Fatal(err)
			}
			for k := range cuts[1:] {
				if err := w.Append(whole.Slice(cuts[k], cuts[k+1])); err != nil {
					t.Fatal(err)
				}
			}
			for _, compress := range []bool{false, true} {
				var got bytes.Buffer
				if err := w.Finish(&got, compress); err != nil {
					t.Fatal(err)
				}
				data := got.Bytes()
				if compress {
					if data, err = decompress(data); err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(data, want) || w.Size() != whole.Size() {
					t.Errorf("%s in pieces %v: %d bytes of %+v, want the %d of %+v",
						name, cuts, len(data), w.Size(), len(want), whole.Size())
				}
			}
			if err := w.Append(record(t, 9, 1, 1)); err == nil || !strings.Contains(err.Error(), "nodes:9") {
				t.Errorf("%s: a piece of another size: error %v", name, err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%s: left behind %v", name, left)
			}
		}
	}
}

// recordTo records instances, from every node, to a file, in pieces of about size bytes. It returns the file's length
// and the largest live memory after a piece.
func recordTo(t *testing.T, insts []routing.Instance, size int) (length int64, peak uint64) {
	t.Helper()
	dir := t.TempDir()
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	every := routing.EveryFirst(problems.Must(insts[0].Problem).Traits(), insts[0].N())
	measure := func() {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	err = recordPieces(t.Context(), problems.NearestNeighbour{}, insts, func(int) []routing.Run { return every }, nil,
		func(piece *Shard) error {
			if err := w.Append(piece); err != nil {
				return err
			}
			measure()
			runtime.KeepAlive(piece)
			return nil
		}, size)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "shard"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := w.Finish(file, false); err != nil {
		t.Fatal(err)
	}
	measure()
	length, err = file.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	return length, peak
}

// The memory of a rollout does not grow with the number of instances, except for the instances themselves.
func TestRecordPiecesInLittleMemory(t *testing.T) {
	const nodes, few, many, piece = 24, 2 * fewest, 20 * fewest, 1 << 18
	for problem, generate := range map[routing.Problem]func(n, count int, seed uint64) []routing.Instance{
		routing.TSP: tsp.Generate, routing.CVRP: cvrp.Generate,
	} {
		short, before := recordTo(t, generate(nodes, few, 1), piece)
		long, after := recordTo(t, generate(nodes, many, 1), piece)
		t.Logf("%s: %.1f MB with %.1f MB live, %.1f MB with %.1f MB live",
			problem, float64(short)/1e6, float64(before)/1e6, float64(long)/1e6, float64(after)/1e6)
		if long < 9*short || long < 20*piece {
			t.Fatalf("%s: files of %d and %d bytes do not show anything", problem, short, long)
		}
		if after > before+piece {
			t.Errorf("%s: %d bytes live for a file of %d, %d for one of %d", problem, after, long, before, short)
		}
	}
}
