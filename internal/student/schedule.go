package student

import (
	"fmt"
	"math"
)

// Schedule names how the learning rate changes over an epoch count.
type Schedule string

// The schedules.
const (
	Constant Schedule = "constant"
	Cosine   Schedule = "cosine" // from LR down to LR/100 at TotalEpochs, and LR/100 from then on
)

// TrainConfig configures training.
type TrainConfig struct {
	LR          float64  `json:"lr"`           // Adam's step size
	BatchStates int      `json:"batch_states"` // states per step, at least; a batch ends with a whole unit
	GradClip    float64  `json:"grad_clip"`    // largest norm of the gradient of the mean loss; 0 means no limit
	WarmupSteps int      `json:"warmup_steps"` // steps over which the learning rate rises linearly
	Schedule    Schedule `json:"schedule"`     // "" means constant
	TotalEpochs int      `json:"total_epochs"` // length of the cosine
	// Harden is the share of the expected loss Σ_m w_m·KL(π_T‖V_m) in the loss, from 0, Eq. 6 alone, to 1. The expected
	// loss makes the weights sparse: it is lowest where one program that agrees with the teacher decides alone.
	Harden float64 `json:"harden,omitempty"`
}

// Validate reports the first value that training cannot use.
func (c TrainConfig) Validate() error {
	switch {
	case !(c.LR > 0) || math.IsInf(c.LR, 0):
		return fmt.Errorf("student: lr is %v, want a positive number", c.LR)
	case c.BatchStates < 1:
		return fmt.Errorf("student: batch_states is %d, want at least 1", c.BatchStates)
	case !(c.GradClip >= 0):
		return fmt.Errorf("student: grad_clip is %v, want 0 (none) or more", c.GradClip)
	case c.WarmupSteps < 0:
		return fmt.Errorf("student: warmup_steps is %d, want 0 or more", c.WarmupSteps)
	case !(c.Harden >= 0 && c.Harden <= 1):
		return fmt.Errorf("student: harden is %v, want 0 to 1", c.Harden)
	case c.Schedule != "" && c.Schedule != Constant && c.Schedule != Cosine:
		return fmt.Errorf("student: schedule %q is unknown, want %s or %s", string(c.Schedule), Constant, Cosine)
	case c.Schedule == Cosine && c.TotalEpochs < 1:
		return fmt.Errorf("student: total_epochs is %d, want at least 1 for a cosine", c.TotalEpochs)
	}
	return nil
}

// rate returns the learning rate of a step (from 1) after that many epochs, a fraction.
func (c TrainConfig) rate(step int, epochs float64) float64 {
	lr := c.LR
	if c.Schedule == Cosine {
		x := min(epochs/float64(c.TotalEpochs), 1)
		lr *= 0.01 + 0.99*(1+math.Cos(math.Pi*x))/2
	}
	if step < c.WarmupSteps {
		lr *= float64(step) / float64(c.WarmupSteps)
	}
	return lr
}
