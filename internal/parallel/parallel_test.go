package parallel_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/epb-nco/epb/internal/parallel"
)

func TestEachCallsEveryPieceOnce(t *testing.T) {
	var calls [10]atomic.Int32
	parallel.Each(3, len(calls), func(worker, i int) {
		if worker < 0 || worker > 2 {
			t.Errorf("worker %d of 3", worker)
		}
		calls[i].Add(1)
	})
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("piece %d is done %d times", i, n)
		}
	}
}

// A panic on another goroutine reaches the caller.
func TestEachPanicsInItsCaller(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "seven") {
			t.Errorf("recovered %v", p)
		}
	}()
	parallel.Each(2, 10, func(_, i int) {
		if i == 7 {
			panic("seven")
		}
	})
}

// An error below a panic counts, and a panic below an error. No piece begins after a panic.
func TestTryWithPanics(t *testing.T) {
	for _, fails := range []int{1, 3} {
		panics := 4 - fails
		var both sync.WaitGroup // both pieces run at once
		both.Add(2)
		var begun atomic.Int32
		var err error
		var recovered any
		func() {
			defer func() { recovered = recover() }()
			err = parallel.Try(3, 100, func(_, i int) error {
				begun.Add(1)
				if i == fails || i == panics {
					both.Done()
					both.Wait()
				}
				switch {
				case i == fails:
					return errors.New("fails")
				case i == panics, i > 3:
					panic("panics")
				}
				return nil
			})
		}()
		if fails < panics && (err == nil || recovered != nil) || fails > panics && recovered == nil {
			t.Errorf("piece %d fails and %d panics: error %v, recovered %v", fails, panics, err, recovered)
		}
		if begun.Load() == 100 {
			t.Error("pieces began after a panic")
		}
	}
}

// Of pieces that fail, the lowest gives the error, though a higher one fails first. None above it begins afterwards.
func TestTryReturnsTheLowestError(t *testing.T) {
	high := make(chan struct{})
	var begun [40]atomic.Bool
	err := parallel.Try(3, len(begun), func(_, i int) error {
		begun[i].Store(true)
		switch i {
		case 3:
			<-high
		case 4:
			defer close(high)
		case 0, 1, 2:
			return nil
		}
		return fmt.Errorf("piece %d", i)
	})
	if err == nil || err.Error() != "piece 3" {
		t.Errorf("error %v, want that of piece 3", err)
	}
	for i := range 4 {
		if !begun[i].Load() {
			t.Errorf("piece %d was left out", i)
		}
	}
	if begun[len(begun)-1].Load() {
		t.Error("the last piece began after a failure")
	}
	if err := parallel.Try(2, 5, func(_, _ int) error { return nil }); err != nil {
		t.Errorf("error %v of pieces that do not fail", err)
	}
}
