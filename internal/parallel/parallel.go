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
	var next atomic.Int64
	var wg sync.WaitGroup
	var panicked atomic.Value
	for worker := range workers {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.CompareAndSwap(nil, fmt.Errorf("%v\n%s", p, debug.Stack()))
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(worker, i)
			}
		})
	}
	wg.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
}

// Try is Each for pieces that may fail. After a failure no piece of a higher number begins, and all of lower numbers
// end. So the error, which is that of the lowest piece that fails, does not depend on timing.
func Try(workers, n int, f func(worker, i int) error) error {
	var mu sync.Mutex
	var first error
	failed := n // the lowest piece that failed
	Each(workers, n, func(worker, i int) {
		mu.Lock()
		skip := i > failed
		mu.Unlock()
		if skip {
			return
		}
		if err := f(worker, i); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if i < failed {
				failed, first = i, err
			}
		}
	})
	return first
}
