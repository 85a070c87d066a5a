package bank

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/regular"
)

// DefaultTauH is τ_h of Eq. 2 where neither the bank nor the entry gives one, until training fits it (see
// Heuristic.Unfitted). It is in units of the scores: for lengths in the unit square, a candidate 0.03 worse than the
// best keeps a third of its weight.
const DefaultTauH = 0.03

// manifestName is the file that makes a folder a bank.
const manifestName = "bank.json"

// manifest is bank.json: the data that is not in the Go files, in the order of the bank.
type manifest struct {
	About string `json:"about,omitempty"` // what the bank is for, in a sentence or two; of banks that come with EPB
	Setting
	Teacher    string  `json:"teacher,omitempty"`
	TauH       float64 `json:"tau_h,omitempty"` // of the entries that give none; 0: training fits theirs
	Heuristics []entry `json:"heuristics"`
}

type entry struct {
	Name    string   `json:"name"`
	From    string   `json:"from,omitempty"`  // BANK/PROGRAM: a bank beside this one whose program it shares
	TauH    float64  `json:"tau_h,omitempty"` // where it differs from the bank's; 0: the bank's
	Lineage *Lineage `json:"lineage,omitempty"`
}

// Load reads the bank in a folder: bank.json, and NAME/NAME.go for every heuristic it lists, or the program of the bank
// beside this one that the entry names in "from". Load checks and normalises the sources and does not compile them.
// Errors name the file.
func Load(dir string) (*Bank, error) {
	d, err := openDisk(dir)
	if err != nil {
		return nil, fmt.Errorf("load bank %s: %w", dir, err)
	}
	return load(d.read, filepath.Base(d.dir), dir)
}

// loadFS is Load from a folder of any file system; where is what errors call the folder.
func loadFS(fsys fs.FS, dir, where string) (*Bank, error) {
	return load(func(folder, file string) ([]byte, error) { return fs.ReadFile(fsys, path.Join(folder, file)) }, dir,
		where)
}

// reader reads a file in the folder of one of several banks that lie beside each other.
type reader func(folder, file string) ([]byte, error)

func load(read reader, dir, where string) (*Bank, error) {
	man, err := readManifest(read, dir, where)
	if err != nil {
		return nil, fmt.Errorf("load bank %s: %w", where, err)
	}
	if man.TauH < 0 {
		return nil, fmt.Errorf("load bank %s: tau_h is %v, want a number from %g to %g, or none: training then fits "+
			"one for each program", path.Join(where, manifestName), man.TauH, agreement.MinTauH, agreement.MaxTauH)
	}
	b := &Bank{Setting: man.Setting, Teacher: man.Teacher}
	for _, e := range man.Heuristics {
		h, err := loadEntry(read, dir, where, e)
		if err != nil {
			return nil, fmt.Errorf("load bank %s: %w", where, err)
		}
		if h.TauH == 0 {
			h.TauH = man.TauH
		}
		if h.TauH == 0 {
			h.TauH, h.Unfitted = DefaultTauH, true
		}
		b.Heuristics = append(b.Heuristics, h)
	}
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("load bank %s: %w", path.Join(where, manifestName), err)
	}
	return b, nil
}

var errNoManifest = fmt.Errorf("there is no %s: a bank is a folder with this file and one folder per heuristic",
	manifestName)

