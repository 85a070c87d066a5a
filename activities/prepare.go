package activities

import (
	"context"
	"errors"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// Prepare begins the journal of the run, checks what the config names, stores it, and lays out the rollouts.
func (a *Activities) Prepare(ctx context.Context, in workflows.PrepareInput) (workflows.Prepared, error) {
	hb := startHeartbeat(ctx, "checking teacher and bank")
	defer hb.stop()
	info := activity.GetInfo(ctx)
	if err := a.journalOf(info).Begin(ctx); err != nil {
		return workflows.Prepared{}, err
	}
	checked, err := input.Check(ctx, in.Config, a.Store.Compiler, a.fetch)
	if _, trouble := errors.AsType[*input.Trouble](err); trouble && !errors.Is(err, store.ErrNotFound) {
		return workflows.Prepared{}, err
	}
	if err != nil {
		return workflows.Prepared{}, badInput(err)
	}
	out := workflows.Prepared{Kernels: a.Store.Kernels.ID()}
	if out.Teacher, err = a.Store.Put(ctx, checked.Checkpoint); err != nil {
		return out, err
	}
	out.TeacherName = checked.TeacherFile
	checked.Bank.Teacher = checked.TeacherName()
	if out.Model, err = a.revised(ctx, workflows.Model{}, checked.Bank); err != nil {
		return out, err
	}
	if checked.Rollouts == nil {
		out.Plan = plan(in.Config, out.Teacher, out.TeacherName, checked.Bank.ViaDepot())
	} else if out.Data, err = a.storeRollouts(ctx, checked.Rollouts, in.Config.Data); err != nil {
		return out, err
	}
	out.SearchAttributes = a.HasSearchAttributes(ctx, info.Namespace)
	return out, nil
}

// fetch reads an object by its address.
func (a *Activities) fetch(ctx context.Context, address string) ([]byte, error) {
	ref, err := store.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	return a.Store.Get(ctx, ref)
}

// storeRollouts stores recorded rollouts as the shards of a run: training, validation and test instances one after
// the other.
func (a *Activities) storeRollouts(
	ctx context.Context, sh *rollout.Shard, cfg config.Data,
) (*workflows.Dataset, error) {
	data, first := &workflows.Dataset{}, 0
	for _, split := range []struct {
		shards *[]workflows.Shard
		count  int
	}{{&data.Train, cfg.Train}, {&data.Val, cfg.Val}, {&data.Test, cfg.Test}} {
		for end := first + split.count; first < end; {
			next := min(first+cfg.Shard, end)
			part := sh.Slice(first, next)
			ref, err := a.Store.PutShard(ctx, part)
			if err != nil {
				return nil, err
			}
			*split.shards = append(*split.shards, shardOf(ref, part))
			first = next
		}
	}
	return data, nil
}
