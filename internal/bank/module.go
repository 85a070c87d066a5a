package bank

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// sdkFolder holds a copy of the SDK in the folder of a bank. Go leaves out folders whose names begin with a dot.
const sdkFolder = ".sdk"

// WriteModule makes the folder of a bank a Go module with a copy of the SDK in it, so that editors and go vet
// understand its programs without a network and without EPB's source. It changes nothing for EPB. A go.mod that is
// there stays as it is; the copy of the SDK is written anew.
func WriteModule(dir string) error {
	if err := writeModule(dir); err != nil {
		return fmt.Errorf("write the module of bank %s: %w", dir, err)
	}
	return nil
}

func writeModule(dir string) error {
	module := fmt.Sprintf("module bank\n\ngo %s\n\nrequire %s v0.0.0\n\n// a copy, so that nothing is fetched\n"+
		"replace %[2]s => ./%[3]s\n", source.GoVersion, sdk.Path, sdkFolder)
	if err := writeNew(filepath.Join(dir, "go.mod"), module); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	copied := filepath.Join(dir, sdkFolder)
	if err := os.RemoveAll(copied); err != nil {
		return err
	}
	if err := os.MkdirAll(copied, 0o755); err != nil {
		return err
	}
	own := fmt.Sprintf("module %s\n\ngo %s\n", sdk.Path, source.GoVersion)
	if err := writeNew(filepath.Join(copied, "go.mod"), own); err != nil {
		return err
	}
	for _, p := range sdk.Packages {
		files, err := fs.Glob(sdk.Sources, path.Join(p.Name, "*.go"))
		if err != nil {
			return err
		}
		if err := os.Mkdir(filepath.Join(copied, p.Name), 0o755); err != nil {
			return err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := fs.ReadFile(sdk.Sources, file)
			if err != nil {
				return err
			}
			if err := writeNew(filepath.Join(copied, filepath.FromSlash(file)), string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeNew writes a file that does not exist yet.
func writeNew(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
