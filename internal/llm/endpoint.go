package llm

import (
	"fmt"
	"os"
)

// Endpoint says where a role's model is, by the names of the environment variables that hold the base URL and the key.
// An empty name means the client's own.
type Endpoint struct {
	URL, Key string
}

// at returns a client for an endpoint, which waits as long as c does. It fails with ErrEndpoint if a variable is not
// set or holds no base URL.
func (c *Client) at(e Endpoint) (*Client, error) {
	cfg := c.cfg
	if e.URL != "" {
		if cfg.BaseURL = os.Getenv(e.URL); cfg.BaseURL == "" {
			return nil, missing(e.URL, "as an endpoint")
		}
		cfg.APIKey = "" // a key is for one server only
	}
	if e.Key != "" {
		if cfg.APIKey = os.Getenv(e.Key); cfg.APIKey == "" {
			return nil, missing(e.Key, "as the variable of a key")
		}
	}
	client, err := New(cfg)
	if err != nil {
		return nil, &Error{Kind: ErrEndpoint, Detail: fmt.Sprintf("%s: %v", e.URL, err)}
	}
	return client, nil
}

// missing is the error of a variable that is not set.
func missing(variable, what string) *Error {
	text := fmt.Sprintf("the worker's environment has no %s, which the config names %s", variable, what)
	return &Error{Kind: ErrEndpoint, Detail: text}
}
