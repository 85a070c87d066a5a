package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// Line describes a run in one line: s is the run's last status, running its pending work (nil if unknown), asking the
// time since which it asks the LLM (zero if it does not), and left the estimated time to its end (0 if unknown).
func Line(s workflows.Status, running *workflows.Progress, asking time.Time, left time.Duration) string {
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
	if left > 0 {
		fmt.Fprintf(&b, " · at most %s left", left.Round(time.Second))
	}
	return b.String()
}

// Line is the line of a run that goes on, with what holds it up.
func (p Pending) Line(s workflows.Status, eta *ETA) string {
	s.Spend = s.Spend.Plus(p.Spent)
	line := Line(s, p.Running, p.Asking, eta.left(s, p.Running))
	for _, w := range p.Waits {
		line += " · " + w.String()
	}
	return line
}

// ETA measures how long an epoch takes and extrapolates to the last one allowed.
type ETA struct {
	since time.Time
	from  float64
}

// left returns the estimated time until the run ends, or 0 if it is unknown.
func (m *ETA) left(s workflows.Status, p *workflows.Progress) time.Duration {
	if s.Stage != workflows.StageTraining {
		return 0
	}
	epoch := float64(s.Epoch)
	if p != nil && p.Train != nil {
		epoch += float64(len(p.Train.Points))
	}
	if p != nil && p.Total > 0 {
		epoch += float64(p.Done) / float64(p.Total)
	}
	if m.since.IsZero() {
		m.since, m.from = time.Now(), epoch
	}
	if epoch <= m.from {
		return 0
	}
	perEpoch := time.Since(m.since).Seconds() / (epoch - m.from)
	return time.Duration((float64(s.Epochs) - epoch) * perEpoch * float64(time.Second))
}
