package config_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
)

// TestLongTokens: an error quotes the beginning of what is wrong, however long or often that is.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, text := range []string{
		long + ": 1", "train:\n  " + long + ": 1", "nodes: " + long, "nodes: 1." + strings.Repeat("1", 1<<20),
		"nodes: [" + long,
		strings.Repeat("x", 100) + ": 1\n" + strings.Repeat("train: 1\n", 500),
		"train:\n" + strings.Repeat(" - x\n", 500),
		"train: {" + manyKeys(300) + "}",
	} {
		cfg := config.Default()
		if err := merge(t, &cfg, text); err == nil || len(err.Error()) > 4000 {
			t.Errorf("%.20q: an error of %d bytes", text, len(errorText(err)))
		}
	}
}

func manyKeys(n int) string {
	var keys []string
	for i := range n {
		keys = append(keys, strings.Repeat("x", i+1)+": 1")
	}
	return strings.Join(keys, ", ")
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
