package decimal_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/decimal"
)

// What rounds to nothing has no minus, whoever writes it; what does not keeps its sign.
func TestNothingHasNoMinus(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{decimal.Fixed(-1e-14, 2), "0.00"}, {decimal.Fixed(-0.4, 0), "0"}, {decimal.Fixed(-0.006, 2), "-0.01"},
		{decimal.Fixed(-100, 2), "-100.00"}, {decimal.Fixed(2.5, 1), "2.5"},
		{decimal.Signed(-0.004, 2), "+0.00"}, {decimal.Signed(0, 1), "+0.0"}, {decimal.Signed(-0.006, 2), "-0.01"},
		{decimal.Signed(2.5, 2), "+2.50"},
		{decimal.Percent(-1e-5), "0.0 %"}, {decimal.Percent(0.916), "91.6 %"},
		{decimal.Gap(-1e-14), "+0.00 %"}, {decimal.Gap(-10), "-10.00 %"}, {decimal.Gap(2.07), "+2.07 %"},
		{decimal.Interval(-0.001, 2.29, 2), "[0.00, 2.29]"},
		{decimal.SignedInterval(-0.38, -0.001, 2), "[-0.38, +0.00]"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}
