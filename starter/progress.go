package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/epb-nco/epb/internal/terminal"
)

// instancesBar returns a bar that counts up to so many instances, and is drawn only on a terminal. finish takes it off
// the screen.
func instancesBar(count int, stderr io.Writer) (progress func(done int), finish func()) {
	bar := progressbar.NewOptions(count, progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetVisibility(terminal.NewScreen(stderr).IsTerminal()),
		progressbar.OptionSetDescription("instances"), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
	return func(done int) { _ = bar.Set(done) }, func() { _ = bar.Finish() }
}
