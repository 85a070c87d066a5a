package locate

import (
	"context"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/doctor"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
)

// Servers returns the servers that are used where the environment names none: those of the dev stack.
func Servers() connect.Fallback { return devstack.Servers(devstack.DefaultDir()) }

// Temporal connects as the Temporal CLI would: as environment and profile file say, or to the dev stack where neither
// says anything. The caller closes the reader's client. The error says what mends it, or where to find that out.
func Temporal(ctx context.Context) (*runs.Reader, error) {
	if _, err := connect.TemporalOptions(Servers()); err != nil {
		return nil, err // of the configuration, which says itself what mends it
	}
	c, opts, err := connect.Temporal(ctx, Servers())
	if err != nil {
		return nil, doctor.AskDoctor(err)
	}
	return &runs.Reader{Client: c, Namespace: opts.Namespace}, nil
}

// Store opens the object store of the environment or of the dev stack to read from it. The error says what mends it, or
// where to find that out.
func Store(ctx context.Context) (*store.Store, error) { return openStore(ctx, store.Find) }

// NewStore is Store for those who write: it makes the bucket where it is missing.
func NewStore(ctx context.Context) (*store.Store, error) { return openStore(ctx, store.Open) }

func openStore(
	ctx context.Context, open func(context.Context, store.Config) (*store.Store, error),
) (*store.Store, error) {
	cfg, err := connect.StoreConfig(Servers())
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, cfg)
	if errors.Is(err, store.ErrNoBucket) {
		return nil, fmt.Errorf("%w: correct EPB_S3_BUCKET, or make it with your first run by epb start", err)
	}
	if err != nil {
		return nil, doctor.AskDoctor(err)
	}
	return s, nil
}
