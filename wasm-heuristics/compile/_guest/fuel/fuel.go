//go:build tinygo

// Package fuel bounds the work of a program. Loops and calls take units as package compile has put them into the program
// (addFuel).
package fuel

import "github.com/epb-nco/epb/guest/stop"

// Left is what the running state may still use.
var Left int64

// Take takes so many units.
func Take(units int64) {
	Left -= units
	if Left < 0 {
		stop.Trap(stop.Fuel)
	}
}

// Weigh takes a unit for every element of a slice, and returns it. It stands here, where a program's own len is not in reach.
func Weigh[S ~[]E, E any](x S) S {
	Take(int64(len(x)))
	return x
}
