package devstack

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/epb-nco/epb/internal/tool"
)

// Program returns the path of one of the project's own programs: beside this one, or in the repository's bin folder.
func Program(name string) (string, error) {
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	if root, ok := tool.Repository(); ok {
		dirs = append(dirs, filepath.Join(root, "bin"))
	}
	for _, dir := range dirs {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not built: run `make build`", name)
}
