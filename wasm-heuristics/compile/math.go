package compile

// mathCost is the cost of a call of a function of math in units of fuel, in addition to the text of the call.
// BenchmarkMath measures it on the slowest arguments. It is 0 if the cost of the call's text is enough. Jn, Mod,
// Remainder and Yn are not listed, because their time grows with their arguments.
var mathCost = map[string]int{
	"Abs": 0, "Ceil": 0, "Copysign": 0, "Dim": 0, "Float32bits": 0, "Float32frombits": 0, "Float64bits": 0,
	"Float64frombits": 0, "Floor": 0, "Inf": 0, "IsInf": 0, "IsNaN": 0, "Max": 0, "Min": 0, "Modf": 0, "NaN": 0,
	"Pow10": 0, "Round": 0, "RoundToEven": 0, "Signbit": 0, "Sqrt": 0, "Trunc": 0,
	"Exp": 2, "Exp2": 2, "Frexp": 2, "Hypot": 2, "Ilogb": 2, "Ldexp": 2, "Log": 2, "Log10": 2, "Logb": 2,
	"Nextafter": 2, "Nextafter32": 2,
	"Acos": 3, "Acosh": 3, "Asin": 3, "Cosh": 3, "Erfcinv": 3, "Sinh": 3, "Tanh": 3,
	"Atan": 4, "Atan2": 4, "Atanh": 4, "Erf": 4, "Erfinv": 4, "Expm1": 4, "Log1p": 4,
	"Cbrt": 5, "Log2": 5,
	"Asinh": 6, "Erfc": 6, "Gamma": 6,
	"Cos": 8, "FMA": 8, "Sin": 8, "Tan": 8,
	"Sincos": 10,
	"Pow":    12,
	"Lgamma": 18,
	"J0":     20, "J1": 20, "Y0": 20, "Y1": 20,
}
