package runs

// HoldUps are the hold-ups of a run that were reported so far.
type HoldUps map[string]bool

// New returns the waits that were not reported before. A step that fails repeatedly by the same cause is one hold-up. A
// hold-up that ended and came back is reported again. Waiting for busy workers is no hold-up.
func (h *HoldUps) New(waits []Wait) []Wait {
	var fresh []Wait
	now := HoldUps{}
	for _, w := range waits {
		if w.Kind == WaitTurn {
			continue
		}
		key := w.Step + "\n" + w.Reason
		now[key] = true
		if !(*h)[key] {
			fresh = append(fresh, w)
		}
	}
	*h = now
	return fresh
}
