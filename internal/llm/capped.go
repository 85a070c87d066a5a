package llm

import (
	"errors"
	"io"
	"net/http"
)

// errTooLarge ends the body of a reply that is larger than Config.MaxReply.
var errTooLarge = errors.New("the reply is larger than the cap")

// capped is a transport whose response bodies end in errTooLarge after max bytes.
type capped struct {
	next http.RoundTripper
	max  int64
}

// RoundTrip calls the next transport and limits the body of the response.
func (t capped) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(req)
	if err == nil {
		res.Body = &cappedBody{res.Body, t.max}
	}
	return res, err
}

// cappedBody is a body that may be read up to left more bytes.
type cappedBody struct {
	io.ReadCloser
	left int64
}

// Read reads from the body, up to the cap.
func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
