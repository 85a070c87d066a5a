package locate_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// offline has no server found, and makes an empty folder the working directory.
func offline(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("EPB_DEV_DIR", "nostack")
	t.Setenv("EPB_S3_ENDPOINT", "")
	t.Setenv("TEMPORAL_ADDRESS", "")
}

// noServer is part of the error of a run that is sought without a server.
const noServer = "no EPB_S3_ENDPOINT is set"

// write writes a file, and the folder that it lies in.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// saveBank saves a bank of one program.
func saveBank(t *testing.T, dir string) *bank.Bank {
	t.Helper()
	shipped, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	b := *shipped
	b.Heuristics = b.Heuristics[:1]
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	return &b
}

// saveStudent saves a student of one program with an untrained router.
func saveStudent(t *testing.T, dir string) {
	t.Helper()
	b := saveBank(t, filepath.Join(dir, "bank"))
	model := student.New(student.Config{Problem: routing.TSP, D: 16, Layers: 1, Heads: 1, FF: 16}, 1)
	if err := distilled.Save(dir, distilled.Manifest{Problem: routing.TSP, Nodes: 20}, b, model); err != nil {
		t.Fatal(err)
	}
}

// saveReport writes a report of a run to the folder of a student.
func saveReport(t *testing.T, dir, id string) {
	t.Helper()
	var text bytes.Buffer
	if err := report.JSON(&text, report.Data{Run: report.Run{ID: id}}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "report.json"), text.String())
}

// refused checks that an error has a part of its text.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestNames: a name is read by its form alone, whatever lies in the working directory.
func TestNames(t *testing.T) {
	offline(t)
	saveStudent(t, "mine")
	for text, want := range map[string]struct {
		builtin, run, student bool
		id, forBank           string
	}{
		"builtin:tsp-local": {builtin: true, id: "tsp-local", forBank: "run:tsp-local"},
		"run:demo-1":        {run: true, id: "demo-1", forBank: "run:demo-1"},
		"run:mine":          {run: true, id: "mine", forBank: "run:mine"},
		"demo-1":            {id: "demo-1", forBank: "run:demo-1"},
		"mine":              {student: true, id: "mine", forBank: "mine"},
		"./mine/":           {student: true, id: "./mine/", forBank: "./mine/"},
	} {
		n := locate.Of(text)
		if n.IsBuiltin() != want.builtin || n.IsRun() != want.run || n.IsStudent() != want.student ||
			n.ID() != want.id || n.ForBank() != want.forBank {
			t.Errorf("%s: builtin %v, run %v, student %v, ID %s, for a bank %s; want %+v", text, n.IsBuiltin(),
				n.IsRun(), n.IsStudent(), n.ID(), n.ForBank(), want)
		}
	}
	if n := locate.Argument([]string{"run:a", "b"}); n != locate.Of("run:a") {
		t.Errorf("the first argument is read as %+v", n)
	}
	if n := locate.Argument(nil); n != (locate.Name{}) || n.ID() != "" {
		t.Errorf("no argument is read as %+v", n)
	}
}

