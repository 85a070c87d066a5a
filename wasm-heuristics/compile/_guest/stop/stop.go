//go:build tinygo

// Package stop ends a guest with a reason that the host can read, since a trap itself says only "unreachable".
package stop

// The reasons; 0 is a trap of the program's own (index out of range, nil, division by zero, panic).
const (
	Fuel   = 1
	Memory = 2
)

// Reason is why the guest trapped.
var Reason uint32

// Trap ends the guest for good.
func Trap(reason uint32) {
	Reason = reason
	trap()
}

//export llvm.trap
func trap()
