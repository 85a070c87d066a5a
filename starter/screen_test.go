package main

import (
	"os"
	"testing"
)

// A terminal that nobody measured, such as that of a job, says that it is 0 columns wide.
func TestScreenOfUnknownWidth(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	s := newScreen(terminal)
	if !s.terminal || s.width != 120 {
		t.Errorf("a terminal %t of %d columns, want one taken for 120", s.terminal, s.width)
	}
	s.status("%d of %d", 1, 2)
}
