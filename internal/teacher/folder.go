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

// argsName is the file beside a checkpoint in which attention-learn-to-route stores the options of its training.
const argsName = "args.json"

// File is a checkpoint on disk.
type File struct {
	Path string // of the checkpoint itself
	Data []byte
	args []byte // contents of the args.json beside it, nil without one
}

// Open reads a checkpoint. path is its file, or a folder with epoch-N.pt files, as the tools of
// attention-learn-to-route take it. Of a folder, Open reads the newest epoch.
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

// Label returns a name that distinguishes the checkpoint from others. Kool's files are all called epoch-99.pt and
// differ only in their folders.
func (f File) Label() string {
	return filepath.Join(filepath.Base(filepath.Dir(f.Path)), filepath.Base(f.Path))
}

// Teacher parses the checkpoint. name goes into errors and into the teacher's name. Teacher compares the weights with
// the args.json beside the checkpoint, because weights alone do not distinguish an orienteering problem from a CVRP.
// The Args are nil if there is no such file.
func (f File) Teacher(name string) (Teacher, *Args, error) {
	t, err := Parse(name, f.Data)
	// Only AM's training writes such a file. Beside another checkpoint, it is about something else.
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
		fault = fmt.Errorf("load teacher %s: %s: %w", name, filepath.Join(filepath.Dir(f.Path), argsName), fault)
		return Teacher{}, nil, errors.Join(err, fault)
	}
	t.trained = max(args.GraphSize, 0)
	return t, args, err
}

// newestEpoch returns path itself if it is a file. If it is a folder, it returns the epoch-N.pt with the largest N.
func newestEpoch(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, nil // the caller reads the path, and its error says what is wrong
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
