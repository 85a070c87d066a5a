package compile

import (
	"go/types"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// isMember reports whether an object is a field or method of an SDK package's State. No other type of the SDK has any.
func isMember(obj types.Object) bool {
	if !fromSDK(obj) {
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

// fromSDK reports whether an SDK package declares an object.
func fromSDK(obj types.Object) bool {
	path, _ := origin(obj)
	return strings.HasPrefix(path, sdk.Path+"/")
}
