package artifact

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The features of a shard are kept for the next reader, as far as there is room, and for those alone who read the same.
func TestFeaturesAreKept(t *testing.T) {
	recorder := &fixture{t: t}
	shards, refs := []*rollout.Shard{recorder.record(1), recorder.record(2)}, []store.Ref{{Hash: "a"}, {Hash: "b"}}
	size := student.Config{Router: student.Named}.NewMemo(shards[0], 1<<30).Bytes()
	s := New(nil, nil, tensorops.Identity{}, 3*size)
	memos := func(c student.Config, refs []store.Ref) (memos []*student.Memo) {
		t.Helper()
		sets := []student.Dataset{{Shard: shards[0]}, {Shard: shards[1]}}[:len(refs)]
		s.Remember(t.Context(), c, sets, refs)
		for _, set := range sets {
			memos = append(memos, set.Memo)
		}
		return memos
	}
	local := student.Config{Router: student.Named}
	first := memos(local, refs)
	if whole, rest := first[0].Bytes(), first[1].Bytes(); whole != size || rest == 0 || rest > size/2 {
		t.Errorf("memos of %d and %d bytes, want %d and at most half as many", whole, rest, size)
	}
	if again := memos(local, refs); again[0] != first[0] || again[1] == first[1] {
		t.Error("the second reader has another memo of the whole shard, or shares that of a part")
	}
	alone := []student.Dataset{{Shard: shards[1]}}
	if s.Remember(t.Context(), local, alone, refs[1:]); alone[0].Memo.Bytes() <= size/2 {
		t.Errorf("a reader with room has a memo of %d bytes", alone[0].Memo.Bytes())
	}
	memos(local, refs[:1])
	if none := memos(student.Config{}, refs); none[0] != nil || none[1] != nil {
		t.Error("a student without named features has memos")
	}
	ahead := student.Config{Router: student.Named, FeatureClass: sdk.ClassLookahead}
	if other := memos(ahead, refs[:1]); other[0] == nil || other[0] == first[0] {
		t.Error("a student that reads other features has the same memo, or none")
	}
	if again := memos(local, refs[:1]); again[0] == first[0] {
		t.Error("what was read last did not take the place of what was read before it")
	}
}

// What has no room in memory is kept in files, if there is a folder for them, and is the same for the next reader.
func TestFeaturesThatDoNotFitAreKeptInFiles(t *testing.T) {
	recorder := &fixture{t: t}
	shards, refs := []*rollout.Shard{recorder.record(1), recorder.record(2)}, []store.Ref{{Hash: "a"}, {Hash: "b"}}
	local := student.Config{Router: student.Named}
	size := local.NewMemo(shards[0], 1<<30).Bytes()
	s := New(nil, nil, tensorops.Identity{}, 2*size)
	for _, bad := range []string{t.TempDir() + "/none", "."} {
		if err := s.Scratch(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("folder %s: %v, want an error that names it", bad, err)
		}
	}
	dir := t.TempDir()
	if err := s.Scratch(dir); err != nil {
		t.Fatal(err)
	}
	memos := func() [2]*student.Memo {
		t.Helper()
		sets := []student.Dataset{{Shard: shards[0]}, {Shard: shards[1]}}
		s.Remember(t.Context(), local, sets, refs)
		return [2]*student.Memo{sets[0].Memo, sets[1].Memo}
	}
	first := memos()
	for i, m := range first {
		if want := local.MemoBytes(shards[i]); m.Bytes() != want {
			t.Errorf("shard %d: %d bytes are kept, want %d", i, m.Bytes(), want)
		}
	}
	if memos() != first {
		t.Error("the second reader has other memos")
	}
	alone := []student.Dataset{{Shard: shards[1]}}
	if s.Remember(t.Context(), local, alone, refs[1:]); alone[0].Memo != first[1] {
		t.Error("a reader of the second shard alone has another memo")
	}
	s.filed = newCache(1 << 60) // more than any disk has
	s.scratch = dir + "/gone"
	if again := memos(); again[0] != first[0] || again[1] == nil || again[1].Bytes() != 0 {
		t.Error("without a file, what fits into memory is not kept")
	}
}
