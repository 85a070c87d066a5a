package activities

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// Address is how a config names an object of the store.
func Address(ref store.Ref) string { return fmt.Sprintf("%s/%d", ref.Hash, ref.Size) }

// fetch reads an object by its Address.
func (a *Activities) fetch(ctx context.Context, address string) ([]byte, error) {
	hash, size, ok := strings.Cut(address, "/")
	n, err := strconv.ParseInt(size, 10, 64)
	if !ok || err != nil {
		return nil, fmt.Errorf("%w: its address is %q, want HASH/SIZE", store.ErrNotFound, address)
	}
	return a.Store.Get(ctx, store.Ref{Hash: hash, Size: n})
}

// shard returns a rollout shard.
func (a *Activities) shard(ctx context.Context, s workflows.Shard) (*rollout.Shard, error) {
	return through(a.cache, "shard/"+s.Object.Hash, func() (*rollout.Shard, int64, error) {
		data, err := a.Store.Get(ctx, s.Object)
		if isLost(err) {
			data, err = a.remake(ctx, s.Object, err)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("shard: %w", err)
		}
		sh, err := rollout.Unmarshal(data)
		if err != nil {
			return nil, 0, fmt.Errorf("shard %s: %w: %w", s.Object.Key(), err, errUnreadable)
		}
		return sh, int64(6*len(sh.Candidates) + 24*sh.States() + 4*len(sh.Coords)), nil
	})
}

// bank returns a bank.
func (a *Activities) bank(ctx context.Context, ref store.Ref) (*bank.Bank, error) {
	b := &bank.Bank{}
	if err := a.getJSON(ctx, ref, b); err != nil {
		return nil, fmt.Errorf("bank: %w", err)
	}
	return b, nil
}

// putBank stores a bank and returns the model with it in the place of the old one.
func (a *Activities) putBank(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	ref, err := a.putJSON(ctx, b)
	if err != nil {
		return m, err
	}
	m.Bank, m.Size = ref, len(b.Heuristics)
	m.Revision++
	return a.follow(ctx, m, b)
}

// follow makes a student with static keys fit its changed bank, before anybody reads it. Others take their keys from V_m (Eq. 4), and
// have what is left to follow, the moments of τ_h, when they are trained on.
func (a *Activities) follow(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	if m.Student.Hash == "" {
		return m, nil
	}
	if model, err := a.model(ctx, m.Student); err != nil || model.Config.StaticKeys == 0 {
		return m, err
	}
	t, err := a.checkpoint(ctx, m, b)
	if err != nil {
		return m, err
	}
	data, err := t.Marshal()
	if err != nil {
		return m, err
	}
	m.Trained = m.Bank
	m.Student, err = a.Store.Put(ctx, data)
	return m, err
}

// checkpoint returns the trainer of a model, fit for a bank that may have changed since.
func (a *Activities) checkpoint(ctx context.Context, m workflows.Model, b *bank.Bank) (*student.Trainer, error) {
	data, err := a.Store.Get(ctx, m.Student)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	t, err := student.UnmarshalTrainer(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w: %w", m.Student.Key(), err, errUnreadable)
	}
	trained, err := a.bank(ctx, m.Trained)
	if err != nil {
		return nil, err
	}
	t.Resize(origins(b, trained))
	return t, nil
}

// origins returns, for every heuristic of a bank, its index in an older one, or -1.
func origins(b, old *bank.Bank) []int {
	from := make([]int, len(b.Heuristics))
	for m, h := range b.Heuristics {
		from[m] = slices.IndexFunc(old.Heuristics, func(o bank.Heuristic) bool { return o.Name == h.Name })
	}
	return from
}

// heuristic returns one heuristic stored by itself, as candidates are.
func (a *Activities) heuristic(ctx context.Context, ref store.Ref) (bank.Heuristic, error) {
	var h bank.Heuristic
	if err := a.getJSON(ctx, ref, &h); err != nil {
		return h, fmt.Errorf("heuristic: %w", err)
	}
	return h, nil
}

