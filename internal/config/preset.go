package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// presets are the paper's runs (settings table). Settings that are not in the table keep their defaults:
//
//   - "100k" is read as 100,000 decision states an epoch, and "backward every n batches" as segments of the nearest
//     number of whole epochs: n·batch/100k. If every program is revised in every round, on eight failures each, the
//     LLM is asked at most about as often as the paper reports for LEHD TSP-100 (5,471).
//   - For LEHD and for CVRP the table names no number. LEHD has 100k too. POMO CVRP, with its eight-fold batch, has 1.6
//     million: an epoch then has as many batches as LEHD's, and so as many rounds of Block I and II.
//   - The table has no column for POMO CVRP-100 and LEHD CVRP-100: they have the settings of the same teacher's other
//     run.
//   - Mixed precision, which the table has for CVRP, is left out: it matters on GPUs only.
//   - A bank has room for as many programs as the paper's has in the end. POMO's begin with local rules, none of which
//     is a result of the paper's; LEHD's begin empty, since all banks of their view that ship are such results.
//   - Users bring the teachers: POMO's checkpoints have no licence, LEHD's is for research only.
var presets = map[string]func(*Distill){
	"pomo-tsp50": func(c *Distill) {
		c.task(routing.TSP, 50, "builtin:tsp-local", 14)
		c.Student = Student{Dim: 128, Layers: 3, Heads: 8, FF: 512, Decoder: 3}
		c.schedule(small, 4096, 6e-4, 144, 100)
	},
	"pomo-tsp100": func(c *Distill) {
		c.task(routing.TSP, 100, "builtin:tsp-local", 14)
		c.Student = Student{Dim: 128, Layers: 4, Heads: 8, FF: 512, Decoder: 3}
		c.schedule(small, 2048, 3e-4, 80, 200)
	},
	"pomo-cvrp50":  func(c *Distill) { c.pomoCVRP(50, 18) },
	"pomo-cvrp100": func(c *Distill) { c.pomoCVRP(100, 36) },
	"lehd-tsp100": func(c *Distill) {
		c.lehd(routing.TSP, 11)
		c.LLM.Critic, c.LLM.Writer, c.LLM.Proposer = "gpt-5", "gpt-5", "gpt-5"
	},
	"lehd-cvrp100": func(c *Distill) { c.lehd(routing.CVRP, 29) },
}

func (c *Distill) pomoCVRP(nodes, programs int) {
	c.task(routing.CVRP, nodes, "builtin:cvrp-local", programs)
	c.Student = Student{Dim: 128, Layers: 6, Heads: 8, FF: 512, Decoder: 3}
	c.schedule(large, 16384, 4e-4, 50, 200)
	c.Train.PassSegments = 3 // so that the bank can grow to its size, by four programs a pass
}

func (c *Distill) lehd(problem routing.Problem, programs int) {
	c.task(problem, 100, EmptyBank, programs)
	c.Student = Student{Dim: 128, Layers: 3, Heads: 8, FF: 512, Decoder: 3} // light encoder, three heavy decoder layers
	c.schedule(small, 1024, 1e-4, 50, 200)
	c.Train.PassSegments = 3 // an empty bank grows by four programs a pass
}

// task sets what is distilled: the problem, the size of its instances and the bank.
func (c *Distill) task(problem routing.Problem, nodes int, bank string, programs int) {
	c.Problem, c.Nodes, c.Bank, c.Add.MaxBank = problem, nodes, bank, programs
	c.TextGrad.Heuristics, c.TextGrad.Failures = programs, 8
}

// Decision states an epoch.
const (
	small = 100_000
	large = 16 * small
)

// schedule sets the optimisation rows of the table. The paper has a round every so many batches. Here a round follows
// the nearest number of whole epochs: 100 batches of 4,096 states, for example, are four epochs of 100,000.
func (c *Distill) schedule(states, batch int, lr float64, epochs, every int) {
	c.Data.Train = states / c.decisions()
	c.Train.BatchStates, c.Train.LR = batch, lr
	c.Train.SegmentEpochs = max((every*batch+states/2)/states, 1)
	c.Limits.Epochs = epochs - c.Train.AnnealEpochs
	c.Limits.Passes = c.Limits.Epochs // the epochs are the limit
}

// Presets returns the names that Preset knows.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// Preset returns the configuration of one of the paper's runs. The caller must set the teacher.
func Preset(name string) (Distill, error) {
	apply, ok := presets[name]
	if !ok {
		return Distill{}, fmt.Errorf("config: there is no preset %q, want one of %s",
			name, strings.Join(Presets(), ", "))
	}
	c := Default()
	c.Name, c.Teacher = name, ""
	c.LLM.Critic, c.LLM.Writer, c.LLM.Proposer = "gpt-5.4", "gpt-5.4", "claude-sonnet-4.6"
	c.LLM.MaxTokens = 16384 // such models spend tokens on thinking, and a proposal holds several programs
	apply(&c)
	return c, nil
}
