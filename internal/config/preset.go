package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// presets are the paper's runs (settings table). What the table does not say is left at the defaults:
//
//   - "100k" is read as 100,000 decision states, and "backward every n batches" as segments of the nearest number of whole
//     epochs: n·batch/100k, which gives the order of LLM calls the paper reports.
//   - The teachers are the user's: POMO's checkpoints have no licence, LEHD's is for research only.
var presets = map[string]func(*Distill){
	"pomo-tsp50": func(c *Distill) {
		c.Problem, c.Nodes = routing.TSP, 50
		c.Student = Student{Dim: 128, Layers: 3, Heads: 8, FF: 512, Decoder: 3}
		c.schedule(48, 4096, 6e-4, 144, 100)
	},
	"pomo-tsp100": func(c *Distill) {
		c.Problem, c.Nodes = routing.TSP, 100
		c.Student = Student{Dim: 128, Layers: 4, Heads: 8, FF: 512, Decoder: 3}
		c.schedule(98, 2048, 3e-4, 80, 200)
	},
	"pomo-cvrp50": func(c *Distill) {
		c.Problem, c.Nodes = routing.CVRP, 50
		c.Student = Student{Dim: 128, Layers: 6, Heads: 8, FF: 512, Decoder: 3}
		c.schedule(60, 16384, 4e-4, 50, 200)
	},
	"lehd-tsp100": func(c *Distill) {
		c.Problem, c.Nodes = routing.TSP, 100
		c.Student = Student{Dim: 128, Layers: 3, Heads: 8, FF: 512, Decoder: 3} // light encoder, three heavy decoder layers
		c.schedule(98, 1024, 1e-4, 50, 200)
		c.LLM.Critic, c.LLM.Writer, c.LLM.Proposer = "gpt-5", "gpt-5", "gpt-5"
	},
}

// schedule sets the optimisation rows of the table for tours of about so many decisions.
func (c *Distill) schedule(decisions, batch int, lr float64, epochs, every int) {
	const states = 100_000
	c.Data.Train = states / decisions
	c.Train.BatchStates, c.Train.LR = batch, lr
	c.Train.SegmentEpochs = max((every*batch+states/2)/states, 1)
	c.Limits.Epochs = epochs - c.Train.AnnealEpochs
	c.Limits.Passes = 10
}

// Presets returns the names Preset knows.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// Preset returns the configuration of one of the paper's runs. Teacher and, but for POMO on TSP, the starting bank are still to
// be named.
func Preset(name string) (Distill, error) {
	apply, ok := presets[name]
	if !ok {
		return Distill{}, fmt.Errorf("config: there is no preset %q, want one of %s", name, strings.Join(Presets(), ", "))
	}
	c := Default()
	c.Name, c.Teacher = name, ""
	c.LLM.Critic, c.LLM.Writer, c.LLM.Proposer = "gpt-5.4", "gpt-5.4", "claude-sonnet-4.6"
	apply(&c)
	return c, nil
}
