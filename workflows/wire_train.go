package workflows

import "github.com/epb-nco/epb/internal/config"

// Train runs a segment of SGD epochs (Alg. 1, Eq. 11, left column).
var Train = Activity[TrainInput, TrainOutput]{"Train", ComputeQueue}

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
	Anneal bool           `json:"anneal"` // learning rate falls to zero over the segment
}

// TrainOutput is the student after a segment.
type TrainOutput struct {
	Model  Model   `json:"model"` // bank with learned τ_h, student after the segment
	Points []Point `json:"points"`
	Build  string  `json:"build,omitempty"` // commit of the worker
}
