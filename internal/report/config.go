package report

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/epb-nco/epb/internal/config"
)

// configLines prints the configuration as YAML, as a run's file would hold it.
func configLines(c config.Distill) ([]string, error) {
	if empty, err := json.Marshal(c); err != nil {
		return nil, err
	} else if zero, _ := json.Marshal(config.Distill{}); string(empty) == string(zero) {
		return nil, nil
	}
	text, err := yaml.Marshal(c)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}