func readManifest(read reader, dir, where string) (manifest, error) {
	var man manifest
	data, err := read(dir, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return man, errNoManifest
	}
	if err != nil {
		return man, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&man); err != nil {
		return man, fmt.Errorf("%s: %.200w", path.Join(where, manifestName), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return man, fmt.Errorf("%s: something follows the bank's object", path.Join(where, manifestName))
	}
	return man, nil
}

func loadEntry(read reader, dir, where string, e entry) (Heuristic, error) {
	if err := ValidName(e.Name); err != nil {
		return Heuristic{}, fmt.Errorf("%s: %w", manifestName, err)
	}
	program := e.Name
	if e.From != "" {
		sibling, name, ok := strings.Cut(e.From, "/")
		if !ok || !fs.ValidPath(sibling) || sibling == "." || ValidName(name) != nil {
			return Heuristic{}, fmt.Errorf("%s: %s is from %.80q, want BANK/PROGRAM, "+
				"as in tsp-starter/two_step_closure", manifestName, e.Name, e.From)
		}
		dir, where, program = path.Join(path.Dir(dir), sibling), path.Join(where, "..", sibling), name
	}
	file := program + "/" + program + ".go"
	src, err := read(dir, file)
	if errors.Is(err, fs.ErrNotExist) {
		return Heuristic{}, fmt.Errorf("%s lists %s, but there is no %s: restore the file, or take the entry out",
			manifestName, e.Name, path.Join(where, file))
	}
	if err != nil {
		return Heuristic{}, fmt.Errorf("%s lists %s, but: %w", manifestName, e.Name, err)
	}
	lineage := Lineage{Origin: OriginHand}
	if e.Lineage != nil {
		lineage = *e.Lineage
	}
	h, err := New(e.Name, string(src), lineage)
	if err != nil {
		return Heuristic{}, fmt.Errorf("%s: %w", path.Join(where, file), err)
	}
	if name := packageOf(src); name != program {
		return Heuristic{}, fmt.Errorf("%s: the file begins with package %.60s, want package %s, after its folder",
			path.Join(where, file), name, program)
	}
	h.TauH = e.TauH
	return h, nil
}

// packageOf returns the package name of a Go file that parses.
func packageOf(src []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}

// Validate returns the first reason why the bank is not valid: an unknown problem or view, no heuristic, two
// heuristics of one name, one that does not fit (see Fits), or a τ_h out of its range. It also refuses one program
// under two names: the heuristics could not be told apart.
func (b *Bank) Validate() error {
	if _, err := b.Package(); err != nil {
		return err
	}
	if len(b.Heuristics) == 0 {
		return errors.New("the bank holds no heuristic: list at least one")
	}
	names, codes := map[string]bool{}, map[string]string{}
	for _, h := range b.Heuristics {
		if err := ValidName(h.Name); err != nil {
			return err
		}
		if names[h.Name] {
			return fmt.Errorf("heuristic %s is listed twice", h.Name)
		}
		if other, ok := codes[h.body()]; ok {
			return fmt.Errorf("heuristics %s and %s are the same program", other, h.Name)
		}
		if err := b.Fits(h); err != nil {
			return fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		if !agreement.ValidTauH(h.TauH) {
			return fmt.Errorf("heuristic %s: tau_h is %v, want a number from %g to %g", h.Name, h.TauH,
				agreement.MinTauH, agreement.MaxTauH)
		}
		names[h.Name], codes[h.body()] = true, h.Name
	}
	return nil
}

// body is the source without its package clause.
func (h Heuristic) body() string {
	_, rest, _ := bytes.Cut([]byte(h.Source), []byte("\nimport "))
	return string(rest)
}

// Unlisted returns the folders with Go files in the folder of a bank that its bank.json does not list: they are no part
// of the bank.
func Unlisted(dir string) ([]string, error) {
	d, err := openDisk(dir)
	if err != nil {
		return nil, fmt.Errorf("load bank %s: %w", dir, err)
	}
	man, err := readManifest(d.read, filepath.Base(d.dir), dir)
	if err != nil {
		return nil, fmt.Errorf("load bank %s: %w", dir, err)
	}
	files, err := fs.Glob(os.DirFS(dir), "*/*.go")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		listed := func(e entry) bool { return e.Name == path.Dir(file) }
		if !slices.ContainsFunc(man.Heuristics, listed) {
			names = append(names, path.Dir(file))
		}
	}
	return slices.Compact(names), nil
}

// errUnlisted refuses to overwrite a program that is not in the bank's manifest.
func errUnlisted(name string) error {
	return fmt.Errorf("there is already a folder %s that %s does not list: move it away, or choose another name", name,
		manifestName)
}

// Save writes the bank as a folder that Load reads back to the same bank. The folder may be new, empty, or hold a bank,
// whose programs Save replaces. It leaves anything else alone, and returns an error if that is in the way. It removes
// programs last, so that a bank that cannot be written leaves none of them missing.
func (b *Bank) Save(dir string) error {
	if err := b.Validate(); err != nil {
		return fmt.Errorf("save bank %s: %w", dir, err)
	}
	stale, err := b.stale(dir)
	if err != nil {
		return fmt.Errorf("save bank %s: %w", dir, err)
	}
	man := manifest{Setting: b.Setting, Teacher: b.Teacher, TauH: commonTauH(b.Heuristics)}
	for _, h := range b.Heuristics {
		man.list(h)
		if err := h.save(dir); err != nil {
			return fmt.Errorf("save bank %s: %w", dir, err)
		}
	}
	if err := man.write(dir); err != nil {
		return fmt.Errorf("save bank %s: %w", dir, err)
	}
	for _, h := range stale {
		if err := h.remove(dir); err != nil {
			return fmt.Errorf("save bank %s: %w", dir, err)
		}
	}
	return nil
}

// list adds the entry of a heuristic. An entry without a τ_h takes the bank's: before one of an unfitted heuristic is
// added, the bank's τ_h moves into the entries that take it.
func (m *manifest) list(h Heuristic) {
	if h.Unfitted {
		for i := range m.Heuristics {
			m.Heuristics[i].TauH = cmp.Or(m.Heuristics[i].TauH, m.TauH)
		}
		m.TauH = 0
	}
	e := entry{Name: h.Name, Lineage: &h.Lineage}
	if h.TauH != m.TauH && !h.Unfitted {
		e.TauH = h.TauH
	}
	m.Heuristics = append(m.Heuristics, e)
}

func (m manifest) write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return regular.WriteBytes(filepath.Join(dir, manifestName), append(data, '\n'))
}

