package instances

import (
	"archive/zip"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// ReadNPZ reads a NumPy archive of instances. TSP: coords [B,N,2] or, as RL4CO names it, locs. CVRP: depot [B,2], locs
// [B,N,2], demand [B,N] and capacity [B], whole numbers. Coordinates are float32 or float64. Instances are named
// "file[i]". Every other float array is returned flattened by its name, for example am_greedy_cost.
//
// It serves tests, whose data sets hold what a policy did beside the instances; commands use Read.
//
// Every instance is validated; the error names the file and the array or the instance at fault.
func ReadNPZ(path string) ([]routing.Instance, map[string][]float32, error) {
	z, err := zip.OpenReader(path)
	if errors.Is(err, zip.ErrFormat) {
		return nil, nil, fmt.Errorf("read %s: not an npz archive, or a truncated one", path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read instances: %w", err)
	}
	defer z.Close()
	insts, extra, err := readInstances(filepath.Base(path), &z.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", path, err)
	}
	return insts, extra, nil
}

func readInstances(name string, z *zip.Reader) ([]routing.Instance, map[string][]float32, error) {
	arrays, err := readArrays(z)
	if err != nil {
		return nil, nil, err
	}
	format, err := arraysOf(arrays)
	if err != nil {
		return nil, nil, err
	}
	insts, err := format.read(name, arrays)
	if err != nil {
		return nil, nil, err
	}
	for i := range insts {
		if err := problems.Validate(&insts[i]); err != nil {
			return nil, nil, err
		}
	}
	extra := map[string][]float32{}
	for key, a := range arrays {
		if a.Type == floatArray && !slices.Contains(instanceArrays, key) {
			extra[key] = a.float32s()
		}
	}
	return insts, extra, nil
}
