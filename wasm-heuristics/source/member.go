package source

import (
	"go/types"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// IsMember reports whether an object is a field or method of an SDK package's State. No other type of the SDK has any.
func IsMember(obj types.Object) bool {
	if !FromSDK(obj) {
		return false
	}
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

// FromSDK reports whether an SDK package declares an object.
func FromSDK(obj types.Object) bool {
	path, _ := Origin(obj)
	return strings.HasPrefix(path, sdk.Path+"/")
}

// IsState reports whether a type is an SDK package's State.
func IsState(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "State" && FromSDK(named.Obj())
}

// FromLibrary reports whether a library declares an object.
func FromLibrary(obj types.Object) bool {
	library, _ := Origin(obj)
	return slices.Contains(Libraries, library)
}

// IsFloat reports whether a type is float32 or float64 itself.
func IsFloat(t types.Type) bool {
	return t != nil && (types.Identical(t, types.Typ[types.Float32]) || types.Identical(t, types.Typ[types.Float64]))
}
