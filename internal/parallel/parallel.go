// Package parallel runs pieces of work on several goroutines.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Workers returns how many goroutines to give Each for n pieces: at least one, and no more than there are cores.
func Workers(n int) int { return max(min(runtime.GOMAXPROCS(0), n), 1) }

// Each calls f for every i below n, on the given number of goroutines, which are numbered from 0. Any goroutine may get
// any i, so a result must not depend on that. If f panics, Each panics in the caller, which can recover. A panic in the
// goroutine would end the process.
func Each(workers, n int, f func(worker, i int)) {
	_ = Try(workers, n, func(worker, i int) error { // the pieces do not fail
		f(worker, i)
		return nil
	})
}

// Try is Each for pieces that may fail. Pieces begin in the order of their numbers. After a failure or a panic no piece
// of a higher number begins, and all of lower numbers end. So what Try returns, or panics with, is that of the lowest
// piece, and does not depend on timing.
func Try(workers, n int, f func(worker, i int) error) error {
	var next, failed atomic.Int64 // failed is the lowest piece that failed
	failed.Store(int64(n))
	var mu sync.Mutex
	var first error
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < failed.Load(); i = next.Add(1) - 1 {
				err := call(f, worker, int(i))
				if err == nil {
					continue
				}
				mu.Lock()
				if i < failed.Load() {
					first = err
					failed.Store(i)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if p, ok := first.(*panicked); ok {
		panic(p.cause)
	}
	return first
}

// panicked is the panic of a piece.
type panicked struct{ cause error }

func (p *panicked) Error() string { return p.cause.Error() }

// call calls f, and makes a panic an error.
func call(f func(worker, i int) error, worker, i int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
	}()
	return f(worker, i)
}
