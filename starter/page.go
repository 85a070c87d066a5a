package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epb-nco/epb/internal/regular"
)

// pageTitle is how the title of every page of EPB ends.
const pageTitle = " · Evolving Programmatic Bottlenecks</title>"

// checkPage refuses a value of --html to which no page can be written, before anything is computed. A page may replace
// a page of EPB, but no other file.
func checkPage(path string) error {
	switch path {
	case "":
		return nil
	case standard:
		return fmt.Errorf("--html %s: want the name of a file, standard output is not written to", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("--html %s: there is no folder %s", path, filepath.Dir(path))
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--html: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--html %s: want the name of a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	defer file.Close()
	begins, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if len(begins) > 0 && !bytes.Contains(begins, []byte(pageTitle)) {
		return fmt.Errorf("--html %s: there is a file that EPB has not written: give another name", path)
	}
	return nil
}

// writePage writes a page to --html.
func writePage(path string, show func(io.Writer) error) error {
	if _, err := regular.WriteFile(path, show); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}
