package instances

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/torchfile"
)

// Read reads every instance of a file, of a pipe or, by the name -, of standard input. It recognises the format by the
// content. Beside NAME.tsp it looks for a tour NAME.opt.tour or NAME.tour, beside NAME.vrp for a solution NAME.sol. The
// capacity is that of a vehicle, for a CSV of points with demands, which does not say it; 0 where none is given.
//
// The error names the file, the line where there are lines, and the reason. Read returns either all instances of a file
// or none.
func Read(path string, capacity int32) ([]File, error) {
	data, err := regular.ReadInput(path)
	if err != nil {
		return nil, fmt.Errorf("read instances: %w", err)
	}
	files, err := parseFile(path, capacity, data)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].Number, files[i].Of = i, len(files)
	}
	if len(files) > 1 {
		return files, nil
	}
	for _, solution := range beside(path) {
		data, err := regular.ReadFile(solution)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read solution: %w", err)
		}
		if err := files[0].readReference(solution, data); err != nil {
			return nil, err
		}
		break
	}
	return files, nil
}

// beside returns the names of the files in which the solution of an instance may lie beside it, the best first.
func beside(path string) []string {
	extension := filepath.Ext(path)
	var names []string
	for _, f := range allFormats {
		if strings.EqualFold(extension, f.library.extension) {
			for _, of := range f.library.solutions {
				names = append(names, strings.TrimSuffix(path, extension)+of)
			}
		}
	}
	return names
}

// Reference reports whether a file of this name would be read as the known solution of an instance.
func Reference(instance, name string) bool {
	at, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(beside(instance), func(known string) bool {
		path, err := filepath.Abs(known)
		return err == nil && path == at
	})
}

// readReference reads the solution that lies beside an instance.
func (f *File) readReference(path string, data []byte) error {
	actions, cost, err := formatsOf(f.Instance.Problem).library.parseSolution(path, data)
	if err != nil {
		return err
	}
	if err := f.setReference(actions, cost); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// parseFile does for the content of a file what Read does for a file. name is its path, for names and errors.
func parseFile(name string, capacity int32, data []byte) ([]File, error) {
	var files []File
	var err error
	switch data = bytes.TrimPrefix(data, byteOrderMark); {
	case !isNPZ(name) && isCSV(data):
		files, err = parseCSV(name, string(data), capacity)
	case capacity != 0:
		err = errors.New("a capacity was given, which is for a CSV of points with demands: this file is none")
	default:
		files, err = parse(name, data)
	}
	if err == nil {
		err = keepUnit(files)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return files, nil
}

// byteOrderMark is what some editors put in front of a text in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

func parse(name string, data []byte) ([]File, error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, errors.New("truncated or damaged: the zip directory at the end is missing")
		}
		for _, f := range z.File {
			if strings.HasSuffix(f.Name, "/data.pkl") {
				return fromTorch(name, data)
			}
		}
		arrays, err := readArrays(z)
		if err != nil {
			return nil, err
		}
		return fromArrays(name, arrays)
	case torchfile.Sniff(data):
		return fromTorch(name, data)
	case len(data) > 0 && data[0] == 0x80:
		return fromPickle(name, data)
	}
	if isNPZ(name) {
		return nil, errors.New("not an npz archive, or a truncated one")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("not a text file, and none of the binary formats: npz, pickle, PyTorch")
	}
	return parseText(name, string(data))
}

// isNPZ reports whether a name says that its file is an npz archive.
func isNPZ(name string) bool { return strings.EqualFold(filepath.Ext(name), ".npz") }

// parseText recognises the text formats by their first line.
func parseText(name, text string) ([]File, error) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first = strings.TrimSpace(first)
	if first == "" {
		return nil, errors.New("the file is empty")
	}
	for _, f := range slices.Backward(allFormats) {
		for _, set := range f.lines {
			if set.holds(first) {
				return parseLines(name, text, set.parse)
			}
		}
	}
	switch {
	case strings.HasPrefix(first, "Route #"):
		return nil, errors.New("a CVRPLIB solution without its instance: put it beside NAME.vrp as NAME.sol and read " +
			"that")
	case first[0] >= 'A' && first[0] <= 'Z' && strings.Contains(text, "\n"):
		return parseTSPLIB(name, text)
	}
	if fields := csvFields(first, csvSeparator(first)); slices.ContainsFunc(fields, isNumber) || isColumn(fields) {
		return nil, fmt.Errorf("line 1: %.40q is no line of a CSV of points: want x,y, and with a capacity "+
			"x,y,demand, with decimal points; or names of such columns, such as id,x,y", first)
	}
	return nil, fmt.Errorf("line 1: no known format begins with %.40q; known are TSPLIB, CVRPLIB, CSV of points "+
		"(x,y and, with a capacity, demand), LEHD's text sets, npz, pickle and PyTorch sets", first)
}
