// Package decimal writes figures for readers, with a fixed number of decimals. A figure that rounds to 0 has no minus:
// costs of equal solutions may differ in their last bits.
package decimal

import (
	"fmt"
	"strconv"
	"strings"
)

// Fixed writes a figure: "2.07", "-0.3".
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Signed is Fixed with a plus where there is no minus: "+2.07", "+0.00".
func Signed(v float64, decimals int) string {
	text := Fixed(v, decimals)
	if strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + text
}

// Percent writes a share of 1 in per cent: "91.6 %" of 0.916.
func Percent(share float64) string { return Fixed(100*share, 1) + " %" }

// Gap writes a gap, which is in per cent: "+2.07 %" of 2.07.
func Gap(percent float64) string { return Signed(percent, 2) + " %" }

// Interval writes the bounds of an interval: "[1.84, 2.29]".
func Interval(lo, hi float64, decimals int) string {
	return fmt.Sprintf("[%s, %s]", Fixed(lo, decimals), Fixed(hi, decimals))
}

// SignedInterval is Interval with signs: "[-0.38, +0.90]".
func SignedInterval(lo, hi float64, decimals int) string {
	return fmt.Sprintf("[%s, %s]", Signed(lo, decimals), Signed(hi, decimals))
}