// teacher returns the policy of a checkpoint.
func (a *Activities) teacher(ctx context.Context, ref store.Ref, name string) (teacher.Teacher, error) {
	return through(a.cache, "teacher/"+name+"/"+ref.Hash, func() (teacher.Teacher, int64, error) {
		data, err := a.Store.Get(ctx, ref)
		if err != nil {
			return teacher.Teacher{}, 0, fmt.Errorf("teacher: %w", err)
		}
		t, err := teacher.Parse(name, data)
		return t, ref.Size, err
	})
}

// program is a compiled heuristic.
type program struct {
	*runtime.Module
	hash string // of the wasm: scores are kept by what the program does, not by how its comments read
}

// nativeBytes is what a loaded module takes for each byte of its wasm, roughly: most of it is machine code.
const nativeBytes = 32

// program returns the compiled program of a heuristic, which has passed the gate before, until it is given back.
func (a *Activities) program(ctx context.Context, h bank.Heuristic) (p program, giveBack func(), err error) {
	return borrow(a.cache, "program/"+h.ID(), func() (program, int64, error) {
		wasm, err := a.Compiler.Build(ctx, h.Source)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		m, err := runtime.Load(h.Name, wasm)
		if err != nil {
			return program{}, 0, fmt.Errorf("heuristic %s: %w", h.Name, err)
		}
		return program{m, store.RefOf(wasm).Hash}, nativeBytes * int64(len(wasm)), nil
	})
}

// scores returns c_m(s) for every state of a shard, ragged as its candidates: from memory, from the store, or computed and
// stored. A program that cannot score a state is a *runtime.Crash.
func (a *Activities) scores(ctx context.Context, h bank.Heuristic, s workflows.Shard) ([]float32, error) {
	p, giveBack, err := a.program(ctx, h)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	return a.tensor(ctx, "scores/"+p.hash+"/"+s.Object.Hash, func() ([]float32, error) {
		sh, err := a.shard(ctx, s)
		if err != nil {
			return nil, err
		}
		return p.ScoreShard(ctx, sh)
	})
}

// tensor returns the float32 array under key: from memory, from the store, or made and stored.
func (a *Activities) tensor(ctx context.Context, key string, make func() ([]float32, error)) ([]float32, error) {
	return through(a.cache, key, func() ([]float32, int64, error) {
		x, err := a.storedTensor(ctx, key)
		if err == nil || !isLost(err) {
			return x, int64(4 * len(x)), err
		}
		mourn(ctx, key, err, "made again")
		if x, err = make(); err != nil {
			return nil, 0, err
		}
		data, err := safetensors.Encode([]safetensors.Tensor{safetensors.New("values", x, len(x))}, nil)
		if err != nil {
			return nil, 0, err
		}
		return x, int64(4 * len(x)), a.Store.PutKey(ctx, key, data)
	})
}

func (a *Activities) storedTensor(ctx context.Context, key string) ([]float32, error) {
	data, err := a.Store.GetDerived(ctx, key)
	if err != nil {
		return nil, err
	}
	tensors, _, err := safetensors.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, store.ErrDamaged, err)
	}
	if len(tensors) != 1 {
		return nil, fmt.Errorf("%s: %w: %d tensors, want 1", key, store.ErrDamaged, len(tensors))
	}
	return safetensors.Values[float32](tensors[0])
}

// sets returns the shards with the scores of the bank, as the student reads them, and every τ_h.
func (a *Activities) sets(ctx context.Context, b *bank.Bank, shards []workflows.Shard, h *heart) ([]student.Set, []float64, error) {
	h.step("scores")
	sets := make([]student.Set, len(shards))
	for i, s := range shards {
		var err error
		if sets[i], err = a.scored(ctx, b.Heuristics, s); err != nil {
			return nil, nil, err
		}
		h.at(i+1, len(shards))
	}
	return sets, b.TauH(), nil
}

// scored returns a shard with the scores of hs.
func (a *Activities) scored(ctx context.Context, hs []bank.Heuristic, s workflows.Shard) (student.Set, error) {
	sh, err := a.shard(ctx, s)
	if err != nil {
		return student.Set{}, err
	}
	set := student.Set{Shard: sh, Scores: make([][]float32, len(hs))}
	for m, h := range hs {
		if set.Scores[m], err = a.scores(ctx, h, s); err != nil {
			return student.Set{}, err
		}
	}
	return set, nil
}
