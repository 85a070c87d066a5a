package workflows

import (
	"fmt"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
)

// Train runs a segment of SGD epochs (Alg. 1; Eq. 11, the update of θ).
var Train = Activity[TrainInput, TrainOutput]{"Train", ComputeQueue}

// Weights trains the weights of the programs together with the router (a block that Eq. 11 does not have).
var Weights = Activity[WeightsInput, WeightsOutput]{"Weights", ComputeQueue}

// WeightsInput asks for a pass over the weights of a bank.
type WeightsInput struct {
	ModelAndData
	Moment
	Weights config.Weights `json:"weights"`
	Train   config.Train   `json:"train"`
	Seed    uint64         `json:"seed"`
}

// WeightsCheckpoint is a training of weights after its first stages.
type WeightsCheckpoint struct {
	State   store.Ref `json:"state"`   // the bank so far, its loss, and the next stage
	Student store.Ref `json:"student"` // the router that was trained with it
}

// WeightsOutput is a bank whose weights were trained, or the bank as it was.
type WeightsOutput struct {
	Model  Model        `json:"model"`
	Change WeightChange `json:"change"`
	Events []Event      `json:"events,omitempty"` // terms that went
}

// WeightChange is what a pass over the weights did.
type WeightChange struct {
	Epoch   int      `json:"epoch"`
	Before  float64  `json:"before"` // validation loss
	After   float64  `json:"after"`
	Changed []Change `json:"changed,omitempty"`
}

// Change is a new value of one weight.
type Change struct {
	Heuristic string  `json:"heuristic"`
	Weight    string  `json:"weight"`
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Gone      bool    `json:"gone,omitempty"` // folded away with its term
}

// TrainInput asks for a segment of SGD epochs.
type TrainInput struct {
	NamedTeacher
	ModelAndData
	Config config.Student `json:"config"`
	Train  config.Train   `json:"train"`
	Seed   uint64         `json:"seed"`
	Pass   int            `json:"pass"`
	From   int            `json:"from"` // first epoch
	Epochs int            `json:"epochs"`
	Anneal bool           `json:"anneal"` // the learning rate falls to a hundredth over the segment
}

// TrainOutput is the student after a segment.
type TrainOutput struct {
	Model  Model   `json:"model"` // bank with learned τ_h, student after the segment
	Points []Point `json:"points"`
	Build  string  `json:"build,omitempty"` // commit of the worker
}

// event says in words what a pass over the weights did, unless it did nothing.
func (c WeightChange) event(at Moment) (Event, bool) {
	programs := map[string]bool{}
	for _, w := range c.Changed {
		programs[w.Heuristic] = true
	}
	if len(programs) == 0 {
		return Event{}, false
	}
	e := at.Event(EventWeights, "", fmt.Sprintf("%d weights of %d programs changed: validation loss %.4f → %.4f",
		len(c.Changed), len(programs), c.Before, c.After))
	e.Before, e.After = c.Before, c.After
	return e, true
}
