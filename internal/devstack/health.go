package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/store"
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
		_, err := store.Find(ctx, s.Store())
		return err
	case LLM:
		return answers(ctx, s.llmBaseURL()+"/models")
	default:
		return s.workerHealthy(ctx, started)
	}
}

// answers accepts any answer that is not a server error.
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

// temporalHealthy checks the frontend, the default namespace and the search attributes.
func (s *Stack) temporalHealthy(ctx context.Context) error {
	c, err := connect.Dial(ctx, client.Options{HostPort: s.Temporal})
	if err != nil {
		return err
	}
	defer c.Close()
	missing, err := connect.MissingSearchAttributes(ctx, c, client.DefaultNamespace)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("it does not know the search attribute %s", missing[0].GetName())
	}
	return err
}

// dial connects to the Temporal that the stack's worker works for.
func (s *Stack) dial(ctx context.Context) (client.Client, error) {
	opts, err := connect.TemporalOptions(Servers(s.Dir))
	if err != nil {
		return nil, err
	}
	return connect.Dial(ctx, opts)
}

// workerHealthy checks that a worker polled the task queue after the service started.
func (s *Stack) workerHealthy(ctx context.Context, started time.Time) error {
	c, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	last, err := fleet.LastPoll(ctx, c)
	if err == nil && !last.After(started) {
		err = fmt.Errorf("it does not poll the task queue %s", workflows.Queue)
	}
	return err
}

var errEnded = errors.New("it ended right after its start")

// wait returns nil once the service is healthy, or the reason why it will not become healthy. It makes the bucket.
func (s *Stack) wait(ctx context.Context, service string, p *process, started time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begin := time.Now()
	for {
		if !p.alive() {
			return errEnded
		}
		err := s.healthy(ctx, service, started)
		if errors.Is(err, store.ErrNoBucket) {
			_, err = store.Open(ctx, s.Store())
		}
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
