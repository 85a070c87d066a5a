package teacher

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/torchfile"
)

// immodest returns checkpoints whose tensors need much more memory than the files have bytes.
func immodest(t testing.TB) map[string]struct {
	data []byte
	want string
} {
	zeros := func(name string, shape ...int) safetensors.Tensor {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return safetensors.New(name, make([]float32, n), shape...)
	}
	file := func(tensors ...safetensors.Tensor) []byte {
		tensors = append(tensors, zeros("project_node_embeddings.weight", 0), zeros("W_placeholder", 0))
		data, err := safetensors.Encode(tensors, nil)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const d = 128
	narrow := []safetensors.Tensor{
		zeros("init_embed.weight", d, 2), zeros("init_embed.bias", d), zeros("project_out.weight", d, d),
	}
	var layers []safetensors.Tensor
	for l := range 2000 {
		layers = append(layers, zeros(fmt.Sprintf("embedder.layers.%d.0.module.W_query", l), 0))
	}
	const prefix = "embedder.layers.0."
	wide := []safetensors.Tensor{zeros(prefix+"0.module.W_query", 8, d, d/8), zeros(prefix+"2.module.0.bias", 100_000)}
	return map[string]struct {
		data []byte
		want string
	}{
		"a wide embedding": {
			file(zeros("init_embed.weight", 1<<20, 2), zeros("init_embed.bias", 1<<20)),
			"embedding width 1048576: the file has 3145728 numbers",
		},
		"wide layers": {file(append(wide, narrow...)...), "tensor embedder.layers.0.2.module.0.bias: the file has "},
		"many layers": {file(append(layers, narrow...)...), "is missing"},
		"one storage": {sharing(1000, 10_000), "more than 4 times the bytes of the file"},
	}
}

// sharing returns a stream checkpoint of tensors that all share one storage of count float32.
func sharing(tensors, count int) []byte {
	number := "J" + string(binary.LittleEndian.AppendUint32(nil, uint32(count)))
	program := "\x80\x02}"
	for i := range tensors {
		program += fmt.Sprintf("X\x04\x00\x00\x00%04dctorch._utils\n_rebuild_tensor\n(", i) +
			"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu" + number + "NtQ" +
			"K\x00" + number + "\x85K\x01\x85tRs"
	}
	return slices.Concat(torchfile.StreamMagic, []byte(
		"\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.",
	), []byte(program+"."),
		[]byte(
			"\x80\x02]X\x01\x00\x00\x000a.",
		), binary.LittleEndian.AppendUint64(nil, uint64(count)), make([]byte, 4*count))
}

// TestImmodestCheckpoints requires that allocations are limited by the number of bytes in the file.
func TestImmodestCheckpoints(t *testing.T) {
	for name, c := range immodest(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse("x.safetensors", c.data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(16<<20+8*len(c.data)); used > most {
			t.Errorf("%s: %d bytes were allocated for a file of %d", name, used, len(c.data))
		}
	}
}
