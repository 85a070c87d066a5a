package terminal

import (
	"bytes"
	"os"
	"testing"
)

// A terminal that nobody measured, such as that of a job, says that it is 0 columns wide.
func TestScreenOfUnknownWidth(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	s := NewScreen(tty)
	if !s.terminal || s.width != 120 {
		t.Errorf("a terminal %t of %d columns, want one taken for 120", s.terminal, s.width)
	}
	s.Status("%d of %d", 1, 2)
}

// A log hears of long work once in a while, not at every step.
func TestStatusInALog(t *testing.T) {
	var out bytes.Buffer
	s := NewScreen(&out)
	s.Status("%d of %d", 1, 3)
	s.last = s.last.Add(-2 * quiet)
	s.Status("%d of %d", 2, 3)
	s.Status("%d of %d", 3, 3)
	if got, want := out.String(), "2 of 3\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}
