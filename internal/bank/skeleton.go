package bank

import (
	"errors"
	"fmt"
	doccomment "go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Skeleton returns a first program for a heuristic: the example in the SDK's documentation, with a note on the most
// common mistake.
func Skeleton(name string, of Setting) (Heuristic, error) {
	pkg, err := of.Package()
	if err != nil {
		return Heuristic{}, err
	}
	example, err := example(pkg.Name)
	if err != nil {
		return Heuristic{}, err
	}
	signature, body, _ := strings.Cut(example, "{\n")
	note := fmt.Sprintf("	// %s: the comment above is its description; "+
		"say there in plain words what the code does.\n"+
		"	// The last call of a tour has one candidate (K = 1): "+
		"a mean or a nearest over the others is then over nothing.\n", name)
	src := fmt.Sprintf("package %s\n\nimport (\n\t%q\n)\n\n%s{\n%s%s", name, pkg.Path(), signature, note, body)
	h, err := New(name, src, Lineage{Origin: OriginHand})
	h.TauH, h.Unfitted = DefaultTauH, true
	return h, err
}

// example returns the code in an SDK's package documentation.
func example(name string) (string, error) {
	src, err := sdk.Sources.ReadFile(name + "/doc.go")
	if err != nil {
		return "", fmt.Errorf("there is no SDK %s: %w", name, err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), name+"/doc.go", src, parser.ParseComments)
	if err != nil {
		return "", err
	}
	var p doccomment.Parser
	for _, block := range p.Parse(file.Doc.Text()).Content {
		if code, ok := block.(*doccomment.Code); ok {
			return code.Text, nil
		}
	}
	return "", fmt.Errorf("the documentation of SDK %s shows no example", name)
}

// Append adds a heuristic to the bank in a folder and leaves the rest of the folder as it is. Where there is no such
// folder it makes a bank of that problem and view.
func Append(dir string, h Heuristic, of Setting) error {
	if err := add(dir, h, of); err != nil {
		return fmt.Errorf("add %s to bank %s: %w", h.Name, dir, err)
	}
	return nil
}

func add(dir string, h Heuristic, of Setting) error {
	b, man := &Bank{Setting: of}, manifest{Setting: of}
	if _, err := os.Stat(dir); err == nil {
		if b, err = Load(dir); err != nil {
			return err
		}
		d, err := openDisk(dir)
		if err != nil {
			return err
		}
		if man, err = readManifest(d.read, filepath.Base(d.dir), dir); err != nil {
			return err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if b.Has(h.Name) {
		return errors.New("it has a program of this name")
	}
	b.Heuristics = append(b.Heuristics, h)
	if err := b.Validate(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, h.Name)); err == nil {
		return errUnlisted(h.Name)
	}
	if err := h.save(dir); err != nil {
		return err
	}
	man.list(h)
	return man.write(dir)
}
