package student

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// workers returns how many goroutines each would use for n pieces.
func workers(n int) int { return max(min(runtime.GOMAXPROCS(0), n), 1) }

// each calls f for every i below n, on the given number of goroutines, which are numbered from 0. Any goroutine may get
// any i, so a result must not depend on that. If f panics, each panics in the caller, which can recover. A panic in the
// goroutine would end the process.
func each(workers, n int, f func(worker, i int)) {
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
