package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Screen prints lines with, on a terminal, one status line kept below them.
type Screen struct {
	w        io.Writer
	terminal bool
	width    int
	last     time.Time // of what was printed last
}

// quiet is the longest time without output to a log.
const quiet = time.Minute

// NewScreen returns a Screen that prints to w, and finds out whether w is a terminal and how wide it is.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{w: w, width: 120, last: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.terminal = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 { // 0: a terminal that does not know
			s.width = width
		}
	}
	return s
}

// Line prints a line above the status.
func (s *Screen) Line(format string, args ...any) {
	s.Clear()
	s.last = time.Now()
	fmt.Fprintf(s.w, format+"\n", args...)
}

// Status replaces the status line; where there is no terminal it is a line of its own now and then.
func (s *Screen) Status(format string, args ...any) {
	if !s.terminal {
		if time.Since(s.last) > quiet {
			s.Line(format, args...)
		}
		return
	}
	line := []rune(fmt.Sprintf(format, args...))
	s.Clear()
	fmt.Fprint(s.w, string(line[:min(len(line), s.width-1)]))
}

// Clear takes the status line away.
func (s *Screen) Clear() {
	if s.terminal {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
