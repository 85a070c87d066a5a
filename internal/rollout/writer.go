package rollout

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/safetensors"
)

// Writer writes a shard that need not fit into memory. It takes the shard in pieces, and each array grows in a file of
// its own. Finish joins these files into the one that Encode, or Marshal, would return of the whole shard, with the
// notes added.
type Writer struct {
	dir    string
	meta   map[string]string
	notes  map[string]string // beyond the shard's own metadata
	size   Size
	arrays []column // in the order of flat.tensors
}

// column is an array whose values are in a file.
type column struct {
	safetensors.Entry
	file *os.File
}

// NewWriter returns a writer with a folder of its own in dir, which should have room for the shard. Close it.
func NewWriter(dir string) (*Writer, error) {
	own, err := os.MkdirTemp(dir, ".rollout-*")
	if err != nil {
		return nil, fmt.Errorf("write rollouts: %w", err)
	}
	return &Writer{dir: own, notes: map[string]string{}}, nil
}

// Note adds an entry to the file's metadata that no reader needs, such as what program wrote the file.
func (w *Writer) Note(key, value string) { w.notes[key] = value }

// Size counts what was written so far.
func (w *Writer) Size() Size { return w.size }

// Append adds the instances, trajectories and states of a shard. All must agree in problem, teacher and size.
func (w *Writer) Append(sh *Shard) error {
	meta, f := sh.metadata(), sh.flat()
	if w.meta == nil {
		w.meta = meta
	} else {
		f.after(w.size)
	}
	if !maps.Equal(meta, w.meta) {
		return fmt.Errorf("write rollouts: these are %v, the first are %v", meta, w.meta)
	}
	for k, t := range f.tensors() {
		if err := w.grow(k, t); err != nil {
			return fmt.Errorf("write rollouts: %s: %w", t.Name, err)
		}
	}
	w.size = w.size.plus(sh.Size())
	return nil
}

// grow adds the rows of a tensor to array k.
func (w *Writer) grow(k int, t safetensors.Tensor) error {
	if k == len(w.arrays) {
		file, err := os.Create(filepath.Join(w.dir, t.Name))
		if err != nil {
			return err
		}
		c := column{t.Entry(), file}
		c.Shape = slices.Clone(c.Shape)
		c.Shape[0] = 0
		w.arrays = append(w.arrays, c)
	}
	w.arrays[k].Shape[0] += t.Shape()[0]
	_, err := w.arrays[k].file.Write(dense.Bytes(t.Dense))
	return err
}

// Finish writes the file to out, compressed with zstd if that is asked for. Nothing can be appended afterwards.
func (w *Writer) Finish(out io.Writer, compress bool) error {
	if !compress {
		return w.join(out)
	}
	z, err := compressor(out)
	if err != nil {
		return err
	}
	return errors.Join(w.join(z), z.Close())
}

func (w *Writer) join(out io.Writer) error {
	entries, files := make([]safetensors.Entry, len(w.arrays)), map[string]*os.File{}
	for k, c := range w.arrays {
		entries[k], files[c.Name] = c.Entry, c.file
	}
	meta := maps.Clone(w.notes)
	maps.Copy(meta, w.meta)
	head, order, err := safetensors.Head(entries, meta)
	if err != nil {
		return fmt.Errorf("write rollouts: %w", err)
	}
	b := bufio.NewWriter(out)
	if _, err := b.Write(head); err != nil {
		return fmt.Errorf("write rollouts: %w", err)
	}
	for _, t := range order {
		if _, err := files[t.Name].Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("write rollouts: %w", err)
		}
		if _, err := b.ReadFrom(files[t.Name]); err != nil {
			return fmt.Errorf("write rollouts: %w", err)
		}
	}
	return b.Flush()
}

// Close removes the writer's files.
func (w *Writer) Close() error {
	errs := make([]error, len(w.arrays))
	for k, c := range w.arrays {
		errs[k] = c.file.Close()
	}
	return errors.Join(errors.Join(errs...), os.RemoveAll(w.dir))
}
