package locate

import (
	"context"

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

// Store opens the object store of the environment or of the dev stack. The error says what mends it, or where to find
// that out.
func Store(ctx context.Context) (*store.Store, error) {
	cfg, err := connect.StoreConfig(Servers())
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, cfg)
	if err != nil {
		return nil, doctor.AskDoctor(err)
	}
	return s, nil
}
