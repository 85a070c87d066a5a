package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// sandbox is a folder in which a test runs commands that must fail. It is the working directory. The servers that the
// environment names accept connections and count them.
type sandbox struct {
	t           *testing.T
	connections atomic.Int32
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	tools := compiletest.Toolchain(t)
	b := &sandbox{t: t}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			b.connections.Add(1)
			conn.Close()
		}
	}()
	for name, value := range map[string]string{
		"EPB_TINYGO": tools.TinyGo, "EPB_DEV_DIR": "stack", "TEMPORAL_ADDRESS": listener.Addr().String(),
		"EPB_S3_ENDPOINT": listener.Addr().String(), "EPB_S3_ACCESS_KEY": "key", "EPB_S3_SECRET_KEY": "a secret key",
	} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	return b
}

// file writes a file and returns its name.
func (b *sandbox) file(name string, content []byte) string {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		b.t.Fatal(err)
	}
	return name
}

// coords writes an npz file with one array coords.
func (b *sandbox) coords(name string, coords any) string {
	b.t.Helper()
	if err := npz.Write(name, map[string]any{"coords": coords}); err != nil {
		b.t.Fatal(err)
	}
	return name
}

// refuses runs epb and wants an error that holds every text, no output, no file that was not there before, and no
// connection to a server.
func (b *sandbox) refuses(args []string, wants ...string) {
	b.t.Helper()
	before := b.snapshot()
	var stdout bytes.Buffer
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetOut(&stdout)
	cmd.SetErr(&bytes.Buffer{})
	err := cmd.ExecuteContext(b.t.Context())
	if err == nil {
		b.t.Errorf("epb %s was accepted", strings.Join(args, " "))
		return
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			b.t.Errorf("epb %s: error\n%v\nlacks %q", strings.Join(args, " "), err, want)
		}
	}
	if stdout.Len() > 0 {
		b.t.Errorf("epb %s printed %q", strings.Join(args, " "), stdout.String())
	}
	if after := b.snapshot(); !slices.Equal(before, after) {
		b.t.Errorf("epb %s: the folder held %v, and now %v", strings.Join(args, " "), before, after)
	}
	if n := b.connections.Load(); n != 0 {
		b.t.Fatalf("epb %s connected to a server %d times", strings.Join(args, " "), n)
	}
}

