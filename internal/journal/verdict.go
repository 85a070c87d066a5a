package journal

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Judged is a reply with what the run decided about it.
type Judged struct {
	Reply
	Rulings []Ruling // about its programs, the oldest first
	Edit    *Judged  // that the reply describes; nil where it describes none, or a program that was in the bank before
}

// describing is the task of a reply that describes an accepted edit, or a program of the bank that has lost a term, and
// holds no program of its own.
const describing = "DESCRIBE"

// Judged looks up what the run decided about some of its replies, which are in their order.
func (j *Journal) Judged(ctx context.Context, replies []Reply) ([]Judged, error) {
	all := make([]Judged, len(replies))
	edits := map[string]*Judged{} // the last of each heuristic
	for i, r := range replies {
		all[i].Reply = r
		var err error
		if r.Task == describing {
			if all[i].Rulings, err = j.redescribed(ctx, r); err != nil {
				return nil, err
			}
			if len(all[i].Rulings) > 0 {
				continue
			}
			if all[i].Edit = edits[r.Heuristic]; all[i].Edit != nil {
				if err := j.addSecond(ctx, all[i].Edit, r); err != nil {
					return nil, err
				}
			}
			continue
		}
		if all[i].Rulings, err = j.Rulings(ctx, r); err != nil {
			return nil, err
		}
		if len(r.Programs) > 0 {
			edits[r.Heuristic] = &all[i]
		}
	}
	return all, nil
}

// addSecond adds to an edit what was decided about it once it was described. Earlier versions of EPB entered that under
// the program of the description, whose weights were trained.
func (j *Journal) addSecond(ctx context.Context, edit *Judged, description Reply) error {
	description.Programs = slices.DeleteFunc(slices.Clone(description.Programs), func(program string) bool {
		return slices.Contains(edit.Programs, program)
	})
	second, err := j.Rulings(ctx, description)
	for i := range second {
		second[i].program = edit.Programs[0]
	}
	edit.Rulings = append(edit.Rulings, second...)
	sortByTime(edit.Rulings)
	return err
}

// TurnedDown reports whether the reply could not be used, or the run turned a program of it down.
func (r Judged) TurnedDown() bool {
	return r.Problem != "" || slices.ContainsFunc(r.Rulings, func(ruling Ruling) bool { return !ruling.Kept })
}

// Verdict says what became of the reply, in one line for each decision.
func (r Judged) Verdict() string {
	switch {
	case r.Problem != "":
		return "unusable: " + r.Problem
	case r.Edit != nil:
		return r.Edit.ofDescription()
	case len(r.Rulings) == 0:
		return "read"
	}
	var lines []string
	judged := map[string]bool{} // programs
	for _, ruling := range r.Rulings {
		word := "turned down"
		switch {
		case ruling.Kept:
			word = "kept"
		case ruling.Left:
			word = "taken out"
		}
		if ruling.Lowered != 0 {
			if judged[ruling.program] {
				word += ", judged again"
			}
			judged[ruling.program] = true
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", ruling.Name, word, ruling.Text))
	}
	return strings.Join(lines, "\n")
}

// ofDescription says what became of the description of an edit.
func (r Judged) ofDescription() string {
	last, ok := r.decided(r.Programs[0])
	switch {
	case !ok:
		return "read"
	case last.Kept:
		return "kept with the edit"
	}
	return "not used: the edit was turned down"
}

// decided returns the ruling that decided whether a program of the reply came into the bank, if there is one: the last
// before it left.
func (r Judged) decided(program string) (last Ruling, ok bool) {
	for _, ruling := range r.Rulings {
		if ruling.program == program && !ruling.Left {
			last, ok = ruling, true
		}
	}
	return last, ok
}
