// Package distilled reads and writes the student that a run, or epb sketch, leaves behind. It is a folder:
//
//	bank/                the programs with their τ_h and lineage, see package bank
//	student.safetensors  the router's parameters
//	student.json         Manifest
//	router.go            the router as Go, see package readable; of a named router that is short enough to read
//
// and any other files, such as a report. Programs may be edited by hand before the folder is loaded.
package distilled

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// The files of the folder, and its version.
const (
	bankFolder    = "bank"
	weightsFile   = "student.safetensors"
	manifestFile  = "student.json"
	routerFile    = "router.go"
	folderVersion = 1
)

// Names returns the names of the files that Save writes, beside the bank's folder.
func Names() []string { return []string{weightsFile, manifestFile, routerFile} }

// Manifest says where an exported student comes from and how its tours begin.
type Manifest struct {
	Version int             `json:"version"`
	Run     string          `json:"run"`
	Problem routing.Problem `json:"problem"`
	Nodes   int             `json:"nodes"` // size of the instances it learned from; it decodes others as well
	Teacher string          `json:"teacher"`
	Seed    uint64          `json:"seed"`
	StandIn bool            `json:"stand_in"` // the stand-in, not a language model, wrote its programs

	NullWriter bool `json:"null_writer,omitempty"` // the null writer did, by lot

	Start     startrule.Rule `json:"start_rule"`            // empty where the start is given
	Agreement float64        `json:"start_rule_agreement"`  // with the teacher's own starts
	EPB       string         `json:"epb_version,omitempty"` // commit of the worker that wrote the run's report
	Kernels   string         `json:"kernels,omitempty"`     // numeric kernels that made it, in words

	// Programs are the names of the bank's programs. A router that knows them by their numbers, as a named one does,
	// fits these programs in this order alone.
	Programs []string `json:"programs,omitempty"`
}

// WriterWords returns a sentence on who revised the programs; its argument names the programs. It is empty for a
// language model.
func (m Manifest) WriterWords(programs string) string {
	who := ledger.ByRule(m.StandIn, m.NullWriter)
	if who == "" {
		return ""
	}
	return "The " + who + ", not a language model, revised " + programs + "."
}

// Of returns the student of a bank and its router, as Read reads it once it is saved.
func Of(m Manifest, b *bank.Bank, model *student.Model) Files {
	m.Version, m.Programs = folderVersion, b.Names()
	return Files{Manifest: m, Bank: b, Model: model}
}

// Save writes an exported student. The folder may exist; the files of a student in it are replaced.
func Save(dir string, m Manifest, b *bank.Bank, model *student.Model) error {
	m = Of(m, b, model).Manifest
	weights, err := model.Marshal()
	if err != nil {
		return fmt.Errorf("save student %s: %w", dir, err)
	}
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("save student %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("save student: %w", err)
	}
	if err := b.Save(filepath.Join(dir, bankFolder)); err != nil {
		return fmt.Errorf("save student %s: %w", dir, err)
	}
	if err := regular.WriteBytes(filepath.Join(dir, weightsFile), weights); err != nil {
		return fmt.Errorf("save student: %w", err)
	}
	if err := saveRouter(filepath.Join(dir, routerFile), b, model); err != nil {
		return fmt.Errorf("save student %s: %w", dir, err)
	}
	if err := regular.WriteBytes(filepath.Join(dir, manifestFile), append(manifest, '\n')); err != nil {
		return fmt.Errorf("save student: %w", err)
	}
	return nil
}

