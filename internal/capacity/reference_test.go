package capacity_test

import (
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/capacity"
)

// referenceLoss computes Eq. 3, 5 and 6 in the simplest way: softmax of the kept logits, mixture, mean KL.
func referenceLoss(mx *capacity.Mixture, kept []int) float64 {
	M, total := len(mx.V), 0.0
	for s := range mx.States() {
		top := math.Inf(-1)
		for _, m := range kept {
			top = max(top, float64(mx.Logits[s*M+m]))
		}
		Z := 0.0
		for _, m := range kept {
			Z += math.Exp(float64(mx.Logits[s*M+m]) - top)
		}
		for a := mx.Offset[s]; a < mx.Offset[s+1]; a++ {
			p, pi := float64(mx.Teacher[a]), 0.0
			for _, m := range kept {
				pi += math.Exp(float64(mx.Logits[s*M+m])-top) / Z * float64(mx.V[m][a])
			}
			if p > 0 {
				total += p * (math.Log(p) - math.Log(max(pi, agreement.Floor)))
			}
		}
	}
	return total / float64(mx.States())
}

// randomMixture returns a mixture of sharp programs and a sharp teacher that mostly follows one of them, as in trained
// banks. States have 2 to maxK actions; logits lie in ±spread.
func randomMixture(seed uint64, states, M, maxK int, spread float64) *capacity.Mixture {
	rng := rand.New(rand.NewPCG(seed, 1))
	mx := &capacity.Mixture{Offset: []int64{0}, V: make([][]float32, M)}
	for range states {
		K := 2 + rng.IntN(maxK-1)
		leader := rng.IntN(M)
		for m := range M {
			mx.V[m] = append(mx.V[m], softmax(rng, K, 12)...)
			mx.Logits = append(mx.Logits, float32(spread*(2*rng.Float64()-1)))
		}
		a := mx.Offset[len(mx.Offset)-1]
		noise := softmax(rng, K, 3)
		for k := range K {
			mx.Teacher = append(mx.Teacher, 0.9*mx.V[leader][a+int64(k)]+0.1*noise[k])
		}
		mx.Offset = append(mx.Offset, a+int64(K))
	}
	return mx
}

func softmax(rng *rand.Rand, K int, scale float64) []float32 {
	e, Z := make([]float64, K), 0.0
	for k := range e {
		e[k] = math.Exp(scale * rng.NormFloat64())
		Z += e[k]
	}
	p := make([]float32, K)
	for k := range e {
		p[k] = float32(e[k] / Z)
	}
	return p
}

func randomHits(rng *rand.Rand, states int, share float64) agreement.StateSet {
	hits := agreement.NewStateSet(states)
	for s := range states {
		if rng.Float64() < share {
			hits.Put(s)
		}
	}
	return hits
}
