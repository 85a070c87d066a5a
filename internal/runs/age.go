package runs

import (
	"context"
	"fmt"
	"time"
)

// Age returns a duration in whole days, hours, minutes or seconds: in the largest unit of which it has at least two.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// Took says how long an ended run took, or nothing if that is unknown.
func (r *Reader) Took(ctx context.Context, id string, started time.Time) string {
	desc, err := r.Client.DescribeWorkflowExecution(ctx, id, "")
	if err != nil || started.IsZero() {
		return ""
	}
	return desc.GetWorkflowExecutionInfo().GetCloseTime().AsTime().Sub(started).Round(time.Second).String()
}
