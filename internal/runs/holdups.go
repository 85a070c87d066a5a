package runs

// HoldUps are what a run is held up by, as far as it was told.
type HoldUps map[string]bool

// New returns those of the waits that were not told before. A step that fails again and again by the same cause is one
// hold-up; one that was over meanwhile is told anew. That workers are busy with other work is no hold-up.
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
