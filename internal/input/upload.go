package input

import (
	"context"
	"encoding/json"
	"os"

	"github.com/epb-nco/epb/internal/config"
)

// Upload puts what a config names on this machine's disk into the store, so that a worker anywhere can read it, and
// returns the config that names it there. put stores an object and returns its address.
func (c *Checked) Upload(
	ctx context.Context, cfg config.Distill, put func(context.Context, []byte) (address string, err error),
) (config.Distill, error) {
	if _, err := os.Stat(cfg.Teacher); err == nil {
		address, err := put(ctx, c.Checkpoint)
		if err != nil {
			return cfg, err
		}
		cfg.Teacher = Stored(c.TeacherFile, address)
	}
	if _, err := os.Stat(cfg.Bank); err == nil && !HasNoProgram(cfg.Bank) {
		data, err := json.Marshal(c.Bank)
		if err != nil {
			return cfg, err
		}
		address, err := put(ctx, data)
		if err != nil {
			return cfg, err
		}
		cfg.Bank = Stored("bank.json", address)
	}
	return cfg, nil
}
