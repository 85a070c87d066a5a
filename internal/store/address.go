package store

import (
	"fmt"
	"strconv"
	"strings"
)

// Address is how a config names a content-addressed object: HASH/SIZE.
func (r Ref) Address() string { return fmt.Sprintf("%s/%d", r.Hash, r.Size) }

// ParseAddress reads the form that Address writes. An invalid address is an error that wraps ErrNotFound.
func ParseAddress(address string) (Ref, error) {
	hash, size, ok := strings.Cut(address, "/")
	n, err := strconv.ParseInt(size, 10, 64)
	if !ok || err != nil {
		return Ref{}, fmt.Errorf("%w: its address is %q, want HASH/SIZE", ErrNotFound, address)
	}
	return Ref{Hash: hash, Size: n}, nil
}