// saveRouter writes the router as Go, or removes what an earlier student left there.
func saveRouter(name string, b *bank.Bank, model *student.Model) error {
	src, ok, err := readable.Source(model, b)
	if err != nil {
		return err
	}
	if ok {
		return regular.WriteBytes(name, []byte(src))
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Files are the contents of an exported student, read and checked but not compiled.
type Files struct {
	Manifest Manifest
	Bank     *bank.Bank
	Model    *student.Model
}

// Folder is where a folder of epb export student has the student.
const Folder = "student"

// Read reads an exported student: a folder of epb report or epb sketch, or one of epb export student, which has
// it in a folder of its own. The error names the file that is missing or wrong.
func Read(dir string) (Files, error) {
	var s Files
	if inner := filepath.Join(dir, Folder); !holds(dir) && Is(dir) {
		dir = inner
	}
	if err := s.read(dir); err != nil {
		return Files{}, fmt.Errorf("load student %s: %w", dir, err)
	}
	return s, nil
}

// Is reports whether Read takes a folder for an exported student.
func Is(dir string) bool {
	return holds(dir) || holds(filepath.Join(dir, Folder))
}

// holds reports whether the files of a student lie in a folder itself.
func holds(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}

func (s *Files) read(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("it is no folder: want one that epb report wrote, with %s, %s and the folder %s",
			manifestFile, weightsFile, bankFolder)
	}
	for _, name := range []string{manifestFile, weightsFile, bankFolder} {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no %s: an exported student holds %s, %s and the folder %s",
				name, manifestFile, weightsFile, bankFolder)
		} else if err != nil {
			return err
		}
	}
	data, err := regular.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s.Manifest); err != nil {
		return fmt.Errorf("%s: %w", manifestFile, manifestError(err))
	}
	if s.Manifest.Version != folderVersion {
		return fmt.Errorf("%s: version %d, this program reads version %d",
			manifestFile, s.Manifest.Version, folderVersion)
	}
	if p := s.Manifest.Problem; !problems.Known(p) {
		return fmt.Errorf("%s: problem %.80q is unknown, want %s", manifestFile, p, problems.Names())
	}
	if data, err = regular.ReadFile(filepath.Join(dir, weightsFile)); err != nil {
		return err
	}
	if s.Model, err = student.UnmarshalModel(data); err != nil {
		return fmt.Errorf("%s: %w", weightsFile, err)
	}
	if s.Bank, err = bank.Load(filepath.Join(dir, bankFolder)); err != nil {
		return err
	}
	if s.Bank.Problem != s.Manifest.Problem {
		return fmt.Errorf("its bank is for %s, %s says %s", s.Bank.Problem, manifestFile, s.Manifest.Problem)
	}
	if p := s.Model.Config.For(); p != s.Manifest.Problem {
		return fmt.Errorf("%s: a router for %s, %s says %s", weightsFile, p, manifestFile, s.Manifest.Problem)
	}
	return s.numbered()
}

// numbered refuses a bank that was changed under a router that knows programs by their numbers.
func (s *Files) numbered() error {
	of := s.Model.Config.OwnParameters()
	if of == 0 {
		return nil
	}
	if got := len(s.Bank.Heuristics); got != of {
		return fmt.Errorf("%s has a router of %d programs, and the folder %s holds %d",
			weightsFile, of, bankFolder, got)
	}
	if want := s.Manifest.Programs; want != nil && !slices.Equal(want, s.Bank.Names()) {
		return fmt.Errorf("%s has a router of the programs %s, and the folder %s holds %s: the router knows them by "+
			"their order", weightsFile, strings.Join(want, ", "), bankFolder, strings.Join(s.Bank.Names(), ", "))
	}
	return nil
}

// manifestError says what is wrong with a student.json in terms of its text.
func manifestError(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("empty or truncated: it ends within its JSON object")
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("it is a JSON %s, want an object as epb report writes it", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is of type %s, want %s", wrong.Field, wrong.Value, wrong.Type.Kind())
	}
	return fmt.Errorf("%.200s", strings.TrimPrefix(err.Error(), "json: "))
}

// Build compiles the programs.
func (s Files) Build(ctx context.Context, tools *compile.Toolchain,
	progress func(name string)) (*evaluate.Student, error) {
	programs, err := evaluate.BuildPrograms(ctx, tools, s.Bank, progress)
	if err != nil {
		return nil, err
	}
	return &evaluate.Student{Model: s.Model, Programs: programs, Start: s.Manifest.Start}, nil
}
