// Package pace measures what a run would take of this machine before it starts: hours, memory and disk.
package pace

import (
	"fmt"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/scratch"
)

// Pace is how long parts of a run would take on this machine with nothing else on it.
type Pace struct {
	Rollouts time.Duration // the teacher's solutions; 0 where they are given
	Sketch   time.Duration // the fit of the first programs; 0 where the bank is given
	Scores   time.Duration // of the first programs on all states
	SGD      time.Duration // all epochs that the run may take
	Weights  time.Duration // all trainings of the programs' weights, after each of which all programs are scored again

	Stored   int64  // bytes of rollouts and scores in the store; where weights are trained, scores count twice
	Features int64  // bytes of the named features of the training states; 0: the student reads none
	Kept     int64  // so many of them a worker on this machine keeps in memory
	Scratch  string // EPB_SCRATCH; a worker that has it, too, keeps the others there, else computes them every epoch
}

// mean returns what a state takes on average, of what it takes where its features are kept and where they are computed.
// It counts features in files as kept.
func (p Pace) mean(kept, computed float64) float64 {
	if p.Features == 0 || p.Scratch != "" {
		return kept
	}
	share := float64(p.Kept) / float64(p.Features)
	return share*kept + (1-share)*computed
}

const gib = 1 << 30

// Disk says what a run needs of disks.
func (p Pace) Disk() string {
	words := fmt.Sprintf("%.1f GiB in the store for the teacher's solutions and the programs' scores",
		float64(p.Stored)/gib)
	if p.Weights > 0 {
		words += ", while weights are trained both the old and the new ones"
	}
	if p.Scratch != "" && p.Kept < p.Features {
		words += fmt.Sprintf("; %.1f GiB for named features in %s", float64(p.Features-p.Kept)/gib, p.Scratch)
	}
	return words
}

// String says how long the parts take, in minutes. It leaves out what takes less than half a minute.
func (p Pace) String() string {
	var parts []string
	for _, part := range []struct {
		name string
		took time.Duration
	}{
		{"the teacher's solutions", p.Rollouts}, {"the sketch", p.Sketch}, {"the programs' scores", p.Scores},
		{"SGD at most", p.SGD}, {"weights at most", p.Weights},
	} {
		if part.took >= time.Minute/2 {
			parts = append(parts, fmt.Sprintf("%s %s", part.name, minutes(part.took)))
		}
	}
	of := ""
	if len(parts) > 0 {
		of = ": " + strings.Join(parts, ", ")
	}
	where, about := "", "about"
	if p.Kept < p.Features {
		where = fmt.Sprintf(". Of %.1f GiB of named features a worker keeps %.1f in memory, and ",
			float64(p.Features)/gib, float64(p.Kept)/gib)
		if p.Scratch == "" {
			where += "computes the others in every epoch; with " + scratch.Variable +
				"=FOLDER it keeps them in files there"
		} else {
			where += "the others in files of " + p.Scratch + " if it has the same " + scratch.Variable +
				"; to read these from its disk is not counted"
			about = "at least"
		}
	}
	return fmt.Sprintf("%s %s on this machine, as it is loaded now%s; edits, the final table and the LLM come on top%s",
		about, minutes(p.Rollouts+p.Sketch+p.Scores+p.SGD+p.Weights), of, where)
}

// minutes rounds a duration as people say it.
func minutes(d time.Duration) string {
	switch m := d.Minutes(); {
	case m < 1.5:
		return "1 minute"
	case m < 90:
		return fmt.Sprintf("%.0f minutes", m)
	default:
		return fmt.Sprintf("%.1f hours", m/60)
	}
}
