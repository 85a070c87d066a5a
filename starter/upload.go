package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/store"
)

// resolve returns the config with a run's bank named by its object, and what fetches that object.
func resolve(ctx context.Context, cfg config.Distill) (config.Distill, input.Fetch, error) {
	id, ok := strings.CutPrefix(cfg.Bank, runBank)
	if !ok {
		return cfg, nil, nil
	}
	r, err := findResult(ctx, []string{id})
	if err != nil {
		return cfg, nil, fmt.Errorf("bank %s: %w", cfg.Bank, err)
	}
	cfg.Bank = input.Stored(cfg.Bank, r.Model.Bank.Address())
	return cfg, func(ctx context.Context, _ string) ([]byte, error) { return r.BankObject(ctx) }, nil
}

// upload puts what a config names on this machine's disk into the store, so that a worker anywhere can read it, and
// returns the config that names it there.
func upload(ctx context.Context, s *store.Store, cfg config.Distill, in *input.Checked) (config.Distill, error) {
	if _, err := os.Stat(cfg.Teacher); err == nil {
		ref, err := s.Put(ctx, in.Checkpoint)
		if err != nil {
			return cfg, err
		}
		cfg.Teacher = input.Stored(in.TeacherFile, ref.Address())
	}
	if _, err := os.Stat(cfg.Bank); err == nil {
		data, err := json.Marshal(in.Bank)
		if err != nil {
			return cfg, err
		}
		ref, err := s.Put(ctx, data)
		if err != nil {
			return cfg, err
		}
		cfg.Bank = input.Stored("bank.json", ref.Address())
	}
	return cfg, nil
}
