package artifact

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
)

// Scratch lets the store keep named features that do not fit into memory in files of a folder. They leave a tenth of
// what the disk has free now.
func (s *Store) Scratch(dir string) error {
	free, err := scratch.Free(dir)
	if err == nil {
		s.scratch, s.filed = dir, newMemory(free/10*9)
	}
	return err
}

// Remember gives sets of shards the named features of their states, as far as a student of this configuration reads
// such and there is room, in memory or in files. They stay there for whoever reads the shards next: another activity,
// or another run. Only those of whole shards do: the first shard that there is no room for has what fits into memory,
// for this caller alone.
func (s *Store) Remember(ctx context.Context, c student.Config, sets []student.Dataset, shards []store.Ref) error {
	if c.Router != student.Named {
		return nil
	}
	room, disk := s.features.limit, int64(0)
	if s.filed != nil {
		disk = s.filed.limit
	}
	for i, sh := range shards {
		kept, size := s.features, c.MemoBytes(sets[i].Shard)
		switch {
		case size <= room:
			room -= size
		case size <= disk:
			kept, disk = s.filed, disk-size
		default:
			sets[i].Memo = c.NewMemo(sets[i].Shard, room)
			return nil
		}
		key := fmt.Sprintf("%s/%s/%s", c.For(), c.Features(), sh.Hash)
		memo, err := through(ctx, kept, key, func() (*student.Memo, int64, error) {
			if kept == s.filed {
				m, err := c.FileMemo(sets[i].Shard, s.scratch)
				return m, size, err
			}
			return c.NewMemo(sets[i].Shard, size), size, nil
		})
		if err != nil {
			slog.Warn("no file for named features: they are computed anew in every epoch", "error", err)
			sets[i].Memo = c.NewMemo(sets[i].Shard, room)
			return ctx.Err()
		}
		sets[i].Memo = memo
	}
	return nil
}
