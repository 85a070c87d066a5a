package artifact

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/store"
)

// Bank returns a bank.
func (s *Store) Bank(ctx context.Context, ref store.Ref) (*bank.Bank, error) {
	b := &bank.Bank{}
	if err := s.GetJSON(ctx, ref, b); err != nil {
		return nil, fmt.Errorf("bank: %w", err)
	}
	return b, nil
}

// Heuristic returns one heuristic that is stored as an object of its own, such as a candidate.
func (s *Store) Heuristic(ctx context.Context, ref store.Ref) (bank.Heuristic, error) {
	var h bank.Heuristic
	if err := s.GetJSON(ctx, ref, &h); err != nil {
		return h, fmt.Errorf("heuristic: %w", err)
	}
	return h, nil
}
