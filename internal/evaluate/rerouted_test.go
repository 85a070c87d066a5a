package evaluate

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// With the router's own weights it is the student's tour. A program with all of the weight decides as it does alone,
// and so does the leader of every step if it decides alone.
func TestRerouted(t *testing.T) {
	s := trio(t)
	insts := tsp.Generate(15, 20, 3)
	starts := make([]int, len(insts))
	tours := func(p routing.Policy) [][]int32 {
		got, err := Search{Mode: Greedy, Starts: starts}.Run(t.Context(), p, insts)
		if err != nil {
			t.Fatal(err)
		}
		return got.Tours
	}
	rerouted := func(hard bool, reroute Reroute) Rerouted {
		of := func(*routing.Instance) Reroute { return reroute }
		return Rerouted{Label: "rerouted", Student: s, Hard: hard, Of: of}
	}
	same := func(what string, got, want [][]int32) {
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: tours %v, want %v", what, got, want)
		}
	}
	same("as it is", tours(rerouted(false, func([]float32) {})), tours(s))
	singles := s.Programs.Singles("")
	only := func(m int) Reroute { return func(w []float32) { clear(w); w[m] = 0.3 } }
	for m := range singles {
		same("only "+singles[m].Name(), tours(rerouted(false, only(m))), tours(singles[m]))
		leads := func(w []float32) { w[m] += 1 }
		same(singles[m].Name()+" leads", tours(rerouted(true, leads)), tours(singles[m]))
	}
	dropped := tours(rerouted(false, func(w []float32) { w[agreement.Argmax(w)] = 0 }))
	if slices.EqualFunc(dropped, tours(s), slices.Equal) {
		t.Error("without its leaders the student's tours are the same")
	}
}

// The probabilities of a state add up to 1, whatever the weights.
func TestReroutedProbabilities(t *testing.T) {
	s := trio(t)
	in := tsp.Generate(6, 1, 3)[0]
	p := Rerouted{Student: s, Of: func(*routing.Instance) Reroute {
		return func(w []float32) { w[0], w[1] = 0, 5 }
	}}
	tr := decode(t, p, &in, []routing.Run{{Start: 0, Record: true}})[0]
	for step := 1; step < in.N(); step++ {
		sum := float32(0)
		for _, prob := range tr.Probs[step*in.N() : (step+1)*in.N()] {
			sum += prob
		}
		if sum < 0.999 || sum > 1.001 {
			t.Errorf("step %d: the probabilities add up to %v", step, sum)
		}
	}
}
