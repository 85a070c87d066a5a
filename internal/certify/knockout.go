package certify

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/routing"
)

// knockedOut returns what the student would choose without the leader of each state, and with its weight given to a
// program drawn by lot. There are at least two programs.
func (d *decisions) knockedOut() (removed, swapped []int32) {
	S := d.sh.States()
	removed, swapped = make([]int32, S), make([]int32, S)
	rng := rand.New(rand.NewPCG(d.seed, 0x6c07))
	w, mix := make([]float32, d.M), make([]float32, 2*d.sh.N)
	for s := range S {
		mix := mix[:d.candidates(s)]
		copy(w, d.weights(s))
		dropLeader(w)
		removed[s] = d.chosen(s, w, mix)
		copy(w, d.weights(s))
		swapLeader(w, rng)
		swapped[s] = d.chosen(s, w, mix)
	}
	return removed, swapped
}

// dropLeader leaves the program of the largest weight out.
func dropLeader(w []float32) { agreement.LeaveOut(w, agreement.Argmax(w)) }

// swapLeader swaps the largest weight with that of another program, drawn by lot. There are at least two programs.
func swapLeader(w []float32, rng *rand.Rand) {
	lead, other := agreement.Argmax(w), rng.IntN(len(w)-1)
	if other >= lead {
		other++
	}
	w[lead], w[other] = w[other], w[lead]
}

// lot returns a number that depends on an instance alone, so that lots do not depend on who solves which first.
func lot(in *routing.Instance) uint64 {
	h := fnv.New64a()
	for _, v := range in.Coords {
		_ = binary.Write(h, binary.LittleEndian, math.Float32bits(v)) // a hash takes all
	}
	return h.Sum64()
}
