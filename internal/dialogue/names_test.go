package dialogue

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

// Names that are taken get a number and stay names, however long they are.
func TestUnique(t *testing.T) {
	long := strings.Repeat("a", bank.MaxName)
	taken := map[string]bool{}
	for i, tt := range []struct{ name, want string }{
		{"near", "near"}, {"near", "near_2"}, {"near", "near_3"}, {"near_2", "near_2_2"},
		{long, long}, {long, long[:bank.MaxName-2] + "_2"},
		{long[:bank.MaxName-1], long[:bank.MaxName-1]}, {long[:bank.MaxName-1], long[:bank.MaxName-2] + "_3"},
	} {
		got := unique(tt.name, taken)
		if got != tt.want || bank.ValidName(got) != nil {
			t.Errorf("%d: %s is called %s, want %s", i, tt.name, got, tt.want)
		}
	}
}
