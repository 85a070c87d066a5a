// Package fleet tells which workers ask Temporal for work, and what they are: where they run and which build they are.
package fleet

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/process"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/workflows"
)

// Poller is a worker as Temporal knows it.
type Poller struct {
	Identity string    // see Identity
	Last     time.Time // when it last asked for workflow tasks
}

// Commit returns the commit that the worker was built from, or nothing for a worker that does not name it.
func (p Poller) Commit() string {
	if parts := strings.Split(p.Identity, "@"); len(parts) == 3 {
		return parts[2]
	}
	return ""
}

// Identity is a worker's identity in Temporal, PID@HOST@COMMIT. Each task in a history thus names the build that did
// it.
func Identity() string {
	host, err := os.Hostname()
	if err != nil {
		host = "Unknown" // as the SDK calls it
	}
	return fmt.Sprintf("%d@%s@%s", os.Getpid(), host, version.Commit())
}

// Ended reports whether a worker was a process of this machine that has ended.
func Ended(identity string) bool {
	pid, place, _ := strings.Cut(identity, "@")
	number, err := strconv.Atoi(pid)
	host, hostErr := os.Hostname()
	return err == nil && hostErr == nil && strings.HasPrefix(place, host+"@") && process.Born(number) == ""
}

// recent is the age of the last poll up to which a worker counts as live. A worker polls at least once a minute.
const recent = 90 * time.Second

// Live returns the workers that ask for workflow tasks now.
func Live(ctx context.Context, c client.Client) ([]Poller, error) {
	all, err := pollers(ctx, c, workflows.Queue, enums.TASK_QUEUE_TYPE_WORKFLOW)
	var live []Poller
	for _, p := range all {
		if time.Since(p.Last) < recent {
			live = append(live, p)
		}
	}
	return live, err
}

// LastPoll returns when a worker last asked for workflow tasks; zero if none did lately.
func LastPoll(ctx context.Context, c client.Client) (time.Time, error) {
	return lastPoll(ctx, c, workflows.Queue, enums.TASK_QUEUE_TYPE_WORKFLOW)
}

// LastActivityPoll returns when a worker last asked a task queue for activities; zero if none did lately.
func LastActivityPoll(ctx context.Context, c client.Client, queue string) (time.Time, error) {
	return lastPoll(ctx, c, queue, enums.TASK_QUEUE_TYPE_ACTIVITY)
}

func lastPoll(ctx context.Context, c client.Client, queue string, kind enums.TaskQueueType) (time.Time, error) {
	all, err := pollers(ctx, c, queue, kind)
	var last time.Time
	for _, p := range all {
		if p.Last.After(last) {
			last = p.Last
		}
	}
	return last, err
}

// pollers returns the workers that lately asked a task queue for tasks of a kind. The server remembers workers for some
// minutes after their end, so one of this machine counts only as long as its process lives.
func pollers(ctx context.Context, c client.Client, name string, kind enums.TaskQueueType) ([]Poller, error) {
	queue, err := c.DescribeTaskQueue(ctx, name, kind)
	if err != nil {
		return nil, err
	}
	var all []Poller
	for _, p := range queue.GetPollers() {
		if !Ended(p.GetIdentity()) {
			all = append(all, Poller{p.GetIdentity(), p.GetLastAccessTime().AsTime()})
		}
	}
	return all, nil
}
