package artifact

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
)

// Remember gives sets of shards the named features of their states, as far as a student of this configuration reads
// such and there is room. They stay in memory for whoever reads the shards next: another activity, or another run. Only
// those of whole shards do: the first shard that there is no room for has what fits, for this caller alone.
func (s *Store) Remember(ctx context.Context, c student.Config, sets []student.Dataset, shards []store.Ref) error {
	if c.Router != student.Named {
		return nil
	}
	room := s.features.limit
	for i, sh := range shards {
		if c.MemoBytes(sets[i].Shard) > room {
			sets[i].Memo = c.NewMemo(sets[i].Shard, room)
			return nil
		}
		key := fmt.Sprintf("%s/%s/%s", c.For(), c.Features(), sh.Hash)
		memo, err := through(ctx, s.features, key, func() (*student.Memo, int64, error) {
			m := c.NewMemo(sets[i].Shard, room)
			return m, m.Bytes(), nil
		})
		if err != nil {
			return err
		}
		sets[i].Memo = memo
		room -= memo.Bytes()
	}
	return nil
}
