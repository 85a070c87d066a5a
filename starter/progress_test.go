package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epb-nco/epb/internal/terminal"
)

// Whoever waits for a long measurement is told of it, in a log every minute, and need not wait for its end.
func TestMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		got, err := meanwhile(t.Context(), terminal.NewScreen(&log), "measuring", func() (int, error) {
			time.Sleep(150*time.Second + time.Millisecond)
			return 7, errors.New("too warm")
		})
		const want = "measuring: 1m1s\nmeasuring: 2m2s\n"
		if got != 7 || err == nil || err.Error() != "too warm" || log.String() != want {
			t.Errorf("%d (%v), and it said %q, want %q", got, err, log.String(), want)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		began, end := time.Now(), make(chan struct{})
		defer close(end)
		time.AfterFunc(5*time.Second, leave)
		_, err := meanwhile(ctx, terminal.NewScreen(&strings.Builder{}), "measuring", func() (int, error) {
			<-end
			return 7, nil
		})
		if took := time.Since(began); !errors.Is(err, context.Canceled) || took != 5*time.Second {
			t.Errorf("left after %v: %v", took, err)
		}
	})
}
