package connect

import (
	"context"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// A heartbeat outlives the SDK's deadline, but not a worker that stops. Other calls keep their deadline.
func TestHeartbeatsArePatient(t *testing.T) {
	// after answers when the given time has passed.
	after := func(d time.Duration) grpc.UnaryInvoker {
		return func(ctx context.Context, _ string, _, _ any, _ *grpc.ClientConn, _ ...grpc.CallOption) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(d):
				return nil
			}
		}
	}
	const heartbeat = workflowservice.WorkflowService_RecordActivityTaskHeartbeat_FullMethodName
	const other = workflowservice.WorkflowService_PollActivityTaskQueue_FullMethodName
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, tt := range map[string]struct {
		ctx      context.Context
		method   string
		patience time.Duration
		answer   time.Duration
		want     error
	}{
		"heartbeat":                       {short, heartbeat, time.Hour, 100 * time.Millisecond, nil},
		"heartbeat of a silent Temporal":  {short, heartbeat, time.Millisecond, time.Hour, context.DeadlineExceeded},
		"heartbeat of a worker that ends": {stopped, heartbeat, time.Hour, time.Hour, context.Canceled},
		"another call":                    {short, other, time.Hour, time.Hour, context.DeadlineExceeded},
	} {
		if err := patient(tt.patience)(tt.ctx, tt.method, nil, nil, nil, after(tt.answer)); err != tt.want {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}
