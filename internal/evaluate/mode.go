package evaluate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Mode names a way to decode: one of the constants, or sample:K and rrc:T with numbers for K and T.
type Mode string

// The decode modes. All but Greedy are searches: they keep the best solution they construct.
const (
	Greedy     Mode = "greedy"     // one solution, the most probable action at each step
	MultiStart Mode = "multistart" // from every first node, or first customer
	// MultiStart on the instance and its seven other images under turns and reflections of the square (POMO's ×8)
	Aug8 Mode = "aug8"

	sampling    = "sample" // sample:K, K solutions drawn from the policy
	mostSamples = 100_000  // of sample:K, since all solutions of an instance are held at a time
	// rrc:T, random re-construct: Greedy, then T attempts to construct a part of the solution anew (LEHD)
	rebuilding = "rrc"
)

// ReconstructOf returns the mode of t random re-constructions.
func ReconstructOf(t int) Mode { return Mode(fmt.Sprintf("%s:%d", rebuilding, t)) }

// UnmarshalText accepts the names of the modes.
func (m *Mode) UnmarshalText(text []byte) error {
	got := Mode(text)
	switch name, n := got.split(); name {
	case string(Greedy), string(MultiStart), string(Aug8):
		if n != 0 {
			return fmt.Errorf("decode mode %q: %s takes no number", got, name)
		}
	case sampling, rebuilding:
		what, most := "solutions drawn", mostSamples
		if name == rebuilding {
			what, most = "attempts to construct a part anew", math.MaxInt32
		}
		if n < 1 || n > most {
			_, number, _ := strings.Cut(string(got), ":")
			return fmt.Errorf("decode mode %q: the number of %s is %q, want 1 to %d, as in %s:100", got, what, number,
				most, name)
		}
	default:
		return fmt.Errorf("decode mode %q is unknown, want %s, %s, %s, %s:K or %s:T",
			got, Greedy, MultiStart, Aug8, sampling, rebuilding)
	}
	*m = got
	return nil
}

// split returns a mode's name and its number: 0 without one, -1 where it is none.
func (m Mode) split() (name string, n int) {
	name, number, ok := strings.Cut(string(m), ":")
	if !ok {
		return name, 0
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return name, -1
	}
	return name, n
}

// Words describes a mode for a reader.
func (m Mode) Words() string {
	switch name, n := m.split(); name {
	case string(MultiStart):
		return "multi-start"
	case string(Aug8):
		return "multi-start ×8"
	case sampling:
		return fmt.Sprintf("best of %d samples", n)
	case rebuilding:
		return fmt.Sprintf("random re-construct ×%d", n)
	}
	return string(m)
}