// snapshot lists every file of the folder with a digest of its content.
func (b *sandbox) snapshot() (files []string) {
	b.t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			files = append(files, name)
			return err
		}
		data, err := os.ReadFile(name)
		files = append(files, fmt.Sprintf("%s %x", name, sha256.Sum256(data)))
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// torchZip is the zip form of a checkpoint around a pickle.
func torchZip(t *testing.T, pickle string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "archive/data.pkl", Method: zip.Store})
	if err == nil {
		_, err = w.Write([]byte(pickle))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tensorFile is a safetensors file of one tensor that no architecture has.
func tensorFile(t *testing.T, value float32) []byte {
	t.Helper()
	data, err := safetensors.Encode([]safetensors.Tensor{safetensors.New("fc.weight", []float32{1, value}, 2)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRefusesCheckpoints(t *testing.T) {
	b := newSandbox(t)
	b.coords("set.npz", [1][4][2]float32{{{0, 0}, {0, 1}, {1, 0}, {1, 1}}})
	// os.system("touch pwned") as pickles of protocols 2, 0 and 4 say it.
	const system = "cposix\nsystem\n(X\x0b\x00\x00\x00touch pwnedtR."
	const stream = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e" +
		"\x80\x02M\xe9\x03.\x80\x02}X\x0d\x00\x00\x00little_endian\x88s."
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty.pt": {nil, "0 bytes are no checkpoint"},
		"text.pt": {[]byte("these are no weights, whatever it is"),
			"neither a PyTorch checkpoint nor safetensors"},
		"half.pt":      {teachers.POMOTSP20[:len(teachers.POMOTSP20)/2], "truncated"},
		"nearly.pt":    {teachers.POMOTSP20[:len(teachers.POMOTSP20)-1], "truncated"},
		"code.pt":      {torchZip(t, "\x80\x02"+system), "the pickle names posix.system"},
		"oldcode.pt":   {[]byte(stream + "\x80\x02" + system + "\x80\x02]."), "the pickle names posix.system"},
		"barecode.pkl": {[]byte("\x80\x02" + system), "the pickle names posix.system"},
		"protocol0.pt": {torchZip(t, "(S'touch pwned'\nios\nsystem\n."), "is refused"},
		"protocol4.pt": {torchZip(t, "\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x0btouch pwned\x85R."),
			"is refused"},
		"other.pt":        {tensorFile(t, 1), "unknown architecture: the file has the tensors fc.weight"},
		"nan.safetensors": {tensorFile(t, float32(math.NaN())), "tensor fc.weight: element 1 is NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			path := b.file(name, c.content)
			b.refuses([]string{"start", "--teacher", path}, name, c.want)
			b.refuses([]string{"eval", "--teacher", path, "--instances", "set.npz"}, name, c.want)
			b.refuses([]string{"rollout", "--teacher", path, "--instances", "set.npz", "--out", "shard"}, name, c.want)
		})
	}
	b.refuses([]string{"start", "--dry-run", "--teacher", "absent.pt"}, "absent.pt: no such file")
	b.refuses([]string{"start", "--dry-run", "--teacher", "."}, "teacher .", "is a directory without a checkpoint")
	b.file("op/args.json", []byte(`{"problem": "op", "model": "attention"}`))
	b.file("op/epoch-9.pt", tensorFile(t, 1))
	for _, path := range []string{"op", "op/epoch-9.pt"} {
		op := []string{"op/args.json: the checkpoint solves OP: EPB knows TSP and CVRP"}
		b.refuses([]string{"start", "--dry-run", "--teacher", path}, op...)
		b.refuses([]string{"eval", "--teacher", path, "--instances", "set.npz"}, op...)
		b.refuses([]string{"rollout", "--teacher", path, "--instances", "set.npz", "--out", "shard"}, op...)
	}
	const device = "read /dev/zero: it is a device or a pipe"
	b.refuses([]string{"start", "--dry-run", "--teacher", "/dev/zero"}, device)
	b.refuses([]string{"eval", "--teacher", "/dev/zero", "--instances", "set.npz"}, device)
	b.refuses([]string{"eval", "--teacher", config.BuiltinTeacher, "--instances", "/dev/zero"}, device)
	b.refuses([]string{"bank", "check", config.BuiltinBank, "--shard", "/dev/zero"}, device)
	b.refuses([]string{"rollout", "import", "/dev/zero"}, device)
	b.refuses([]string{"start", "--dry-run", "--teacher", "builtin:x"}, "teacher builtin:x", config.BuiltinTeacher)
	b.refuses([]string{"start", "--config", b.file("no-teacher.yaml", []byte(`teacher: ""`))}, "config: teacher is")
}

func TestRefusesInstances(t *testing.T) {
	b := newSandbox(t)
	nan := float32(math.NaN())
	for path, want := range map[string]string{
		b.coords("nan.npz", [2][3][2]float32{{{0, 0}, {0, 1}, {1, 0}},
			{{0, 0}, {0, nan}, {1, 0}}}): "instance nan.npz[1]: node 1 has coordinate NaN",
		b.coords("same.npz", [1][4][2]float32{}): "instance same.npz[0]: all 4 nodes are at the same place",
		b.coords("two.npz", [1][2][2]float32{{{0, 0},
			{0, 1}}}): "instance two.npz[0]: 2 nodes, want at least 3",
		b.coords("cube.npz", [1][4][3]float32{}): "array coords: shape [1 4 3]",
		b.coords("whole.npz", [1][4][2]int64{}):  "array coords: want float32",
		b.file("text.npz", []byte("0.5 0.5\n")):  "text.npz: not an npz archive",
		"absent.npz":                             "absent.npz: no such file",
		".":                                      "is a directory",
	} {
		t.Run(path, func(t *testing.T) {
			b.refuses([]string{"eval", "--teacher", config.BuiltinTeacher, "--instances", path}, path, want)
			b.refuses([]string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", path, "--out", "shard"},
				path, want)
		})
	}
	good := b.coords("good.npz", [1][3][2]float32{{{0, 0}, {0, 1}, {1, 0}}})
	b.refuses([]string{"eval", "--teacher", config.BuiltinTeacher, "--instances", good, "--limit", "-3"}, "--limit -3")
	b.refuses([]string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", good, "--limit", "-3", "--out",
		"shard"}, "--limit -3")
	b.refuses([]string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", good, "--out", good},
		"--out good.npz exists", "--force")
	b.refuses([]string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", good, "--out", "absent/shard"},
		"the folder absent does not exist")
	b.refuses([]string{"eval", "--teacher", config.BuiltinTeacher, "--instances", good, "--student", good},
		"--student good.npz", "student.json")
}

func TestRefusesConfigs(t *testing.T) {
	b := newSandbox(t)
	for name, c := range map[string]struct{ content, want string }{
		"key.yaml": {"nodes: 20\ntrain:\n  rate: 1",
			"key.yaml:3:3: unknown key train.rate: want one of batch_states"},
		"key.json":    {`{"nodez": 20}`, "key.json:1:2: unknown key nodez: did you mean nodes?"},
		"type.yaml":   {"nodes: twenty", `type.yaml:1:8: nodes is "twenty", want a whole number`},
		"small.yaml":  {"nodes: 2", "config: nodes is 2, want 3 to"},
		"syntax.yaml": {"nodes: [20", "syntax.yaml:2:1: no valid YAML: "},
	} {
		b.refuses([]string{"start", "--config", b.file(name, []byte(c.content))}, c.want)
	}
	b.refuses([]string{"start", "--config", "absent.yaml"}, "absent.yaml: no such file")
	b.refuses([]string{"start", "--config", "."}, "read .: is a directory")
	b.refuses([]string{"start", "--set", "train.rate=1"}, "train.rate=1", "unknown key train.rate")
	b.refuses([]string{"start", "--nodes", "2"}, "config: nodes is 2")
	const huge = "data.train=9000000000000000000"
	b.refuses([]string{"start", "--dry-run", "--set", huge},
		"config: data.train is 9000000000000000000, want 1 to 10000000")
	b.refuses([]string{"estimate", "--set", huge}, "config: data.train is 9000000000000000000")
	b.refuses([]string{"estimate", "--set", "limits.usd=-5"}, "config: limits.usd is -5, want 0 to")
	b.refuses([]string{"start", "--id", "../x"}, `--id is "../x"`)
}

// A text flag without a value, as of a variable of the shell that is not set, is refused before it means the folder one
// stands in.
func TestRefusesEmptyFlags(t *testing.T) {
	b := newSandbox(t)
	for _, args := range [][]string{
		{"bank", "import", "builtin:tsp-local", "--out", ""}, {"bank", "new", "mine", "--bank", ""},
		{"sketch", "--teacher", config.BuiltinTeacher, "--out", ""}, {"llm-replay", "archive", "--listen", ""},
	} {
		b.refuses(args, args[len(args)-2]+" is empty")
	}
}

// A page replaces a page of EPB, and nothing else.
func TestPageReplacesPagesAlone(t *testing.T) {
	b := newSandbox(t)
	for name, content := range map[string]string{
		"notes.html": "<!doctype html><title>My notes</title>", "notes.txt": "notes", "-": "",
	} {
		if content != "" {
			b.file(name, []byte(content))
		}
		if err := checkPage(name); err == nil {
			t.Errorf("%s may be replaced", name)
		}
	}
	for name, content := range map[string]string{
		"old.html": "<!DOCTYPE html><title>A" + pageTitle, "empty.html": "",
	} {
		if err := checkPage(b.file(name, []byte(content))); err != nil {
			t.Error(err)
		}
	}
}

// A refused command makes no folder, nor those above it.
func TestRefusesSketches(t *testing.T) {
	b := newSandbox(t)
	small := []string{"sketch", "--teacher", config.BuiltinTeacher, "--nodes", "2", "--out"}
	b.refuses(append(small, "new"), "--nodes 2")
	b.refuses(append(small, "new/"), "--nodes 2")
	b.refuses(append(small, "absent/above/new"), "--out absent/above/new: the folder absent/above does not exist")
}

const nearby = `package nearby

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = -s.Dist(s.Current, c)
	}
}
`

// TestRefusesBanks spoils banks with programs from the cases of the gate's own tests.
func TestRefusesBanks(t *testing.T) {
	cases := testdata.Repo(t, "wasm-heuristics/testdata/cases")
	student := studentFolder(t)
	b := newSandbox(t)
	for name, wants := range map[string][]string{
		"import_os":             {"line 5", `import "os" is not allowed`},
		"truncated":             {"line 10", "expected"},
		"type_error":            {"line 11", `"near" + c`},
		"endless_loop":          {"fuel", "on 3 cities"},
		"allocates_without_end": {"memory", "on 3 cities"},
		"not_a_number":          {"is NaN", "on 3 cities"},
	} {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join(cases, name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			b.file(name+"/bank.json", []byte(`{"problem": "tsp", "view": "full",
				"heuristics": [{"name": "nearby"}, {"name": "bad"}]}`))
			b.file(name+"/nearby/nearby.go", []byte(nearby))
			b.file(name+"/bad/bad.go", source)
			wants = append(wants, "bank "+name, "heuristic bad")
			b.refuses([]string{"start", "--bank", name}, wants...)
			b.refuses([]string{"start", "--bank", name, "--dry-run"}, wants...)
		})
	}
	b.refuses([]string{"start", "--bank", "absent"}, "load bank absent: there is no bank.json")
	b.refuses([]string{"start", "--bank", "builtin:x"}, "bank builtin:x", config.BuiltinBank)
	b.refuses([]string{"start", "--bank", b.file("file", nil)}, "load bank file")

	b.coords("set.npz", [1][3][2]float32{{{0, 0}, {0, 1}, {1, 0}}})
	if err := os.CopyFS("student", os.DirFS(student)); err != nil {
		t.Fatal(err)
	}
	b.file("student/bank/near/near.go", []byte(strings.Replace(nearby, "s.Current", "s.Here", 1)))
	b.refuses([]string{"eval", "--teacher", config.BuiltinTeacher, "--instances", "set.npz", "--student", "student"},
		"student student", "near: check: line 8", "s.Here")
}
