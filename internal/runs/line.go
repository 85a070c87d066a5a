package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// Line describes a run in one line: s is the run's last status, running its pending work (nil if unknown), and asking
// the time since which it asks the LLM (zero if it does not).
func Line(s workflows.Status, running *workflows.Progress, asking time.Time) string {
	if running != nil && running.Train != nil { // the status does not have the epochs of the running segment yet
		s.Epoch += len(running.Train.Points)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s · pass %d · %s · bank %d · LLM %s", s.Stage, s.Pass, s.EpochWords(), s.Bank, s.SpendWords())
	if p := running; p != nil && p.What != "" {
		fmt.Fprintf(&b, " · %s", p.What)
		if p.Total > 0 {
			fmt.Fprintf(&b, " %d%%", 100*p.Done/p.Total)
		}
		if !asking.IsZero() {
			fmt.Fprintf(&b, " for %s", time.Since(asking).Round(time.Second))
		}
	}
	if s.Paused && s.Stage != workflows.StagePaused {
		b.WriteString(" · pauses after this step")
	}
	if s.Stop {
		b.WriteString(" · told to stop")
	}
	if s.Note != "" {
		fmt.Fprintf(&b, " · %s", terminal.Redacted(s.Note))
	}
	if left := timeLeft(s, time.Now()); left > 0 {
		fmt.Fprintf(&b, " · at most about %s to the evaluation", Age(left))
	}
	return b.String()
}

// Line is the line of a run that goes on, with what holds it up.
func (p Pending) Line(s workflows.Status) string {
	s.Spend, s.Round = p.Spending(s), workflows.Spend{}
	line := Line(s, p.Running, p.Asking)
	for _, w := range p.Waits {
		line += " · " + w.String()
	}
	return line
}

// timeLeft is the time until the run of this status comes to its evaluation at the latest, or 0 where nothing can be
// said.
func timeLeft(s workflows.Status, now time.Time) time.Duration {
	if s.Ends == nil {
		return 0
	}
	return max(s.Ends.Sub(now), 0)
}
