package teacher_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
)

func write(t *testing.T, data []byte, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFolder opens the newest epoch of a folder, as the authors' tools do, and a file by its own name.
func TestFolder(t *testing.T) {
	original := testdata.Shared(t, "teachers/am/tsp_20")
	checkpoint := read(t, filepath.Join(original, "epoch-99.pt"))
	dir := filepath.Join(t.TempDir(), "tsp_20")
	write(t, checkpoint, dir, "epoch-100.pt")
	write(t, []byte("older"), dir, "epoch-99.pt")
	write(t, []byte("no epoch"), dir, "epoch-best.pt")
	write(t, []byte("no checkpoint"), dir, "epoch-101.txt")
	write(t, read(t, filepath.Join(original, "args.json")), dir, "args.json")
	for _, path := range []string{dir, dir + "/", filepath.Join(dir, "epoch-100.pt")} {
		file, err := teacher.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if file.Label() != "tsp_20/epoch-100.pt" || !bytes.Equal(file.Data, checkpoint) {
			t.Errorf("%s: %s, %d bytes", path, file.Label(), len(file.Data))
		}
		p, args, err := file.Teacher(file.Label())
		if err != nil || p.Name() != "am-tsp:tsp_20" || args == nil || args.Problem != "tsp" || args.GraphSize != 20 {
			t.Errorf("%s: %s, %+v (%v)", path, p.Name(), args, err)
		}
		if p, err := teacher.Load(path); err != nil || p.Name() != "am-tsp:tsp_20" || p.TrainedNodes() != 20 {
			t.Errorf("load %s: %s (%v)", path, p.Name(), err)
		}
	}
	empty := t.TempDir()
	if _, err := teacher.Load(empty); err == nil || !strings.Contains(
		err.Error(), empty+" is a directory without a checkpoint epoch-N.pt",
	) {
		t.Errorf("a folder without a checkpoint: %v", err)
	}
}

// TestArgs changes one field at a time in the args.json beside a checkpoint.
func TestArgs(t *testing.T) {
	original := testdata.Shared(t, "teachers/am/cvrp_20")
	checkpoint := read(t, filepath.Join(original, "epoch-99.pt"))
	pomo := read(t, testdata.Repo(t, "teachers/pomo_tsp20.pt"))
	for _, c := range []struct {
		key        string
		value      any
		checkpoint []byte
		want       string
	}{
		{"problem", "cvrp", checkpoint, ""},
		{"hidden_dim", 64, checkpoint, ""}, // the attention model does not use it
		{"problem", "op", checkpoint, "args.json: the checkpoint solves OP: EPB knows TSP and CVRP"},
		{"problem", "op_dist", checkpoint, "the checkpoint solves OP: "},
		{"problem", "pctsp_det", checkpoint, "the checkpoint solves PCTSP: "},
		{"problem", "sdvrp", checkpoint, "the checkpoint solves SDVRP: "},
		{"problem", "pdp", []byte("other weights"), "the checkpoint solves PDP: "},
		{"problem", "pdp", checkpoint[:len(checkpoint)/2], "truncated"}, // the args are not all that is wrong
		{"problem", "tsp", checkpoint, "problem is tsp, but the weights beside it are those of cvrp"},
		{"model", "pointer", checkpoint, `model is "pointer"`},
		{"model", "pointer", []byte("other weights"), `model is "pointer"`},
		{"normalization", "instance", checkpoint, `normalization is "instance"`},
		{"tanh_clipping", 5, checkpoint, "tanh_clipping is 5: EPB knows the attention model with 10 alone"},
		{"embedding_dim", 256, checkpoint, "embedding_dim is 256, but the weights beside it have 128"},
		{"n_heads", 4, checkpoint, "n_heads is 4, but the weights beside it have 8"},
		{"n_encode_layers", 6, checkpoint, "n_encode_layers is 6, but the weights beside it have 3"},
		{"graph_size", "twenty", checkpoint, "args.json: want the JSON that training wrote"},
		{"problem", strings.Repeat("x", 1<<20), checkpoint, "EPB knows TSP and CVRP"},
		{"problem", "op", pomo, ""}, // POMO's training writes no such file
	} {
		var args map[string]any
		if err := json.Unmarshal(read(t, filepath.Join(original, "args.json")), &args); err != nil {
			t.Fatal(err)
		}
		args[c.key] = c.value
		data, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, c.checkpoint, dir, "epoch-99.pt")
		write(t, data, dir, "args.json")
		for _, path := range []string{dir, filepath.Join(dir, "epoch-99.pt")} {
			_, err := teacher.Load(path)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s %.20v: %v", c.key, c.value, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 600):
				t.Errorf("%s %.20v: error %.600v, want one with %q", c.key, c.value, err, c.want)
			}
		}
	}
}
