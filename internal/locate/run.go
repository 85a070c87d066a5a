package locate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
)

// Run connects to Temporal and calls do with the ID of the run that a name stands for. Nobody has asked whether there
// is such a run. With no name that is the run started last or, where Temporal knows of none, the one of the store that
// ended last. The error is that of the name, of the connection or of do, or runs.ErrNone.
func (n Name) Run(ctx context.Context, do func(r *runs.Reader, id string) error) error {
	if err := n.checkRun(); err != nil {
		return err
	}
	r, err := Temporal(ctx)
	if err != nil {
		return err
	}
	defer r.Client.Close()
	id := n.rest
	if n.form == none {
		if id, err = latest(ctx, r); err != nil {
			return err
		}
	}
	return do(r, id)
}

// storeWait is how long the store is asked for the runs that Temporal has forgotten.
const storeWait = 5 * time.Second

// latest returns the ID of the run started last. Temporal forgets runs after a while: where it knows of none, that is
// the run of the store that ended last.
func latest(ctx context.Context, r *runs.Reader) (string, error) {
	id, none := r.Latest(ctx)
	if !errors.Is(none, runs.ErrNone) {
		return id, none
	}
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	s, err := Store(ctx)
	if err == nil {
		id, err = results.LastEnded(ctx, s)
	}
	switch {
	case err == nil && id != "":
		return id, nil
	case err == nil, errors.Is(err, store.ErrNoBucket): // the first run makes it
		return "", none
	}
	return "", fmt.Errorf("%w, as far as Temporal knows; whether the store has a result is unknown: %w", none, err)
}

// RunID returns the ID of the run that a name stands for. It connects to Temporal for the latest alone.
func (n Name) RunID(ctx context.Context) (id string, err error) {
	if n.form != none {
		return n.rest, n.checkRun()
	}
	err = n.Run(ctx, func(_ *runs.Reader, latest string) error {
		id = latest
		return nil
	})
	return id, err
}

// Result reads the result of the run that a name stands for; with no name, of the latest run that has a result. The
// error says why a run has none.
func (n Name) Result(ctx context.Context) (results.Result, error) {
	if err := n.checkRun(); err != nil {
		return results.Result{}, err
	}
	s, err := Store(ctx)
	if err != nil {
		return results.Result{}, err
	}
	if n.form == none {
		return latestResult(ctx, s)
	}
	found, err := results.Read(ctx, s, n.rest)
	if errors.Is(err, store.ErrNotFound) {
		err = whyNoResult(ctx, n.rest, err)
	}
	return found, err
}

// checkRun refuses a name that no run has.
func (n Name) checkRun() error {
	switch {
	case n.form == builtin:
		return fmt.Errorf("%s is no run (epb runs lists them)", n.text)
	case n.form != none && n.rest == "":
		return errors.New("the name of the run is empty (epb runs lists them)")
	}
	return nil
}

// latestResult reads the result of the run started last among those that have one. Temporal forgets runs after a while:
// where it knows of none with a result, that is the run of the store that ended last.
func latestResult(ctx context.Context, s *store.Store) (results.Result, error) {
	r, err := Temporal(ctx)
	if err != nil {
		return results.Result{}, err
	}
	defer r.Client.Close()
	ids, none := r.IDs(ctx)
	if none != nil && !errors.Is(none, runs.ErrNone) {
		return results.Result{}, none
	}
	for _, id := range ids {
		if found, err := results.Read(ctx, s, id); !errors.Is(err, store.ErrNotFound) {
			return found, err
		}
	}
	id, err := results.LastEnded(ctx, s)
	switch {
	case err != nil:
		return results.Result{}, err
	case id != "":
		return results.Read(ctx, s, id)
	case none != nil:
		return results.Result{}, none
	}
	return results.Result{}, fmt.Errorf("no distillation has a result yet; the latest is %s (see epb status)", ids[0])
}

// whyNoResult says why the store holds no result of a run. err is the error of the store.
func whyNoResult(ctx context.Context, id string, err error) error {
	r, dialErr := Temporal(ctx)
	if dialErr != nil {
		return err
	}
	defer r.Client.Close()
	return r.WhyNoResult(ctx, id, err)
}
