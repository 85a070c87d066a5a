package artifact

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
)

// Scratch lets the store keep named features that do not fit into memory in files of a folder. It fails on what is no
// folder that can be written, or no absolute path.
func (s *Store) Scratch(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s is not an absolute path", dir)
	}
	try, err := scratch.New[float32](dir, 1)
	if err != nil {
		return err
	}
	try.Close()
	s.scratch = dir
	return nil
}

// disk returns how many bytes features in files may take, those that are there already included. They leave a tenth of
// what the disk has free when most is free: a worker that takes the place of another one may begin before that one's
// files are gone.
func (s *Store) disk() int64 {
	if s.scratch == "" {
		return 0
	}
	free, err := scratch.Free(s.scratch)
	if err != nil {
		free = 0
	}
	return s.filed.grow(free / 10 * 9)
}

// Remember gives sets of shards the named features of their states, as far as a student of this configuration reads
// such and there is room, in memory or in files. They stay there for whoever reads the shards next: another activity,
// or another run. Only those of whole shards do: the first shard that there is no room for has what fits into memory,
// for this caller alone.
func (s *Store) Remember(ctx context.Context, c student.Config, sets []student.Dataset, shards []store.Ref) {
	if c.Router != student.Named {
		return
	}
	room, disk := s.features.limit, s.disk()
	for i, sh := range shards {
		key := fmt.Sprintf("%s/%s/%t/%s", c.For(), c.Features(), c.HalfFeatures, sh.Hash)
		size := c.MemoBytes(sets[i].Shard)
		filed := s.filed.has(key)
		if !filed && size > room && !s.features.has(key) {
			if filed = size <= disk; !filed {
				sets[i].Memo = c.NewMemo(sets[i].Shard, room)
				return
			}
		}
		var err error
		if filed {
			disk -= size
			sets[i].Memo, err = through(ctx, s.filed, key, func() (*student.Memo, int64, error) {
				m, err := c.FileMemo(sets[i].Shard, s.scratch)
				return m, size, err
			})
		} else {
			room -= size
			sets[i].Memo, err = through(ctx, s.features, key, func() (*student.Memo, int64, error) {
				return c.NewMemo(sets[i].Shard, size), size, nil
			})
		}
		if err != nil {
			slog.WarnContext(ctx, "no file for named features: they are computed anew in every epoch",
				"shards", len(shards)-i, "error", err)
			sets[i].Memo = c.NewMemo(sets[i].Shard, room)
			return
		}
	}
}
