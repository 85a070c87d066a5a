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

// checkPage refuses a value of --html to which no page can be written, before anything is computed. A page may replace
// a page, but no other file.
func checkPage(path string) error {
	if path == "" {
		return nil
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
	const doctype = "<!doctype html"
	begins := make([]byte, len(doctype))
	if n, err := io.ReadFull(file, begins); n == 0 && errors.Is(err, io.EOF) {
		return nil // it is empty
	}
	if !bytes.EqualFold(begins, []byte(doctype)) {
		return fmt.Errorf("--html %s: there is a file that is no page: give another name", path)
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
