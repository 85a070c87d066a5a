package input_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func check(t *testing.T, bank string, fetch input.Fetch) (*input.Checked, error) {
	t.Helper()
	cfg := config.Default()
	cfg.Bank = bank
	return input.Check(t.Context(), cfg, compiletest.Toolchain(t), fetch)
}

// TestTrouble: what may pass another time is told from what never will.
func TestTrouble(t *testing.T) {
	lost := func(context.Context, string) ([]byte, error) { return nil, errors.New("connection refused") }
	broken := func(context.Context, string) ([]byte, error) { return []byte("{"), nil }
	for name, c := range map[string]struct {
		bank    string
		fetch   input.Fetch
		tinygo  string
		trouble bool
	}{
		"the store is gone":  {input.Stored("b", "hash/7"), lost, "", true},
		"TinyGo is gone":     {"builtin:tsp-starter", nil, "/nowhere/tinygo", true},
		"the bank is broken": {input.Stored("b", "hash/7"), broken, "", false},
		"there is no bank":   {"absent", nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			tools := compiletest.Toolchain(t)
			if c.tinygo != "" {
				tools.TinyGo, tools.Cache = c.tinygo, t.TempDir()
			}
			cfg := config.Default()
			cfg.Bank = c.bank
			_, err := input.Check(t.Context(), cfg, tools, c.fetch)
			var trouble *input.Trouble
			if err == nil || errors.As(err, &trouble) != c.trouble {
				t.Errorf("%v: counts as trouble: %v, want %v", err, !c.trouble, c.trouble)
			}
		})
	}
}

// TestSeeds: a run starts from a bank that ships with EPB or from one in the store, as another run leaves it.
func TestSeeds(t *testing.T) {
	c, err := check(t, "builtin:tsp-local", nil)
	if err != nil || len(c.Bank.Heuristics) != 10 {
		t.Errorf("bank that ships: %v", err)
	}
	want, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var asked string
	fetch := func(_ context.Context, address string) ([]byte, error) {
		asked = address
		return data, nil
	}
	c, err = check(t, input.Stored("run:tsp20-1", "hash/7"), fetch)
	if err != nil || len(c.Bank.Heuristics) != len(want.Heuristics) || asked != "hash/7" {
		t.Errorf("stored bank: %v, asked for %q", err, asked)
	}
}

// A label may hold what stands before the address: epb start names a teacher after its file.
func TestLabelWithAnAt(t *testing.T) {
	var asked string
	fetch := func(_ context.Context, address string) ([]byte, error) {
		asked = address
		return teachers.POMOTSP20, nil
	}
	cfg := config.Default()
	cfg.Teacher = input.Stored("runs@v2/epoch-99.pt", "hash/7")
	c, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), fetch)
	if err != nil || c.TeacherFile != "runs@v2/epoch-99.pt" || asked != "hash/7" {
		t.Errorf("%v, asked for %q", err, asked)
	}
}

// What a run keeps of its programs' weights is bounded by the bank that it begins with, too.
func TestBankOfARunThatKeepsTooMuch(t *testing.T) {
	cfg := config.Default()
	cfg.Weights = &config.Weights{States: 1000, Rounds: 1, Epochs: 1, Judge: 1}
	cfg.TextGrad.Off, cfg.Add.Off, cfg.Add.MaxBank = true, true, 1
	cfg.Limits.Passes, cfg.Limits.Epochs, cfg.Train.SegmentEpochs, cfg.Train.PassSegments = 300, 300, 1, 1
	for name, want := range map[string]bool{"builtin:tsp-local": true, "builtin:tsp-planners": false} {
		cfg.Bank, cfg.BankAllow = name, []sdk.Class{sdk.ClassLocal, sdk.ClassLookahead, sdk.ClassPlan}
		_, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
		if ok := err == nil; ok != want || !ok && !strings.Contains(err.Error(), "weights of 12 programs") {
			t.Errorf("%s: %v, accepted: %v, want %v", name, err, ok, want)
		}
	}
}

func TestEmptyBank(t *testing.T) {
	c, err := check(t, config.EmptyBank, nil)
	if err != nil || len(c.Bank.Heuristics) != 0 || c.Bank.SDK() != "tsp" {
		t.Errorf("%v: %+v", err, c)
	}
}

