package teacher

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/torchfile"
)

func builtin(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(testdata.Repo(t, "teachers/pomo_tsp20.pt"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestInfo(t *testing.T) {
	teacher, err := Parse("teachers/pomo_tsp20.pt", builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Info{
		Arch: "pomo", Problem: routing.TSP, Parameters: 1269760, Layers: 6, Dim: 128, FF: 512, Heads: 8,
		View: routing.Full,
	}
	if teacher.Info() != want || teacher.Name() != "pomo-tsp:pomo_tsp20" {
		t.Errorf("%s: %+v, want %+v", teacher.Name(), teacher.Info(), want)
	}
	am := load(t, "am/tsp_50/epoch-99.pt")
	want = Info{
		Arch: "am", Problem: routing.TSP, Parameters: 710144, Layers: 3, Dim: 128, FF: 512, Heads: 8,
		View: routing.Full, OwnStart: true,
	}
	if am.Info() != want || am.Name() != "am-tsp:tsp_50" {
		t.Errorf("%s: %+v, want %+v", am.Name(), am.Info(), want)
	}
}

// TestInfoOfEvery loads one checkpoint of each architecture.
func TestInfoOfEvery(t *testing.T) {
	for file, want := range map[string]Info{
		"am/cvrp_20/epoch-99.pt": {
			Arch: "am", Problem: routing.CVRP, Parameters: 694144, Layers: 3, Dim: 128, FF: 512, Heads: 8,
			View: routing.Full, OwnStart: true,
		},
		"pomo/cvrp_init.pt": {
			Arch: "pomo", Problem: routing.CVRP, Parameters: 1254016, Layers: 6, Dim: 128, FF: 512, Heads: 8,
			View: routing.Full,
		},
		"lehd/tsp_init.pt": {
			Arch: "lehd", Problem: routing.TSP, Parameters: 1431681, Layers: 1, DecoderLayers: 6, Dim: 128, FF: 512,
			Heads: 8, View: routing.Subgraph,
		},
		"lehd/cvrp_init.pt": {
			Arch: "lehd", Problem: routing.CVRP, Parameters: 1415682, Layers: 1, DecoderLayers: 6, Dim: 128, FF: 512,
			Heads: 8, View: routing.Subgraph, OwnStart: true,
		},
	} {
		if got := load(t, file).Info(); got != want {
			t.Errorf("%s: %+v, want %+v", file, got, want)
		}
	}
}

// toSafetensors rewrites a checkpoint, with names and values of options in turn.
func toSafetensors(
	t testing.TB, c *checkpoint, change func(name string, p **tensor.Dense) bool, options ...string,
) []byte {
	t.Helper()
	var tensors []safetensors.Tensor
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		p := c.params[name]
		if change == nil || change(name, &p) {
			tensors = append(tensors, safetensors.Tensor{Name: name, Dense: p})
		}
	}
	meta := map[string]string{}
	for o := range slices.Chunk(options, 2) {
		meta[o[0]] = o[1]
	}
	data, err := safetensors.Encode(tensors, meta)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSafetensors requires the same tours from a checkpoint rewritten as safetensors.
func TestSafetensors(t *testing.T) {
	c, err := parse(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Parse("a.pt", builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse("b.safetensors", toSafetensors(t, c, nil))
	if err != nil {
		t.Fatal(err)
	}
	insts := tsp.Generate(20, 3, 1)
	runs := [][]routing.Run{routing.EveryStart(20), routing.EveryStart(20), routing.EveryStart(20)}
	ta, tb := decodeBatch(t, a, insts, runs), decodeBatch(t, b, insts, runs)
	for i := range ta {
		for r := range ta[i] {
			if !slices.Equal(ta[i][r].Actions, tb[i][r].Actions) {
				t.Errorf("instance %d run %d differs", i, r)
			}
		}
	}
}

func TestParseRefusesTensors(t *testing.T) {
	c, err := parse(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	const first = "decoder.Wq_first.weight"
	for want, change := range map[string]func(name string, p **tensor.Dense) bool{
		"unknown architecture: the file has the tensors decoder.Wk.weight": func(name string, _ **tensor.Dense) bool {
			return name != first
		},
		"as POMO for TSP: tensor decoder.Wv.weight is missing": func(name string, _ **tensor.Dense) bool {
			return name != "decoder.Wv.weight"
		},
		"tensor decoder.Wk.weight has shape [64 256], want [128 128]": func(name string, p **tensor.Dense) bool {
			if name == "decoder.Wk.weight" {
				*p = dense.Of(dense.Must[float32](name, *p, 128, 128), 64, 256)
			}
			return true
		},
		"tensor encoder.layers.3.Wk.weight has no place": func(name string, _ **tensor.Dense) bool {
			return name != "encoder.layers.3.Wq.weight"
		},
		"as POMO for TSP: tensor encoder.embedding.bias is missing": func(name string, _ **tensor.Dense) bool {
			return name != "encoder.embedding.bias"
		},
		"tensor encoder.embedding.bias has type int32, want float32": func(name string, p **tensor.Dense) bool {
			if name == "encoder.embedding.bias" {
				*p = dense.Vector(make([]int32, 128))
			}
			return true
		},
		"as POMO for TSP: tensor encoder.layers.1.feedForward.W1.bias is missing": func(
			name string, _ **tensor.Dense,
		) bool {
			return name != "encoder.layers.1.feedForward.W1.bias"
		},
		"embedding width 24 with 8 heads": func(name string, p **tensor.Dense) bool {
			if name == "encoder.embedding.bias" {
				*p = dense.Vector(make([]float32, 24))
			}
			return true
		},
		"tensor encoder.layers.0.Wq.weight is missing": func(name string, _ **tensor.Dense) bool {
			return !strings.HasPrefix(name, "encoder.layers.")
		},
		"no tensors found": func(string, **tensor.Dense) bool { return false },
		"tensor decoder.Wk.weight: element 7 is NaN": func(name string, p **tensor.Dense) bool {
			if name == "decoder.Wk.weight" {
				values := slices.Clone(dense.Must[float32](name, *p, 128, 128))
				values[7] = float32(nan())
				*p = dense.Of(values, 128, 128)
			}
			return true
		},
	} {
		if _, err := Parse(
			"x.safetensors", toSafetensors(t, c, change),
		); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestParseRefusesVariance: a batch norm whose running variance is negative would give NaN for every node.
func TestParseRefusesVariance(t *testing.T) {
	data, err := os.ReadFile(testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	const name = "embedder.layers.1.1.normalizer.running_var"
	variance := dense.Must[float32](name, c.params[name], 128)
	variance[3] = -1
	_, err = Parse("x.safetensors", toSafetensors(t, c, nil))
	if want := name + ": element 3 is -1"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// TestOptions: what POMO's writer says of heads and clipping holds as it is, or the file is refused.
func TestOptions(t *testing.T) {
	parsed, err := parse(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, value, want string // want: of the error, empty if there is none
	}{
		{"logit_clipping", "7.5", ""},
		{"logit_clipping", "0", "logit_clipping is 0, want a number above 0"},
		{"logit_clipping", "ten", "logit_clipping is NaN"},
		{"head_num", "4", ""},
		{"head_num", "4.9", "head_num is 4.9, want a whole number"},
		{"head_num", "0", "head_num is 0"},
		{"sqrt_embedding_dim", "none", ""}, // not read
	} {
		data := toSafetensors(t, parsed, nil, c.name, c.value)
		teacher, err := Parse("x.safetensors", data)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %s: error %v, want %q", c.name, c.value, err, c.want)
		case c.value == "7.5" && teacher.net.(*network).clip != 7.5:
			t.Errorf("a clipping of 7.5 is read as %v", teacher.net.(*network).clip)
		case c.value == "4" && teacher.Info().Heads != 4:
			t.Errorf("4 heads are read as %d", teacher.Info().Heads)
		}
	}
}

// TestHalfPrecision: weights of 16 bits are read as what they are.
func TestHalfPrecision(t *testing.T) {
	for name, x := range map[string]*tensor.Dense{
		"float16":  dense.Vector([]dense.Float16{0x3c00, 0xc000, 0x3555}),
		"bfloat16": dense.Vector([]dense.BFloat16{0x3f80, 0xc000, 0x3eaa}),
	} {
		got, err := toFloat32(x)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float32{1, -2, 1. / 3} {
			if v := dense.Must[float32](name, got, 3)[i]; math.Abs(float64(v-want)) > 2e-3 {
				t.Errorf("%s: element %d is %v, want about %v", name, i, v, want)
			}
		}
	}
	if _, err := toFloat32(dense.Vector([]dense.Float16{0x7c00})); err == nil {
		t.Error("an infinite weight of 16 bits is read")
	}
}

// TestParseRefusesRollouts requires another error for a file of decisions than for an unknown architecture.
func TestParseRefusesRollouts(t *testing.T) {
	data, err := safetensors.Encode([]safetensors.Tensor{
		safetensors.New("coords", []float32{0, 0, 0, 1, 1, 0}, 1, 3, 2),
		safetensors.New("actions", []int32{0, 1, 2}, 1, 3),
		safetensors.New("probs", make([]float32, 9), 1, 3, 3),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{data, w.EncodeAll(data, nil)} {
		_, err = Parse("shard.safetensors", data)
		if err == nil || !strings.Contains(
			err.Error(), "recorded rollouts, not a policy",
		) || strings.Contains(err.Error(), "architecture") {
			t.Errorf("error %v, want one that says what these are", err)
		}
	}
}

func nan() float64 { var zero float64; return zero / zero }

// TestParseTruncated cuts checkpoints of both forms at many places. Each must give an error that says so, never a
// panic.
func TestParseTruncated(t *testing.T) {
	stream, err := os.ReadFile(testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"stream": stream, "zip": builtin(t)} {
		for _, size := range []int{0, 1, 10, 22, 40, 100, 300, 2000, 5000, 20000, len(data) / 2, len(data) - 1} {
			_, err := Parse("cut.pt", data[:size])
			if err == nil {
				t.Errorf("%s cut to %d of %d bytes was loaded", name, size, len(data))
			} else if size >= 40 && !strings.Contains(err.Error(), "truncated") {
				t.Errorf("%s cut to %d of %d bytes: error %v does not say so", name, size, len(data), err)
			}
		}
	}
}

// malicious returns a pickle that runs a program when Python loads it: c MODULE NAME, an argument, a tuple, a call.
func malicious(module, name string) []byte {
	return fmt.Appendf(nil, "\x80\x02c%s\n%s\nX\x04\x00\x00\x00true\x85R.", module, name)
}

// inZip returns a zip checkpoint with the given pickle in place of its own.
func inZip(t testing.TB, program []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	m, err := w.CreateHeader(&zip.FileHeader{Name: "archive/data.pkl", Method: zip.Store})
	if err == nil {
		_, err = m.Write(program)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// inStream returns a stream checkpoint with the given pickle in place of its own.
func inStream(program []byte) []byte {
	system := []byte("\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.")
	return slices.Concat(torchfile.StreamMagic, system, program, []byte("\x80\x02]."))
}

func TestParseRefusesCode(t *testing.T) {
	for _, global := range [][2]string{
		{"os", "system"}, {"builtins", "eval"}, {"__builtin__", "exec"}, {"posix", "system"}, {"subprocess", "Popen"},
		{"__builtin__", "object"}, {"copy_reg", "_reconstructor"}, {
			"torch.nn.modules.linear", "Linear",
		}, {"collections", "UserDict"},
	} {
		name := global[0] + "." + global[1]
		program := malicious(global[0], global[1])
		for form, data := range map[string][]byte{
			"zip": inZip(t, program), "stream": inStream(program), "bare": program,
		} {
			if _, err := Parse("evil.pt", data); err == nil || !strings.Contains(err.Error(), "names "+name) ||
				!strings.Contains(err.Error(), "evil.pt") {
				t.Errorf("%s of %s: error %v, want one that names both", form, name, err)
			}
		}
	}
	for what, program := range map[string]string{
		"STACK_GLOBAL":          "\x80\x04\x8c\x02os\x8c\x06system\x93.",
		"INST":                  "(ios\nsystem\n.",
		"NEWOBJ":                "\x80\x02ccollections\nOrderedDict\n)\x81.",
		"EXT1":                  "\x80\x02\x82\x01.",
		"unknown opcode":        "\x80\x02\xff.",
		"string of 4 GB":        "\x80\x02X\xff\xff\xff\xffab.",
		"no end":                "\x80\x02}",
		"call of a number":      "\x80\x02K\x01)R.",
		"call of a storage":     "\x80\x02ctorch\nFloatStorage\n)R.",
		"tensor of nothing":     "\x80\x02ctorch._utils\n_rebuild_tensor\n)R.",
		"unhashable":            "\x80\x02ccollections\nOrderedDict\n)R}K\x01s.",
		"empty stack":           "\x80\x020.",
		"foreign persistent id": "\x80\x02X\x02\x00\x00\x00hiQ.",
		"storage of minus one": "\x80\x02(X\x07\x00\x00\x00storagectorch\nFloatStorage\n" +
			"X\x01\x00\x00\x000X\x03\x00\x00\x00cpuJ\xff\xff\xff\xfftQ.",
		"parameter of no tensor": "\x80\x02ctorch._utils\n_rebuild_parameter\nK\x01\x85R.",
	} {
		for form, data := range map[string][]byte{
			"zip": inZip(t, []byte(program)), "stream": inStream([]byte(program)),
		} {
			if _, err := Parse("odd.pt", data); err == nil {
				t.Errorf("%s in a %s was loaded", what, form)
			}
		}
	}
}

// tensorPickle describes one tensor w of the given geometry on a storage of count float32.
func tensorPickle(count, offset int, shape, stride [2]byte) []byte {
	p := []byte("\x80\x02}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n((" +
		"X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuJ")
	p = binary.LittleEndian.AppendUint32(p, uint32(count))
	p = append(p, "tQJ"...)
	p = binary.LittleEndian.AppendUint32(p, uint32(offset))
	p = append(p, 'K', shape[0], 'K', shape[1], 0x86, 'K', stride[0], 'K', stride[1], 0x86)
	return append(p, "\x89)tRs."...)
}

func TestTensorGeometry(t *testing.T) {
	values := binary.LittleEndian.AppendUint64(nil, 8)
	for i := range 8 {
		values, _ = binary.Append(values, binary.LittleEndian, float32(i))
	}
	for _, c := range []struct {
		offset        int
		shape, stride [2]byte
		want          string
	}{
		{0, [2]byte{2, 4}, [2]byte{4, 1}, ""},
		{2, [2]byte{2, 3}, [2]byte{3, 1}, ""},
		{7, [2]byte{1, 1}, [2]byte{9, 9}, ""},
		{0, [2]byte{4, 2}, [2]byte{1, 4}, "not contiguous"},
		{0, [2]byte{9, 9}, [2]byte{0, 0}, "not contiguous"},
		{3, [2]byte{2, 3}, [2]byte{3, 1}, "exceed the storage"},
		{-1, [2]byte{2, 3}, [2]byte{3, 1}, "exceed the storage"},
		{0, [2]byte{3, 3}, [2]byte{3, 1}, "exceeds its storage"},
	} {
		data := slices.Concat(torchfile.StreamMagic, []byte(
			"\x80\x02}X\x0d\x00\x00\x00little_endian\x88s.",
		), tensorPickle(8, c.offset, c.shape, c.stride),
			[]byte("\x80\x02]X\x01\x00\x00\x000a."), values)
		got, err := parse(data)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if w := dense.Must[float32](
			"w", got.params["w"], dense.Any, dense.Any,
		); w[0] != float32(c.offset) || len(w) != int(c.shape[0])*int(c.shape[1]) {
			t.Errorf("%+v: read %v", c, w)
		}
	}
}

// FuzzParse requires an error or a teacher from any bytes: as they are, and as the pickle in either form of checkpoint.
func FuzzParse(f *testing.F) {
	f.Add(malicious("os", "system"))
	f.Add(tensorPickle(8, 0, [2]byte{2, 4}, [2]byte{4, 1}))
	f.Add([]byte("\x80\x02}X\x05\x00\x00\x00modelccollections\nOrderedDict\n)Rs."))
	f.Add([]byte("\x80\x02]q\x01h\x01a."))
	f.Add([]byte("\x80\x02ccollections\nOrderedDict\n)R}X\x01\x00\x00\x00ah\x00sb."))
	f.Add([]byte("(I1\nF2.5\nV\\u00e9\nL12345678901234567890L\nt."))
	for _, c := range immodest(f) {
		f.Add(c.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range [][]byte{data, inZip(t, data), inStream(data)} {
			if teacher, err := Parse("fuzz", file); err == nil && teacher.net == nil {
				t.Error("neither a teacher nor an error")
			}
		}
	})
}
