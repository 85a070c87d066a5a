package activities

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/workflows"
)

// Beat is the interval between heartbeats. A worker's MaxHeartbeatThrottleInterval must not be longer.
const Beat = 2 * time.Second

// heartbeat reports an activity's progress to Temporal. The UI and `epb watch` show it, and Temporal notices a dead
// worker within the heartbeat timeout.
type heartbeat struct {
	ctx   context.Context
	ended chan struct{}
	done  sync.WaitGroup

	mu  sync.Mutex
	now workflows.Progress

	sending sync.Mutex // keeps heartbeats in order: none is older than the one before
}

// startHeartbeat starts the heartbeat of the activity of ctx. Call stop when the activity ends.
func startHeartbeat(ctx context.Context, what string) *heartbeat {
	h := &heartbeat{ctx: ctx, ended: make(chan struct{}), now: told(ctx)}
	h.step(what)
	if !activity.IsActivity(ctx) {
		return h
	}
	h.done.Go(func() {
		tick := time.NewTicker(Beat)
		defer tick.Stop()
		for {
			select {
			case <-h.ended:
				return
			case <-tick.C:
				h.send()
			}
		}
	})
	return h
}

// stop ends the heartbeat.
func (h *heartbeat) stop() {
	close(h.ended)
	h.done.Wait()
}

// send reports the current progress to Temporal.
func (h *heartbeat) send() {
	h.sending.Lock()
	defer h.sending.Unlock()
	h.mu.Lock()
	now := h.now
	h.mu.Unlock()
	if last, ok := h.ctx.Value(lastKey{}).(*atomic.Pointer[workflows.Progress]); ok {
		last.Store(&now)
	}
	activity.RecordHeartbeat(h.ctx, now)
}

// lastKey is the key of what the heartbeats of an attempt told last.
type lastKey struct{}

// withLast returns a context whose heartbeats store what they tell in last.
func withLast(ctx context.Context) (_ context.Context, last *atomic.Pointer[workflows.Progress]) {
	last = &atomic.Pointer[workflows.Progress]{}
	return context.WithValue(ctx, lastKey{}, last), last
}

// step names the current step.
func (h *heartbeat) step(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.What, h.now.Done, h.now.Total = what, 0, 0
}

// at records progress within the current step.
func (h *heartbeat) at(done, total int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.Done, h.now.Total = done, total
}

// spent records what the activity has spent on the LLM so far, and reports it at once. An attempt counts again what the
// one before it had spent. Until it has come that far, the heartbeat keeps the larger sum.
func (h *heartbeat) spent(s ledger.Spend) {
	h.mu.Lock()
	more := s.Calls >= h.now.Spend.Calls
	if more {
		h.now.Spend = s
	}
	h.mu.Unlock()
	if more && activity.IsActivity(h.ctx) {
		h.send()
	}
}

// checkpoint records an intermediate result, from which a retry continues.
func (h *heartbeat) checkpoint(t workflows.TrainOutput) {
	h.record(func(p *workflows.Progress) { p.Train = &t })
}

// sketched is checkpoint for a sketch.
func (h *heartbeat) sketched(c workflows.SketchCheckpoint) {
	h.record(func(p *workflows.Progress) { p.Sketch = &c })
}

// weights is checkpoint for a training of weights.
func (h *heartbeat) weights(c workflows.WeightsCheckpoint) {
	h.record(func(p *workflows.Progress) { p.Weights = &c })
}

// record changes what heartbeats tell, and tells it at once.
func (h *heartbeat) record(change func(p *workflows.Progress)) {
	h.mu.Lock()
	change(&h.now)
	h.mu.Unlock()
	if activity.IsActivity(h.ctx) {
		h.send()
	}
}

// told returns what the last heartbeat of the attempt before this one told, or nothing.
func told(ctx context.Context) (before workflows.Progress) {
	if activity.IsActivity(ctx) && activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &before) // details of another kind tell nothing
	}
	return before
}
