package report

import (
	"math"
	"strconv"
	"strings"
)

// tick is a label on an axis.
type tick struct {
	At    float64 // in SVG units
	Label string
}

// valueTicks returns two to six labels for a vertical axis from lo to hi, at multiples of one round step; up returns a
// value's place. Counts have whole numbers only.
//
// From 0.06 to 1.18, for example, the step is 0.5, since five steps of 0.2 do not span 1.12: the labels are 0.5, 1.0.
func valueTicks(lo, hi float64, counts bool, up func(float64) float64) (ticks []tick) {
	step, decimals := roundStep((hi - lo) / 5)
	if counts && step < 1 {
		step, decimals = 1, 0
	}
	first := math.Ceil(lo / step)
	for k := range 6 {
		v := (first+float64(k))*step + 0 // + 0 makes 0 of a negative zero
		if v > hi {
			break
		}
		label := strconv.FormatFloat(v, 'f', decimals, 64)
		ticks = append(ticks, tick{up(v), strings.Replace(label, "-", "−", 1)})
	}
	return ticks
}

// epochsPerTick returns the step between the labels of a span of epochs, of which there are eight at most.
func epochsPerTick(span float64) int {
	step, _ := roundStep(span / 7)
	return int(max(1, step))
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is no less than least, a positive number, and
// how many decimals its multiples have: for 0.03 that is 0.05, with two decimals.
func roundStep(least float64) (step float64, decimals int) {
	for exp := int(math.Floor(math.Log10(least))); ; exp++ {
		for _, digit := range []float64{1, 2, 5} {
			if step = digit * math.Pow10(exp); step >= least {
				return step, max(0, -exp)
			}
		}
	}
}
