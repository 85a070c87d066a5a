package teacher

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/regular"
)

// argsName is the file beside a checkpoint in which attention-learn-to-route notes how it was trained.
const argsName = "args.json"

// File is a checkpoint on disk.
type File struct {
	Path string // of the checkpoint itself
	Data []byte
	args []byte // of the args.json beside it, nil without one
}

// Open reads a checkpoint, given by its file or, as the tools of attention-learn-to-route take it, by the folder with
// its epoch-N.pt, of which the newest is taken.
func Open(path string) (File, error) {
	file, err := newestEpoch(path)
	if err != nil {
		return File{}, err
	}
	f := File{Path: file}
	if f.Data, err = regular.ReadFile(file); err != nil {
		return File{}, err
	}
	f.args, err = regular.ReadFile(filepath.Join(filepath.Dir(file), argsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return File{}, err
	}
	return f, nil
}

// Label returns a name for the checkpoint that tells it from others: Kool's are all called epoch-99.pt, and differ in
// their folders.
func (f File) Label() string {
	return filepath.Join(filepath.Base(filepath.Dir(f.Path)), filepath.Base(f.Path))
}

// Teacher parses the checkpoint. name goes into errors and into the teacher's name. What the args.json beside the
// checkpoint says is held against it: the weights alone do not tell an orienteering problem from a CVRP. The Args are
// nil where there are none.
func (f File) Teacher(name string) (Teacher, *Args, error) {
	t, err := Parse(name, f.Data)
	// No other architecture's training leaves such a file: beside its checkpoint, it is about something else.
	if f.args == nil || err == nil && t.info.Arch != AM {
		return t, nil, err
	}
	args, fault := readArgs(f.args)
	if fault == nil {
		fault = args.supported()
	}
	if fault == nil && err == nil {
		fault = args.describes(t)
	}
	if fault != nil {
		return Teacher{}, nil, fmt.Errorf(
			"load teacher %s: %s: %w", name, filepath.Join(filepath.Dir(f.Path), argsName), fault,
		)
	}
	return t, args, err
}

// newestEpoch returns path itself, or the epoch-N.pt with the largest N of the folder that path is.
func newestEpoch(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, nil // reading it says what is wrong
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	newest, file := -1, ""
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "epoch-")
		number, isCheckpoint := strings.CutSuffix(number, ".pt")
		if n, err := strconv.Atoi(number); ok && isCheckpoint && err == nil && n > newest {
			newest, file = n, e.Name()
		}
	}
	if file == "" {
		return "", fmt.Errorf("%s is a directory without a checkpoint epoch-N.pt: name the checkpoint's file", path)
	}
	return filepath.Join(path, file), nil
}
