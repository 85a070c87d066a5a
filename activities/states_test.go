package activities

import (
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// Many tests run the steps of Block I and Block II on states small enough to be worked out by hand.
//
// An instance has three cities in a row: the tour starts in the left one, the two others lie 0.25 and 0.75 away, and
// which of them is next is the only decision. The height of the row says which one the teacher takes, with
// probability 0.9: the near one in a state of kind A, the far one in one of kind B, and the far one again in one of
// kind C, which lies highest.
//
// A program that scores by the distance gives the city it prefers the probability p where its τ_h is leaning(p). The
// router's weights are even, so that the mixture is the mean of the programs.

// picked is π_T of the teacher's city.
const picked = 0.9

// What the programs score by. No bank holds the same program twice, so some are written in two ways.
const (
	byNear     = "-fromHere[c]"                                       // right in A
	byNearToo  = "-fromHere[c] + 0*fromHere[c]"                       // the same
	byNearIn3  = "-3 * fromHere[c]"                                   // the same on another scale
	byFar      = "fromHere[c]"                                        // right in B and C
	byRule     = "fromHere[c] * max(-1, min(1, 1000*(s.Y[c]-0.375)))" // right everywhere
	byHeight   = "fromHere[c] * max(-1, min(1, 1000*(s.Y[c]-0.625)))" // right in A and C
	trapsOnC   = byNear + "\n\t\tif s.Y[c] == 0.8125 {\n\t\t\tscore[k+9] = 0\n\t\t}"
	cannotPass = "fromHere[c] * float64(2)"
)

// leaning returns the τ_h at which a program that scores by the distance gives the city it prefers the probability p.
func leaning(p float64) float64 { return 0.5 / math.Log(p/(1-p)) }

// leansBy is the inverse of leaning.
func leansBy(tauH float64) float64 { return 1 / (1 + math.Exp(-0.5/tauH)) }

// kl is KL(π_T‖V) where V gives the teacher's city the probability v.
func kl(v float64) float64 {
	return picked*math.Log(picked/v) + (1-picked)*math.Log((1-picked)/(1-v))
}

// fits reports whether a measured number is the one worked out, but for the hundredth to which FitTauH fits.
func fits(got, want float64) bool { return math.Abs(got/want-1) < 0.012 }

func equals(got, want float64) bool { return math.Abs(got-want) < 1e-5 }

// kinds stores a shard with a state of each kind listed, each of an instance of its own; + is one more tour of the
// instance before.
func (fx *fixture) kinds(kinds string) workflows.Shard {
	fx.t.Helper()
	sh := &rollout.Shard{Problem: routing.TSP, Teacher: "by hand", N: 3, Offset: []int64{0}}
	var kind rune
	var coords, probabilities []float32
	for i, letter := range kinds {
		if letter != '+' {
			kind = letter
		}
		y, probs, tour := map[rune]float32{'A': 0.25, 'B': 0.5, 'C': 0.8125}[kind], []float32{picked, 1 - picked},
			[]int32{0, 1, 2}
		if kind != 'A' {
			slices.Reverse(probs)
			slices.Reverse(tour[1:])
		}
		if letter != '+' {
			coords = append(coords, 0, y, 0.25, y, 0.75, y)
		}
		sh.InstanceOf, sh.Actions = append(sh.InstanceOf, int32(len(coords)/6-1)), append(sh.Actions, tour...)
		sh.Traj, sh.Step = append(sh.Traj, int32(i)), append(sh.Step, 1)
		sh.Candidates, probabilities = append(sh.Candidates, 1, 2), append(probabilities, probs...)
		sh.Offset = append(sh.Offset, int64(len(sh.Candidates)))
	}
	R := sh.Trajectories()
	sh.Coords, sh.Probs = dense.Of(coords, len(coords)/6, 3, 2), dense.Vector(probabilities)
	sh.StartProbs = dense.Of(make([]float32, R*3), R, 3)
	if err := sh.Validate(); err != nil {
		fx.t.Fatal(err)
	}
	ref, err := fx.Store.PutShard(fx.t.Context(), sh)
	if err != nil {
		fx.t.Fatal(err)
	}
	return shardOf(ref, sh)
}

// data stores a dataset: a shard for each word.
func (fx *fixture) data(train, val string) workflows.Dataset {
	fx.t.Helper()
	var d workflows.Dataset
	for _, kinds := range strings.Fields(train) {
		d.Train = append(d.Train, fx.kinds(kinds))
	}
	for _, kinds := range strings.Fields(val) {
		d.Val = append(d.Val, fx.kinds(kinds))
	}
	return d
}

func source(name, by string) string {
	return strings.NewReplacer("package near", "package "+name, "prefers the nearest city", "is "+name, byNear,
		by).Replace(near)
}

// scoring returns a program that scores by an expression.
func (fx *fixture) scoring(name, by string, tauH float64) bank.Heuristic {
	fx.t.Helper()
	h := fx.entry(name, source(name, by))
	h.TauH = tauH
	return h
}

// even stores a bank and a router that gives all its programs the same weight.
func (fx *fixture) even(hs ...bank.Heuristic) workflows.Model {
	fx.t.Helper()
	router := student.New(student.Config{D: 16, Layers: 1, Heads: 1, FF: 16, TauR: 1e30}, 1)
	data, err := student.NewTrainer(router, student.TrainConfig{LR: 1e-3, BatchStates: 1}, 1).Marshal()
	if err != nil {
		fx.t.Fatal(err)
	}
	m := workflows.Model{Bank: fx.put(bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: hs}), Size: len(hs)}
	if m.Student, err = fx.Store.Put(fx.t.Context(), data); err != nil {
		fx.t.Fatal(err)
	}
	m.Trained = m.Bank
	return m
}
