package bank_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

// TestFreeName: names that are taken get a number and stay names, however long they are.
func TestFreeName(t *testing.T) {
	long := strings.Repeat("a", bank.MaxName)
	var taken []string
	for i, tt := range []struct{ name, want string }{
		{"near", "near"}, {"near", "near_2"}, {"near", "near_3"}, {"near_2", "near_2_2"},
		{long, long}, {long + "a", long[:bank.MaxName-2] + "_2"},
		{long[:bank.MaxName-1], long[:bank.MaxName-1]}, {long[:bank.MaxName-1], long[:bank.MaxName-2] + "_3"},
		{long[:bank.MaxName-3] + "_ab", long[:bank.MaxName-3] + "_ab"},
		{long[:bank.MaxName-3] + "_ab", long[:bank.MaxName-3] + "_2"},
		{"func", "func_2"}, {"documentation", "documentation_2"},
	} {
		got := bank.FreeName(tt.name, func(name string) bool { return slices.Contains(taken, name) })
		if taken = append(taken, got); got != tt.want || bank.ValidName(got) != nil {
			t.Errorf("%d: %s is called %s, want %s", i, tt.name, got, tt.want)
		}
	}
}
