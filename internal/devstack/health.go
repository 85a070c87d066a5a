package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/workflows"
)

// healthy returns nil once a service does its work. For a worker, started is when the process began.
func (s *Stack) healthy(ctx context.Context, service string, started time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch service {
	case Temporal:
		return s.temporalHealthy(ctx)
	case MinIO:
		if err := answers(ctx, "http://"+s.S3+"/minio/health/live"); err != nil {
			return err
		}
		_, err := store.Open(ctx, s.Store())
		return err
	case LLM:
		return answers(ctx, s.LLMBaseURL()+"/models")
	default:
		return s.workerHealthy(ctx, started)
	}
}

// answers wants any answer that does not blame the server.
func answers(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return nil
}

// temporalHealthy wants the frontend, the default namespace and the search attributes.
func (s *Stack) temporalHealthy(ctx context.Context) error {
	c, err := Dial(ctx, client.Options{HostPort: s.Temporal})
	if err != nil {
		return err
	}
	defer c.Close()
	missing, err := MissingSearchAttributes(ctx, c, client.DefaultNamespace)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("it does not know the search attribute %s", missing[0].GetName())
	}
	return err
}

// Dial connects to Temporal. Without a logger in the options the SDK logs nothing: the error says it all.
func Dial(ctx context.Context, opts client.Options) (client.Client, error) {
	if opts.Logger == nil {
		opts.Logger = log.NewStructuredLogger(slog.New(slog.DiscardHandler))
	}
	c, err := client.DialContext(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("connect to Temporal at %s: %w", opts.HostPort, err)
	}
	return c, nil
}

// MissingSearchAttributes returns those of workflows.SearchAttributes that the namespace does not have.
func MissingSearchAttributes(ctx context.Context, c client.Client, namespace string) ([]temporal.SearchAttributeKey, error) {
	have, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return nil, err
	}
	var missing []temporal.SearchAttributeKey
	for _, a := range workflows.SearchAttributes() {
		if _, ok := have.CustomAttributes[a.GetName()]; !ok {
			missing = append(missing, a)
		}
	}
	return missing, nil
}

// dial connects to the Temporal that the stack's worker works for.
func (s *Stack) dial(ctx context.Context) (client.Client, error) {
	opts, err := TemporalOptions(s.Dir)
	if err != nil {
		return nil, err
	}
	return Dial(ctx, opts)
}

// workerHealthy wants a poller on the task queue that polled after the worker started.
func (s *Stack) workerHealthy(ctx context.Context, started time.Time) error {
	c, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	last, err := LastPoll(ctx, c)
	if err == nil && !last.After(started) {
		err = fmt.Errorf("it does not poll the task queue %s", workflows.Queue)
	}
	return err
}

// LastPoll returns when a worker last asked for workflow tasks; zero if none did lately.
func LastPoll(ctx context.Context, c client.Client) (time.Time, error) {
	return LastPollOf(ctx, c, workflows.Queue, enums.TASK_QUEUE_TYPE_WORKFLOW)
}

// LastPollOf is LastPoll for the tasks of a kind on a task queue.
func LastPollOf(ctx context.Context, c client.Client, queue string, kind enums.TaskQueueType) (time.Time, error) {
	pollers, err := pollersOf(ctx, c, queue, kind)
	var last time.Time
	for _, p := range pollers {
		if p.Last.After(last) {
			last = p.Last
		}
	}
	return last, err
}

// Poller is a worker as Temporal knows it.
type Poller struct {
	Identity string    // see WorkerIdentity
	Last     time.Time // when it last asked for workflow tasks
}

// Commit returns the commit that the worker was built from, or nothing for a worker that does not name it.
func (p Poller) Commit() string {
	if parts := strings.Split(p.Identity, "@"); len(parts) == 3 {
		return parts[2]
	}
	return ""
}

// Pollers returns the workers that lately asked for workflow tasks. The server remembers workers for some minutes after their
// end, so one of this machine counts only as long as its process lives.
func Pollers(ctx context.Context, c client.Client) ([]Poller, error) {
	return pollersOf(ctx, c, workflows.Queue, enums.TASK_QUEUE_TYPE_WORKFLOW)
}

func pollersOf(ctx context.Context, c client.Client, name string, kind enums.TaskQueueType) ([]Poller, error) {
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

// WorkerIdentity is what a worker calls itself in Temporal, PID@HOST@COMMIT: so every task in a history says which build did it.
func WorkerIdentity() string {
	host, err := os.Hostname()
	if err != nil {
		host = "Unknown" // as the SDK calls it
	}
	return fmt.Sprintf("%d@%s@%s", os.Getpid(), host, version.Commit())
}

// Ended reports whether a worker was a process of this machine that is no more.
func Ended(identity string) bool {
	pid, place, _ := strings.Cut(identity, "@")
	number, err := strconv.Atoi(pid)
	host, hostErr := os.Hostname()
	return err == nil && hostErr == nil && strings.HasPrefix(place, host+"@") && born(number) == ""
}

var errEnded = errors.New("it ended right after its start")

// wait returns once the service is healthy, or with the reason why it will not be.
func (s *Stack) wait(ctx context.Context, service string, p *process, started time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begin := time.Now()
	for {
		if !p.alive() {
			return errEnded
		}
		err := s.healthy(ctx, service, started)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return fmt.Errorf("not healthy after %v: %w", time.Since(begin).Round(time.Second), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
