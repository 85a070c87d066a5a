package artifact

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// closer remembers whether it was closed.
type closer struct {
	name   string
	closed *[]string
}

func (c closer) Close() { *c.closed = append(*c.closed, c.name) }

// A value that leaves the memory is closed, but not while it has a borrower.
func TestMemoryClosesWhatIsOut(t *testing.T) {
	var closed []string
	c := newCache(10)
	take := func(name string, size int64) (giveBack func()) {
		_, giveBack, err := borrow(t.Context(), c, name, func() (closer, int64, error) {
			return closer{name, &closed}, size, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return giveBack
	}
	expect := func(when string, want ...string) {
		t.Helper()
		if !slices.Equal(closed, want) {
			t.Errorf("%s: closed %v, want %v", when, closed, want)
		}
	}
	first, again := take("first", 6), take("first", 6)
	take("second", 3)()
	expect("both fit")
	take("third", 3)() // the first is the least recently used
	expect("the first is out, but used")
	first()
	expect("one of its users is left")
	again()
	expect("it is used no more", "first")
	take("fourth", 20)()
	expect("nothing else fits beside the fourth", "first", "second", "third")
	take("first", 1)()
	expect("the first is loaded again", "first", "second", "third", "fourth")
}

// A caller that is cancelled while it loads takes nobody along: who waited for its load loads by itself.
func TestMemoryOutlivesACancelledLoad(t *testing.T) {
	m := newCache(10)
	first, cancel := context.WithCancel(t.Context())
	loading, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := through(first, m, "key", func() (int, int64, error) {
			close(loading)
			<-first.Done()
			time.Sleep(10 * time.Millisecond) // the other is waiting by then, most often
			return 0, 0, first.Err()
		})
		ended <- err
	}()
	<-loading
	time.AfterFunc(10*time.Millisecond, cancel)
	got, err := through(t.Context(), m, "key", func() (int, int64, error) { return 7, 1, nil })
	if got != 7 || err != nil {
		t.Errorf("the waiting caller got %d, %v", got, err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled caller got %v", err)
	}
}