// TestUploadKeepsNames: a folder that is called as the banks without a program does not take their place.
func TestUploadKeepsNames(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(_ context.Context, data []byte) (string, error) { return "hash", nil }
	cfg := config.Default()
	for _, name := range []string{config.EmptyBank, config.SketchBank, "mine"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		cfg.Bank = name
		want := name
		if name == "mine" {
			want = input.Stored("bank.json", "hash")
		}
		if got, err := (&input.Checked{Bank: &bank.Bank{}}).Upload(t.Context(), cfg, put); err != nil ||
			got.Bank != want {
			t.Errorf("bank %s: uploaded as %s (%v), want %s", name, got.Bank, err, want)
		}
	}
}

// small saves a bank of one program of a gallery bank, and returns its folder.
func small(t *testing.T, name string) string {
	t.Helper()
	b, err := bank.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Heuristics = b.Heuristics[:1]
	dir := t.TempDir()
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// rollouts writes rollouts of a teacher, and returns their file.
func rollouts(t *testing.T, p teacher.Teacher, insts []routing.Instance, runs func(int) []routing.Run) string {
	t.Helper()
	sh, err := rollout.Record(t.Context(), p, insts, runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := sh.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rollouts.safetensors")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestViews: a bank may see less than its teacher, not more.
func TestViews(t *testing.T) {
	am := testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt")
	p, err := teacher.Load(am)
	if err != nil {
		t.Fatal(err)
	}
	recorded := func(p teacher.Teacher) string {
		return rollouts(t, p, cvrp.Generate(20, 4, 1), routing.SingleRun)
	}
	lehd := testdata.Shared(t, "teachers/lehd/tsp_init.pt")
	for _, c := range []struct {
		name, teacher, bank string
		warm                bool
		ff                  int
		want                string // in the error
	}{
		{name: "tsp, less", teacher: config.BuiltinTeacher, bank: "lehd-tsp100"},
		{name: "tsp, more", teacher: lehd, bank: "pomo-tsp50", want: "its programs would see more"},
		{name: "tsp, the encoder of another view", teacher: config.BuiltinTeacher, bank: "lehd-tsp100", warm: true,
			want: "student.warm_start: bank"},
		{name: "tsp, the encoder", teacher: config.BuiltinTeacher, bank: "pomo-tsp50", warm: true},
		{name: "tsp, the encoder of another width", teacher: config.BuiltinTeacher, bank: "pomo-tsp50", warm: true,
			ff: 256, want: "student.warm_start: the student has dim 128, ff 256"},
		{name: "cvrp, less", teacher: am, bank: "lehd-cvrp100"},
		{name: "cvrp rollouts by way of the depot", teacher: recorded(p.ViaDepot(true)), bank: "lehd-cvrp100"},
		{name: "cvrp rollouts", teacher: recorded(p), bank: "lehd-cvrp100", want: "want rollouts with probs [R,T,2N]"},
		{name: "cvrp rollouts by way of the depot, more", teacher: recorded(p.ViaDepot(true)), bank: "pomo-cvrp50",
			want: "its programs would see more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config.Default()
			cfg.Teacher, cfg.Bank, cfg.Student.WarmStart = c.teacher, small(t, c.bank), c.warm
			cfg.Data, cfg.BankAllow = config.Data{Train: 1, Val: 2, Test: 1, Shard: 1}, sdk.Classes
			if strings.Contains(c.bank, "cvrp") {
				cfg.Problem = routing.CVRP
			}
			if c.warm {
				cfg.Student.Layers = 1
			}
			if c.ff > 0 {
				cfg.Student.FF = c.ff
			}
			_, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// There are no named features of what LEHD's programs see.
func TestNamedRouterOfLEHD(t *testing.T) {
	cfg := config.Default()
	cfg.Teacher, cfg.Bank = testdata.Shared(t, "teachers/lehd/tsp_init.pt"), config.SketchBank
	cfg.Student.Router = config.NamedRouter
	cfg.Data = config.Data{Train: 1, Val: 2, Test: 1, Shard: 1}
	_, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
	if err == nil || !strings.Contains(err.Error(), "there are no named features for tsp with arch lehd") {
		t.Errorf("error %v", err)
	}
}

// TestTeacherFolder: a teacher's folder and its checkpoint are the same teacher, under the same name.
func TestTeacherFolder(t *testing.T) {
	cfg := config.Default()
	cfg.Bank = config.EmptyBank
	cfg.Teacher = testdata.Shared(t, "teachers/am/tsp_20/epoch-99.pt")
	file, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Teacher = filepath.Dir(cfg.Teacher)
	folder, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	const name = "tsp_20/epoch-99.pt"
	if file.TeacherFile != name || folder.TeacherFile != name || !bytes.Equal(folder.Checkpoint, file.Checkpoint) {
		t.Errorf("%s of %d bytes, its folder %s of %d", file.TeacherFile, len(file.Checkpoint), folder.TeacherFile,
			len(folder.Checkpoint))
	}
	if folder.TeacherArgs == nil || folder.TeacherArgs.GraphSize != 20 {
		t.Errorf("args.json says %+v", folder.TeacherArgs)
	}
}

// TestRollouts: what was recorded is taken as it is, and counted where a teacher's decisions are reckoned.
func TestRollouts(t *testing.T) {
	p, err := teacher.Parse("pomo_tsp20.pt", teachers.POMOTSP20)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Teacher = rollouts(t, p, tsp.Generate(20, 10, 1),
		func(i int) []routing.Run { return routing.EveryStart(20)[:1+i%2] })
	cfg.Bank, cfg.Data = config.EmptyBank, config.Data{Train: 6, Val: 3, Test: 1, Shard: 4, Starts: 1}
	c, err := input.Check(t.Context(), cfg, compiletest.Toolchain(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := c.Estimate(cfg); e.Trajectories != 9 || e.TrainStates != 9*18 || e.ValStates != 4*18 ||
		e.MaxStates != 9*18*e.MaxEpochs {
		t.Errorf("%+v", e)
	}
	for set, want := range map[string]string{
		"data.starts=3":           "data.starts is 3, but the rollouts begin where",
		"data.dagger=4":           "data.dagger, train.cost_weight and student.warm_start ask the teacher for more",
		"train.cost_weight=1":     "ask the teacher for more",
		"student.warm_start=true": "ask the teacher for more",
		"data.train=7":            "the rollouts hold 10 instances, data.train, data.val and data.test ask for 11",
		"data.test_seed=7":        "data.test_seed is 7, but the test instances are the last",
		"nodes=21":                "the rollouts are on 20 nodes, the config's nodes is 21",
	} {
		spoilt := cfg
		if err := spoilt.Set(set); err != nil {
			t.Fatal(err)
		}
		if _, err := input.Check(t.Context(), spoilt, compiletest.Toolchain(t), nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", set, err, want)
		}
	}
}

func TestSeedsRefused(t *testing.T) {
	for bank, want := range map[string]string{
		"builtin:pomo-tsp51": "builtin:pomo-tsp50",
		"run:tsp20-1":        "only be named by epb start",
		"absent":             "load bank absent",
	} {
		if _, err := check(t, bank, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", bank, err, want)
		}
	}
}

// A config that breaks a rule is refused before anything that it names is read.
func TestConfigIsChecked(t *testing.T) {
	cfg := config.Default()
	cfg.Teacher, cfg.Nodes = "absent", 2
	if _, err := input.Check(t.Context(), cfg, nil, nil); err == nil || !strings.Contains(err.Error(), "nodes is 2") {
		t.Errorf("error %v, want one that names nodes", err)
	}
}

// TestClassesAreAllowed: a starting bank with programs that the config does not allow is refused, by their names.
func TestClassesAreAllowed(t *testing.T) {
	cfg := config.Default()
	cfg.Bank = "builtin:tsp-planners" // local programs are the default
	_, err := input.Check(t.Context(), cfg, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "insertion_plan (plan)") ||
		!strings.Contains(err.Error(), "outlier_chain (lookahead)") ||
		!strings.Contains(err.Error(), "bank_allow: [local, lookahead, plan]") ||
		strings.Contains(err.Error(), "costly_later") {
		t.Errorf("%v, want the programs that are not local", err)
	}
}

// TestLocalSearchTeacher: commands can ask the local search; a run is told to take its rollouts, and takes them.
func TestLocalSearchTeacher(t *testing.T) {
	p, err := input.LoadTeacher(config.LocalSearchTeacher)
	if err != nil || p.Info().Arch != teacher.LocalSearch {
		t.Fatalf("%+v (%v)", p.Info(), err)
	}
	cfg := config.Default()
	cfg.Nodes, cfg.Data.Train, cfg.Data.Val, cfg.Data.Test, cfg.Data.Search, cfg.Data.Shard = 6, 4, 2, 2, 0, 2
	cfg.Data.Starts = 0
	tools := compiletest.Toolchain(t)
	cfg.Teacher = config.LocalSearchTeacher
	_, err = input.Check(t.Context(), cfg, tools, nil)
	if err == nil || !strings.Contains(err.Error(), "epb rollout") {
		t.Errorf("error %v, want one that names epb rollout", err)
	}
	cfg.Teacher = rollouts(t, p, tsp.Generate(6, 8, 1), routing.SingleRun)
	if _, err = input.Check(t.Context(), cfg, tools, nil); err != nil {
		t.Error(err)
	}
}
