package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"
)

// Cache keeps records by key. Put must be durable when it returns.
type Cache interface {
	Get(ctx context.Context, key string) (data []byte, ok bool, err error)
	Put(ctx context.Context, key string, data []byte) error
}

// Record is what the cache holds for one request.
type Record struct {
	Request Request `json:"request"`
	Answer  Answer  `json:"answer"`
}

// Cached asks a client only what the cache does not know. Equal requests at the same time are one call. An answer
// is stored before it is returned; if that fails it is kept in memory and stored by the next request for it.
type Cached struct {
	Client *Client
	Cache  Cache

	flight  singleflight.Group
	unsaved sync.Map // key → record bytes, answers the cache did not take
	clients sync.Map // Endpoint → *Client
}

// Complete returns the stored answer, or asks and stores it. A call once begun is finished and stored even if ctx
// ends, because it is paid for. An answer is known by its request alone, whichever endpoint gave it.
func (c *Cached) Complete(ctx context.Context, at Endpoint, req Request) (Answer, error) {
	key := req.Key()
	done := c.flight.DoChan(key, func() (any, error) {
		return c.complete(context.WithoutCancel(ctx), key, at, req)
	})
	select {
	case r := <-done:
		if r.Err != nil {
			return Answer{}, r.Err
		}
		return r.Val.(Answer), nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (c *Cached) complete(ctx context.Context, key string, at Endpoint, req Request) (Answer, error) {
	data, ok, err := c.Cache.Get(ctx, key)
	if err != nil {
		return Answer{}, fmt.Errorf("look up llm answer %s: %w", key, err)
	}
	if ok {
		return parseRecord(key, req, data)
	}
	kept, unsaved := c.unsaved.Load(key)
	if unsaved {
		data = kept.([]byte)
	} else {
		client, err := c.client(at)
		if err != nil {
			return Answer{}, err
		}
		answer, err := client.Complete(ctx, req)
		if err != nil {
			return Answer{}, err
		}
		if data, err = json.Marshal(Record{Request: req, Answer: answer}); err != nil {
			return Answer{}, fmt.Errorf("encode llm answer %s: %w", key, err)
		}
	}
	if err := c.Cache.Put(ctx, key, data); err != nil {
		c.unsaved.Store(key, data)
		return Answer{}, fmt.Errorf("store llm answer %s: %w", key, err)
	}
	c.unsaved.Delete(key)
	return parseRecord(key, req, data)
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
	c.clients.Store(at, client)
	return client, nil
}

func parseRecord(key string, req Request, data []byte) (Answer, error) {
	var record Record
	if err := json.Unmarshal(data, &record); err != nil {
		return Answer{}, fmt.Errorf("stored llm answer %s is damaged; delete it to ask again: %w", key, err)
	}
	if record.Request != req {
		return Answer{}, fmt.Errorf("stored llm answer %s belongs to another request; delete it to ask again", key)
	}
	return record.Answer, nil
}
