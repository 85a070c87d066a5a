package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Cache keeps records by key. Put must be durable when it returns. It leaves a record that is there as it is.
type Cache interface {
	Get(ctx context.Context, key string) (data []byte, ok bool, err error)
	Put(ctx context.Context, key string, data []byte) error
}

// Record is what the cache holds for one request.
type Record struct {
	Request Request `json:"request"`
	Answer  Answer  `json:"answer"`
}

// saveWaits are the pauses between the tries to store an answer, unless Cached has others. Together they are 5 minutes.
var saveWaits = []time.Duration{
	time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, time.Minute, time.Minute, time.Minute,
}

// Cached sends a request to a client only if the cache has no answer. Equal requests at the same time are one call. An
// answer is stored before it is returned. If that fails after several tries, it is kept in memory and stored by the
// next request for it. So a process calls a second time only if a call was cut off. Another process also does if it
// asks before the answer is stored.
type Cached struct {
	Client *Client
	Cache  Cache

	SaveWaits []time.Duration // pauses between the tries to store an answer; nil: 1 s to 1 min, 5 min in all

	flight  singleflight.Group
	unsaved sync.Map // key → bytes of a record that the cache did not take
	clients sync.Map // Endpoint → *Client
}

// Complete returns the stored answer, or asks once and stores the answer. A call that has begun is finished and stored
// even if ctx ends, because it is paid for. An answer is known by its request alone, whichever endpoint gave it. The
// stand-in's answer is used only while no language model can be asked. It fails with *Error, with the error of ctx, or
// with one of the cache. A panic of the call is one of all who wait for it.
func (c *Cached) Complete(ctx context.Context, at Endpoint, req Request) (Answer, error) {
	key := req.Key()
	call := fmt.Sprintf("%s %q", key, at) // of two endpoints only one may be the stand-in
	done := c.flight.DoChan(call, func() (answer any, err error) {
		defer func() { // singleflight would end the process
			if r := recover(); r != nil {
				err = &panicError{r, debug.Stack()}
			}
		}()
		return c.complete(context.WithoutCancel(ctx), key, at, req)
	})
	select {
	case r := <-done:
		if p, ok := errors.AsType[*panicError](r.Err); ok {
			panic(p)
		}
		if r.Err != nil {
			return Answer{}, r.Err
		}
		return r.Val.(Answer), nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// panicError is a panic on its way from the goroutine of a call to those who wait for it.
type panicError struct {
	value any
	stack []byte
}

// Error says what the panic was, and then where.
func (p *panicError) Error() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

// complete is Complete for the first of equal requests.
func (c *Cached) complete(ctx context.Context, key string, at Endpoint, req Request) (Answer, error) {
	kept, err := c.load(ctx, key, req)
	if err != nil {
		return Answer{}, err
	}
	if kept != nil {
		return kept.Answer, nil
	}
	standIns, err := c.load(ctx, RecordKey(key, StandIn), req)
	if err != nil {
		return Answer{}, err
	}
	client, err := c.client(at)
	if standIns != nil && (err != nil || !client.isModel(ctx)) {
		return standIns.Answer, nil
	}
	if err != nil {
		return Answer{}, err
	}
	answer, err := client.Complete(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	data, err := json.Marshal(Record{Request: req, Answer: answer})
	if err != nil {
		return Answer{}, fmt.Errorf("encode llm answer %s: %w", key, err)
	}
	stored := RecordKey(key, answer.Model)
	if err := c.save(ctx, stored, data); err != nil {
		return Answer{}, err
	}
	// Another process may have stored its answer to the same request first. All use that one.
	if kept, err = c.load(ctx, stored, req); err != nil || kept == nil {
		return answer, err
	}
	return kept.Answer, nil
}

// Deadline returns how long a question should be asked again and again before it is given up, if its answer has at most
// maxTokens.
func (c *Cached) Deadline(maxTokens int) time.Duration { return c.Client.cfg.deadline(maxTokens) }

// RecordKey returns the key of the record of a request that a model answered. It is the request's own key, but for the
// stand-in, whose answer must not take the place of a language model's.
func RecordKey(request, model string) string {
	if IsStandIn(model) {
		return request + "-standin"
	}
	return request
}

// Stored returns the record that a cache holds of a request, named by its key, and of a model's answer to it. All
// models but the stand-in share one record.
func Stored(ctx context.Context, cache Cache, request, model string) (r Record, ok bool, err error) {
	key := RecordKey(request, model)
	data, ok, err := cache.Get(ctx, key)
	if err != nil || !ok {
		return r, false, err
	}
	found, err := parseRecord(key, data)
	if err != nil {
		return r, false, err
	}
	return *found, true, nil
}

// load returns the record under a key, or nil. A record that could not be stored before is stored now.
func (c *Cached) load(ctx context.Context, key string, req Request) (*Record, error) {
	data, ok, err := c.Cache.Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("look up llm answer %s: %w", key, err)
	}
	if !ok {
		kept, unsaved := c.unsaved.Load(key)
		if !unsaved {
			return nil, nil
		}
		data = kept.([]byte)
		if err := c.save(ctx, key, data); err != nil {
			return nil, err
		}
	}
	r, err := parseRecord(key, data)
	if err == nil && r.Request != req {
		return nil, fmt.Errorf("stored llm answer %s belongs to another request; delete it to ask again", key)
	}
	return r, err
}

// save stores a record, and tries for some time, because the answer is paid for. A record that the cache does not take
// is kept in memory.
func (c *Cached) save(ctx context.Context, key string, data []byte) error {
	waits := c.SaveWaits
	if waits == nil {
		waits = saveWaits
	}
	c.unsaved.Store(key, data) // also for a call to another endpoint that looks it up meanwhile
	err := c.Cache.Put(ctx, key, data)
	for i := 0; err != nil && i < len(waits); i++ {
		slog.WarnContext(ctx, "an llm answer is not stored yet", "key", key, "error", err, "next_try_in", waits[i])
		time.Sleep(waits[i])
		err = c.Cache.Put(ctx, key, data)
	}
	if err != nil {
		return fmt.Errorf("store llm answer %s: %w", key, err)
	}
	c.unsaved.Delete(key)
	return nil
}

// client returns the client of an endpoint, made when it is first asked for.
func (c *Cached) client(at Endpoint) (*Client, error) {
	if at == (Endpoint{}) {
		return c.Client, nil
	}
	if client, ok := c.clients.Load(at); ok {
		return client.(*Client), nil
	}
	client, err := c.Client.at(at)
	if err != nil {
		return nil, err
	}
	first, _ := c.clients.LoadOrStore(at, client)
	return first.(*Client), nil
}

// parseRecord reads a record, also of earlier versions, which named the stand-in otherwise.
func parseRecord(key string, data []byte) (*Record, error) {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("stored llm answer %s is damaged; delete it to ask again: %w", key, err)
	}
	r.Answer.Model = modelName(r.Answer.Model)
	return &r, nil
}