// TestBank: a bank is found in its own folder, in that of a student and in that of an exported one.
func TestBank(t *testing.T) {
	offline(t)
	saveBank(t, "mine")
	saveStudent(t, "result")
	saveStudent(t, "solver/student")
	write(t, "thesis/thesis.tex", "")
	saveBank(t, "run:x")
	for name, folder := range map[string]string{
		"mine": "mine", "result": "result/bank", "solver": "solver/student/bank",
		"solver/student": "solver/student/bank",
	} {
		dir, ok := locate.Of(name).BankFolder()
		if !ok || dir != filepath.FromSlash(folder) {
			t.Errorf("the bank of %s lies in %s (%v), want %s", name, dir, ok, folder)
		}
		if b, err := locate.Of(name).Bank(t.Context()); err != nil || len(b.Heuristics) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, err := locate.Of("builtin:tsp-local").Bank(t.Context()); err != nil || len(b.Heuristics) != 10 {
		t.Errorf("a bank that ships: %v", err)
	}
	for name, want := range map[string]string{
		"builtin:tsp-loca": "there is no bank tsp-loca",
		"thesis":           "load bank thesis: there is no bank.json",
		"absent":           "there is no folder absent, and as a run: " + noServer,
		"run:absent":       noServer,
		"run:x":            noServer, // whatever folder there is
		"":                 "the name of the run is empty",
	} {
		_, err := locate.Of(name).Bank(t.Context())
		refused(t, err, want)
		if strings.HasPrefix(name, "run:") && strings.Contains(err.Error(), "folder") {
			t.Errorf("%s is no folder, and the error says %v", name, err)
		}
	}
	for _, name := range []string{"builtin:tsp-local", "run:x", "absent"} {
		if dir, ok := locate.Of(name).BankFolder(); ok {
			t.Errorf("%s lies in the folder %s", name, dir)
		}
	}
}

// TestMixture: the folder of a student has a router beside its bank, and other banks have none.
func TestMixture(t *testing.T) {
	offline(t)
	saveStudent(t, "result")
	saveStudent(t, "solver/student")
	saveBank(t, "mine")
	for name, routed := range map[string]bool{
		"result": true, "solver": true, "mine": false, "result/bank": false, "builtin:tsp-local": false,
	} {
		b, model, err := locate.Of(name).Mixture(t.Context())
		if err != nil || b == nil || (model != nil) != routed {
			t.Errorf("%s: bank %v, router %v (%v), want a router: %v", name, b != nil, model != nil, err, routed)
		}
	}
	_, _, err := locate.Of("absent").Mixture(t.Context())
	refused(t, err, "there is no folder absent, and as a run: ")
}

func TestStudent(t *testing.T) {
	offline(t)
	saveStudent(t, "result")
	saveStudent(t, "solver/student")
	saveBank(t, "mine")
	write(t, "file", "")
	for _, name := range []string{"result", "solver", "solver/student"} {
		if s, err := locate.Of(name).Student(t.Context()); err != nil || s.Manifest.Nodes != 20 {
			t.Errorf("%s: %+v (%v)", name, s.Manifest, err)
		}
	}
	for name, want := range map[string]string{
		"mine":               "there is no student.json",
		"file":               "it is no folder",
		"file/inner":         "not a directory",
		"builtin:pomo-tsp20": "that is no student",
		"absent": "there is no such folder of a student (epb sketch and epb report write them), and as a run: " +
			noServer,
		"run:result": noServer,
	} {
		_, err := locate.Of(name).Student(t.Context())
		refused(t, err, want)
	}
}

func TestReport(t *testing.T) {
	offline(t)
	saveStudent(t, "sketched")
	saveStudent(t, "result")
	saveReport(t, "result", "demo-1")
	write(t, "broken/report.json", "{")
	if d, err := locate.Of("result").Report(t.Context()); err != nil || d.Run.ID != "demo-1" {
		t.Errorf("the report of %s (%v)", d.Run.ID, err)
	}
	for name, want := range map[string]string{
		"sketched":          "sketched has no report of a run (report.json): epb report writes one",
		"broken":            "broken: ",
		"absent":            "there is no folder absent, and as a run: " + noServer,
		"run:absent":        noServer,
		"builtin:tsp-local": "builtin:tsp-local is no run",
	} {
		_, err := locate.Of(name).Report(t.Context())
		refused(t, err, want)
		if errors.Is(err, locate.ErrNoReport) != (name == "sketched") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStates(t *testing.T) {
	offline(t)
	write(t, "shard", "states")
	data, err := locate.Of("shard").States(t.Context())
	if err != nil || len(data) != 1 || string(data[0]) != "states" {
		t.Errorf("read %q (%v)", data, err)
	}
	for name, want := range map[string]string{
		".":         "is a directory",
		"absent":    "there is no file absent, and as a run: " + noServer,
		"run:shard": noServer,
	} {
		_, err := locate.Of(name).States(t.Context())
		refused(t, err, want)
	}
}

// TestRuns: what is no name of a run is refused before anybody is asked, and a given ID is taken as it is.
func TestRuns(t *testing.T) {
	offline(t)
	write(t, "demo/report.json", "") // a run is no folder
	for name, want := range map[string]string{
		"builtin:tsp-local": "builtin:tsp-local is no run",
		"run:":              "the name of the run is empty",
		"":                  "the name of the run is empty",
		"demo":              noServer,
	} {
		_, err := locate.Of(name).Result(t.Context())
		refused(t, err, want)
		if id, err := locate.Of(name).RunID(t.Context()); (err == nil) != (name == "demo") || err == nil && id != name {
			t.Errorf("%s: run %s (%v)", name, id, err)
		}
	}
	if id, err := locate.Of("run:demo").RunID(t.Context()); err != nil || id != "demo" {
		t.Errorf("run:demo is the run %s (%v)", id, err)
	}
	_, err := locate.Argument(nil).RunID(t.Context())
	refused(t, err, "TEMPORAL_ADDRESS")
	_, err = locate.Argument(nil).Result(t.Context())
	refused(t, err, noServer)
}
