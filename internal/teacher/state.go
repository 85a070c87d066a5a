package teacher

import (
	"fmt"

	"gorgonia.org/tensor"
)

// StateDict returns the parameters of a checkpoint under the names of the file, for a student that begins with them. name, a
// file name, goes into errors.
func StateDict(name string, data []byte) (map[string]*tensor.Dense, error) {
	c, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c.params, nil
}
