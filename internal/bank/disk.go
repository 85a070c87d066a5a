package bank

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epb-nco/epb/internal/regular"
)

// maxFile is the largest bank.json or program that is read, in bytes. Programs have a stricter limit of their own
// (heuristic.MaxSource).
const maxFile = 1 << 20

// disk is the folder of a bank on disk. A bank may come from an untrusted source. So disk reads no file outside the
// bank's folder, and no file without an end, such as a pipe.
type disk struct{ dir string }

// openDisk finds a folder, which may be a link. The error for a missing folder is errNoManifest.
func openDisk(dir string) (disk, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return disk{}, err
	}
	abs, err = filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		err = errNoManifest
	}
	return disk{abs}, err
}

// read implements reader for the bank and for those beside it.
func (d disk) read(folder, file string) ([]byte, error) {
	root, err := d.root(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regular.ReadIn(root, filepath.FromSlash(file), maxFile)
}

func (d disk) root(folder string) (*os.Root, error) {
	if folder == filepath.Base(d.dir) {
		return os.OpenRoot(d.dir)
	}
	beside, err := os.OpenRoot(filepath.Dir(d.dir))
	if err != nil {
		return nil, err
	}
	defer beside.Close()
	return beside.OpenRoot(folder)
}
