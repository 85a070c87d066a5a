package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// screen prints lines with, on a terminal, one status line kept below them.
type screen struct {
	w        io.Writer
	terminal bool
	width    int
	last     time.Time // of what was printed last
}

// quiet is how long a log may stay without a sign of life.
const quiet = time.Minute

func newScreen(w io.Writer) *screen {
	s := &screen{w: w, width: 120, last: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.terminal = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 { // 0: a terminal that does not know
			s.width = width
		}
	}
	return s
}

// line prints a line above the status.
func (s *screen) line(format string, args ...any) {
	s.clear()
	s.last = time.Now()
	fmt.Fprintf(s.w, format+"\n", args...)
}

// status replaces the status line; where there is no terminal it is a line of its own now and then.
func (s *screen) status(format string, args ...any) {
	if !s.terminal {
		if time.Since(s.last) > quiet {
			s.line(format, args...)
		}
		return
	}
	line := []rune(fmt.Sprintf(format, args...))
	s.clear()
	fmt.Fprint(s.w, string(line[:min(len(line), s.width-1)]))
}

func (s *screen) clear() {
	if s.terminal {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
