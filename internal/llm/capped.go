package llm

import "net/http"

// capped is a transport whose response bodies end in an *http.MaxBytesError after max bytes.
type capped struct {
	next http.RoundTripper
	max  int64
}

// RoundTrip calls the next transport and limits the body of the response.
func (t capped) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(req)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, t.max)
	}
	return res, err
}
