package main

import (
	"strings"
	"testing"
)

func TestCompareRefuses(t *testing.T) {
	offline(t)
	if _, err := epb(t, "compare", "r1", "r2", "run:r1"); err == nil ||
		!strings.Contains(err.Error(), "run r1 is named twice") {
		t.Errorf("one run twice: %v", err)
	}
}
