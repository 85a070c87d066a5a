package parallel_test

import (
	"fmt"
	"strings"
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
