package llm

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// introduction is how long a server has to say what it is.
const introduction = 5 * time.Second

// identity is what a client knows about who answers it.
type identity struct {
	asking sync.Mutex // one at a time

	mu     sync.Mutex
	known  bool
	real   bool      // not the stand-in
	silent time.Time // until when a server that did not answer is left alone
}

// met learns from a response, if there is one, whether it is the stand-in that answers.
func (i *identity) met(res *http.Response) {
	if res == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.known, i.real = true, res.Header.Get(StandInHeader) == ""
}

func (i *identity) get() (real, known bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.real, i.known || time.Now().Before(i.silent)
}

// real reports whether the server is known to be another than the stand-in. One that has not answered yet is asked for its models,
// which costs nothing; while it is silent, it may be either.
func (c *Client) real(ctx context.Context) bool {
	c.who.asking.Lock()
	defer c.who.asking.Unlock()
	if real, known := c.who.get(); known {
		return real
	}
	var res *http.Response
	_, _ = c.models.List(ctx, option.WithRequestTimeout(introduction), option.WithResponseInto(&res)) // any response will do
	c.who.met(res)
	if res == nil {
		c.who.mu.Lock()
		c.who.silent = time.Now().Add(c.cfg.Pause)
		c.who.mu.Unlock()
	}
	real, _ := c.who.get()
	return real
}