// save writes the heuristic's Go file below the folder of its bank.
func (h Heuristic) save(dir string) error {
	file := filepath.Join(dir, h.Name, h.Name+".go")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return regular.WriteBytes(file, []byte(h.Source))
}

// stale returns the programs of the bank in dir, if there is one, that b does not replace by one of the same name. It
// fails if something else is in the way of b.
func (b *Bank) stale(dir string) ([]Heuristic, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := Load(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder is not empty and holds no bank that could be replaced: move it away, or "+
			"choose another: %w", err)
	}
	unlisted, err := Unlisted(dir)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(unlisted, b.Has); i >= 0 {
		return nil, errUnlisted(unlisted[i])
	}
	return slices.DeleteFunc(old.Heuristics, func(h Heuristic) bool { return b.Has(h.Name) }), nil
}

// remove removes the heuristic's Go file below the folder of its bank. A program shared with another bank has none
// there.
func (h Heuristic) remove(dir string) error {
	folder := filepath.Join(dir, h.Name)
	if err := os.Remove(filepath.Join(folder, h.Name+".go")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(folder) // fails, and keeps the folder, if something else lies in it
	return nil
}

// commonTauH returns the most frequent τ_h; of equally frequent ones the first in bank order. If one is unfitted the
// bank has none, since the entries without a τ_h would take it.
func commonTauH(hs []Heuristic) float64 {
	if slices.ContainsFunc(hs, func(h Heuristic) bool { return h.Unfitted }) {
		return 0
	}
	count := func(tauH float64) (n int) {
		for _, h := range hs {
			if h.TauH == tauH {
				n++
			}
		}
		return n
	}
	return slices.MaxFunc(hs, func(a, b Heuristic) int { return count(a.TauH) - count(b.TauH) }).TauH
}
