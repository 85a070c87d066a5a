package activities

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/workflows"
)

// Beat is how often Temporal is told how far an activity is; a worker's MaxHeartbeatThrottleInterval must not be longer.
const Beat = 2 * time.Second

// heart beats for a running activity, so that the UI and `epb watch` show how far it is and a dead worker is noticed within the
// heartbeat timeout.
type heart struct {
	ctx  context.Context
	stop chan struct{}
	done sync.WaitGroup

	mu  sync.Mutex
	now workflows.Progress

	sending sync.Mutex // what is told later is never older
}

// beat starts the heart of the activity of ctx. Call still when the activity ends.
func beat(ctx context.Context, what string) *heart {
	h := &heart{ctx: ctx, stop: make(chan struct{}), now: workflows.Progress{What: what}}
	if !activity.IsActivity(ctx) {
		return h
	}
	h.now.Unanswered = unansweredBefore(ctx)
	h.done.Go(func() {
		tick := time.NewTicker(Beat)
		defer tick.Stop()
		for {
			select {
			case <-h.stop:
				return
			case <-tick.C:
				h.tell()
			}
		}
	})
	return h
}

// tell tells Temporal how far the activity is now.
func (h *heart) tell() {
	h.sending.Lock()
	defer h.sending.Unlock()
	h.mu.Lock()
	now := h.now
	h.mu.Unlock()
	activity.RecordHeartbeat(h.ctx, now)
}

// still stops the heart.
func (h *heart) still() {
	close(h.stop)
	h.done.Wait()
}

// at records progress within the current step.
func (h *heart) at(done, total int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.Done, h.now.Total = done, total
}

// step names the current step.
func (h *heart) step(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.What, h.now.Done, h.now.Total = what, 0, 0
}

// resumable records a result so far, from which a retry goes on.
func (h *heart) resumable(t workflows.TrainOutput) {
	h.mu.Lock()
	h.now.Train = &t
	h.mu.Unlock()
	if activity.IsActivity(h.ctx) {
		h.tell()
	}
}
