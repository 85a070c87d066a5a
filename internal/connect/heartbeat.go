package connect

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"

	"github.com/epb-nco/epb/workflows"
)

// heartbeatPatience is how long Temporal may take to answer a heartbeat: less than the time after which it hands a
// silent worker's activity to another one.
const heartbeatPatience = workflows.HeartbeatTimeout * 3 / 4

// patient gives heartbeats more time to be answered. The SDK gives one as long as the interval between two of them,
// here a second or two, and cancels the activity if that is too short. A Temporal whose disk is busy takes longer, and
// the activity would lose what it did since its last checkpoint.
func patient(patience time.Duration) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, call grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if method != workflowservice.WorkflowService_RecordActivityTaskHeartbeat_FullMethodName {
			return call(ctx, method, request, reply, conn, opts...)
		}
		longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		defer context.AfterFunc(ctx, func() {
			if errors.Is(ctx.Err(), context.Canceled) { // the worker stops
				cancel()
			}
		})()
		return call(longer, method, request, reply, conn, opts...)
	}
}
