package main

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
)

// resolve returns the config with the bank of a run replaced by its object, and a function that fetches the object.
func resolve(ctx context.Context, cfg config.Distill) (config.Distill, input.Fetch, error) {
	name := locate.Of(cfg.Bank)
	if !name.IsRun() {
		return cfg, nil, nil
	}
	r, err := name.Result(ctx)
	if err != nil {
		return cfg, nil, fmt.Errorf("bank %s: %w", cfg.Bank, err)
	}
	cfg.Bank = input.Stored(cfg.Bank, r.Model.Bank.Address())
	return cfg, func(ctx context.Context, _ string) ([]byte, error) { return r.BankObject(ctx) }, nil
}
