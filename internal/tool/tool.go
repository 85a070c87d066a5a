// Package tool finds the programs that EPB starts: Temporal, MinIO and TinyGo.
package tool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "module github.com/epb-nco/epb\n"

// Repository finds the checkout that holds the working folder, or else this program.
func Repository() (root string, ok bool) {
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if exe, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(exe))
	}
	for _, dir := range starts {
		for {
			if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil &&
				strings.HasPrefix(string(mod), module) {
				return dir, true
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", false
}

// Variable returns the name of the environment variable that says where a program is, such as EPB_TINYGO.
func Variable(name string) string { return "EPB_" + strings.ToUpper(name) }

// Find returns the path of temporal, minio or tinygo: what $EPB_TEMPORAL (and so on) names, or what `make tools`
// installed, or what PATH has.
func Find(name string) (string, error) {
	variable := Variable(name)
	if named := os.Getenv(variable); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%s: %w", variable, err)
		}
		return filepath.Abs(path)
	}
	if root, ok := Repository(); ok {
		if path, err := exec.LookPath(filepath.Join(root, ".tools", "bin", name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: run `make tools`, put it on PATH or set %s", name, variable)
	}
	return path, nil
}
