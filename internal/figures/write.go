package figures

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/epb-nco/epb/internal/report"
)

// Write writes all figures and tables of a report to a new folder, and returns the names of the files.
func Write(dir string, d report.Data) ([]string, error) {
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s exists: name a new folder", dir)
	}
	figures, err := Plots(d)
	if err != nil {
		return nil, err
	}
	// A file says nothing of when it was drawn: the same report makes the same bytes.
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	part, err := os.MkdirTemp(parent, ".figures-*") // it gets its name once it is complete
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(part)
	var names []string
	write := func(name string, to func(io.Writer) error) error {
		f, err := os.Create(filepath.Join(part, name))
		if err != nil {
			return err
		}
		names = append(names, name)
		return errors.Join(to(f), f.Close())
	}
	for _, f := range figures {
		for _, format := range []string{"svg", "pdf"} {
			out, err := f.Plot.WriterTo(f.Width, f.Height, format)
			if err != nil {
				return nil, err
			}
			err = write(f.Name+"."+format, func(w io.Writer) error { _, err := out.WriteTo(w); return err })
			if err != nil {
				return nil, err
			}
		}
	}
	for _, t := range Tables(d) {
		if err := errors.Join(write(t.Name+".csv", t.CSV), write(t.Name+".tex", t.LaTeX)); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return nil, err
	}
	return names, os.Rename(part, dir)
}
