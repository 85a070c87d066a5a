package instances

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// WriteNPZ writes instances of one problem and size as an npz archive that NumPy and Read read: coords for TSP; depot,
// locs, demand and capacity for CVRP. Coordinates are those of the unit square, float32. Package export hands
// instances to an exported program in it, and tests write with it what Read and the commands must read.
func WriteNPZ(w io.Writer, insts []routing.Instance) error {
	if len(insts) == 0 {
		return errors.New("write npz: no instances")
	}
	N, problem := insts[0].N(), insts[0].Problem
	for i := range insts {
		in := &insts[i]
		if err := problems.WellFormed(in); err != nil {
			return fmt.Errorf("write npz: %w", err)
		}
		if in.N() != N || in.Problem != problem {
			return fmt.Errorf("write npz: instance %s: %s of %d nodes, the first is %s of %d: "+
				"an archive holds one size", in.Name, in.Problem, in.N(), problem, N)
		}
	}
	formats := formatsOf(problem)
	if formats == nil {
		return fmt.Errorf("write npz: %s has no format of arrays", problem)
	}
	z := zip.NewWriter(w)
	return errors.Join(formats.arrays.write(z, insts), z.Close())
}

// writeArray adds an array in npy format 1.0. npyio writes flat slices only.
func writeArray(z *zip.Writer, name, dtype string, values any, shape ...int) error {
	w, err := z.Create(name + ".npy")
	if err != nil {
		return err
	}
	dims := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(shape), "[]")), ", ")
	if len(shape) == 1 {
		dims += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, dims)
	const preamble, align = 10, 64
	header += strings.Repeat(" ", align-1-(preamble+len(header))%align) + "\n"
	if _, err := w.Write(append([]byte{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, byte(len(header)), byte(len(header) >> 8)},
		header...)); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, values)
}
